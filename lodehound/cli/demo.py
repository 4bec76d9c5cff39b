"""lodehound demo: see it learn, with no network."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def demo(
    out: Annotated[
        Path | None, typer.Option(help="Keep the generated site in this folder.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Random seed of site and crawl.")] = 0,
) -> None:
    """Crawl a small generated statistics office: breadth first and learning, side by side."""
    from rich.console import Console

    from lodehound.demo import run_demo

    run_demo(out, seed, Console())
