"""lodehound repair: saves what is sound of a damaged crawl directory."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lodehound.core.shell import quoted, shown


def repair(
    directory: Annotated[Path, typer.Argument(help="A crawl directory.", metavar="DIR")],
) -> None:
    """Repair a damaged crawl directory: keep all that is sound, list what is lost."""
    from lodehound.assembly.repair import obstacle
    from lodehound.assembly.repair import repair as repaired
    from lodehound.cli.signals import tidy_end
    from lodehound.stores.crawl_dir.texts import one_line

    with tidy_end():
        done = repaired(directory)
    if not done.damage:
        typer.echo(f"{shown(directory)}: nothing is damaged")
        return
    typer.echo(f"{shown(directory)}: repaired")

    def tell(name: str, *texts: str) -> None:
        for text in texts:
            typer.echo(f"{name:11} {one_line(text)}")

    tell("damage", *done.damage[:10])
    tell("kept", f"{done.requests:,} requests, {done.answers:,} of them answered")
    tell("kept", f"{done.finds:,} finds")
    tell("lost", *done.losses)
    tell("note", *done.notes)
    tell("original", shown(done.original))
    if text := obstacle(directory):  # comes last, because a bug would end the command here
        tell("note", text)
    tell("next", f"lodehound resume {quoted(directory)}")
