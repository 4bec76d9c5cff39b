"""Write docs/reference.md from the classes themselves; a test holds it to them."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import typer

from lodehound.cli.names import policies, shortcuts, targets
from lodehound.cli.program import app

PAGE = Path(__file__).with_name("reference.md")


def reference() -> str:
    """Return the page."""
    parts = ["# Reference\n\nMade by `python docs/make_reference.py`; do not edit.\n"]
    for title, command in (
        ("policies", policies),
        ("targets", targets),
        ("shortcuts", shortcuts),
    ):
        with redirect_stdout(io.StringIO()) as out:
            command("")
        parts.append(f"\n## lodehound {title}\n\n```\n{out.getvalue()}```\n")
    parts += [_options(name) for name in ("crawl", "resume", "fleet run", "record", "race")]
    return "".join(parts)


def _options(name: str) -> str:
    """Return a command's options, from the command itself."""
    command: Any = typer.main.get_command(app)
    for part in name.split():
        command = command.get_command(typer.Context(command), part)
    rows = ["", f"## lodehound {name}", "", "| option | meaning |", "|---|---|"]
    for option in command.params:
        names = ", ".join(f"`{text}`" for text in (*option.opts, *option.secondary_opts))
        rows.append(f"| {names} | {getattr(option, 'help', None) or ''} |")
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    PAGE.write_text(reference(), encoding="utf-8")
