"""lodehound repair: saves what is sound of a damaged crawl directory."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lodehound.cli.echo import echo
from lodehound.text.counts import counted
from lodehound.text.shell import quoted, shown


def repair(
    directory: Annotated[Path, typer.Argument(help="A crawl directory.", metavar="DIR")],
    anew: Annotated[
        bool,
        typer.Option(
            "--begin-again",
            help="If nothing is sound: set the directory aside, so that the crawl can begin again.",
        ),
    ] = False,
) -> None:
    """Repair a damaged crawl directory: keep all that is sound, list what is lost."""
    from lodehound.assembly.begin_again import fleet_of
    from lodehound.assembly.repair import NothingSoundError, obstacle
    from lodehound.assembly.repair import repair as repaired
    from lodehound.cli.signals import tidy_end
    from lodehound.stores.files.layout import DATABASE
    from lodehound.stores.texts import one_line

    fleet = fleet_of(directory)
    if anew and fleet is not None and not (directory / DATABASE).is_file():
        _begin_again(directory)
        return
    try:
        with tidy_end():
            done = repaired(directory)
    except NothingSoundError:
        if not anew:
            raise
        _begin_again(directory)
        return
    if not done.damage:
        echo(f"{shown(directory)}: nothing is damaged")
        return
    echo(f"{shown(directory)}: repaired")

    def tell(name: str, *texts: str) -> None:
        for text in texts:
            echo(f"{name:11} {one_line(text)}")

    tell("damage", *done.damage[:10])
    tell("kept", f"{counted(done.requests, 'request')}, {done.answers:,} answered")
    tell("kept", counted(done.finds, "find"))
    tell("lost", *done.losses)
    tell("note", *done.notes)
    tell("original", shown(done.original))
    resume = f"resume {quoted(directory)}"
    if text := obstacle(directory):  # comes last, because a bug would end the command here
        tell("note", text)
    tell("next", f"lodehound {f'fleet resume {quoted(fleet)}' if fleet else resume}")


def _begin_again(directory: Path) -> None:
    """Set a crawl aside, and report where it is and how it begins again."""
    from lodehound.assembly.begin_again import begin_again

    place, command = begin_again(directory)
    echo(f"{shown(directory)}: nothing can be saved")
    echo(f"{'original':11} {shown(place)}")
    echo(f"{'next':11} {command}")
