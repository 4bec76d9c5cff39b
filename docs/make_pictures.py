"""Write docs/images/demo.svg: the output of `lodehound demo`, as a terminal shows it.

python docs/make_pictures.py
"""

from __future__ import annotations

import io
import re
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI

from lodehound.lab.demo import run_demo

PICTURE = Path(__file__).parent / "images" / "demo.svg"


def main() -> None:
    console = Console(record=True, width=124, file=io.StringIO())
    console.print("[bold]$ lodehound demo[/bold]")
    run_demo(None, 0, console)
    picture = console.export_svg(title="lodehound demo", theme=MONOKAI)
    # Fonts of this machine: a picture in a README must not ask another host for one.
    picture = re.sub(r"@font-face \{.*?\}", "", picture, flags=re.DOTALL)
    PICTURE.write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
