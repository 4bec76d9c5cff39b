"""Write docs/reference.md from the classes themselves; a test holds it to them."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from pathlib import Path

from lodehound.cli.names import policies, targets

PAGE = Path(__file__).with_name("reference.md")


def reference() -> str:
    """Return the page."""
    parts = ["# Reference\n\nMade by `python docs/make_reference.py`; do not edit.\n"]
    for title, command in (("policies", policies), ("targets", targets)):
        with redirect_stdout(io.StringIO()) as out:
            command("")
        parts.append(f"\n## lodehound {title}\n\n```\n{out.getvalue()}```\n")
    return "".join(parts)


if __name__ == "__main__":
    PAGE.write_text(reference(), encoding="utf-8")
