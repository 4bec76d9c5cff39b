"""lodehound gate: did a policy get worse?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lodehound.cli.echo import echo
from lodehound.core.errors import ConfigError
from lodehound.text.shell import shown


def gate(
    update: Annotated[bool, typer.Option(help="Measure again and pin the results.")] = False,
    allow_regression: Annotated[
        bool, typer.Option(help="With --update: also pin worse results.")
    ] = False,
    floors: Annotated[Path | None, typer.Option(help="Another file of pinned results.")] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Processes.")] = 1,
) -> None:
    """Compare policies with their pinned quality on small generated and disguised real sites."""
    from lodehound.lab import gate as lab

    if allow_regression and not update:
        raise ConfigError("--allow-regression needs --update: nothing is pinned without it.")
    path = floors or lab.FLOORS
    if update and not path.parent.is_dir():
        raise ConfigError(f"{str(path)!r} cannot be written: the folder does not exist.")
    # Also those that will be replaced: a file that is none is refused before the long work.
    pinned = [] if update and not path.exists() else lab.read_floors(path)
    measured = lab.measure(jobs=jobs)
    if update:
        lab.update(path, measured, allow_regression=allow_regression)
        echo(f"{len(measured)} floors pinned in {shown(path)}")
        return
    failures = lab.compare(pinned, measured)
    for mark in measured:
        echo(f"{mark.site:14} {mark.policy:16} {mark.mean:6.2f} ±{mark.spread:.2f}")
    for failure in failures:
        echo(f"fallen: {failure}", err=True)
    if failures:
        raise typer.Exit(1)
