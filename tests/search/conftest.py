"""Crawl directories to search in."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lodehound.cli import main
from tests.exports.crawls import add, begin

REGIONS = b"Region,Year,Unemployment rate (%)\nChisinau,2010,6.1\nBalti,2011,7.9\nCahul,2012,5.5\n"
BIRTHS = "Ort;Geburten\nKöln;10341\nDüsseldorf;6402\n".encode()
CARS = b"model,horsepower,weight\nMazda RX4,110,2620\nDatsun 710,93,2320\n"
# File name -> content, link text.
FILES = {
    "t1.csv": (REGIONS, "Labour market"),
    "t2.csv": (BIRTHS, "Geburten nach Orten"),
    "GermanCars.csv": (CARS, "CSV"),
    "t4.csv": (b"country,wages\nItaly,1\nSpain,2\n", "Wages in Europe"),
}


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    """Four tables."""
    folder = tmp_path / "office"
    with begin(folder) as directory:
        for name, (body, anchor) in FILES.items():
            add(directory, name, body, anchor=anchor)
    return folder


@pytest.fixture
def program(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> Callable[..., tuple[int, str, str]]:
    """Run the command; return its exit code and what it printed."""

    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["lodehound", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            main()
        out, err = capsysbinary.readouterr()
        return int(stop.value.code or 0), out.decode(), err.decode()

    return run
