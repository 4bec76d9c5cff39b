"""lodehound demo: watch it learn, without a network."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def demo(
    out: Annotated[
        Path | None, typer.Option(help="Store the generated site in this folder.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Random seed of the site and the crawl.")] = 0,
) -> None:
    """Crawl a small generated site breadth first and with the learning policy, side by side."""
    from lodehound.cli.console import Console
    from lodehound.lab.demo import run_demo

    run_demo(out, seed, Console())
