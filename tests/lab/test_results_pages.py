"""``make results``: the command of every page."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from bench.results import PAGES, command

TOP = Path(__file__).parent.parent.parent


def given(**other: object) -> argparse.Namespace:
    options = {"corpora": Path("c"), "cache": None, "quick": False, "rows": None, "sites": ""}
    return argparse.Namespace(**(options | other))


@pytest.mark.parametrize("name", PAGES)
def test_every_page_is_published_and_has_its_module(name: str) -> None:
    module = TOP / f"{PAGES[name].module.replace('.', '/')}.py"

    assert (TOP / "docs" / "research" / f"{name}.md").is_file()
    assert "--out" in (text := module.read_text(encoding="utf-8")) or "arguments(" in text
    assert ("--sites" in text) is PAGES[name].takes_sites


def test_the_words_of_a_command() -> None:
    words = command("sb-results", given(quick=True, rows=Path("r"), sites="a,b"), Path("o"))

    assert words[1:3] == ["-m", "bench.sb_tables"]
    assert words[3:] == [
        *("--out", "o/sb-results.md", "--seeds", "3", "--corpora", "c"),
        *("--rows", "r/sb-results.jsonl", "--sites", "a,b"),
    ]
    assert command("early-stop", given(sites="a"), Path("o"))[3:] == [
        *("--out", "o/early-stop.md", "--corpora", "c")
    ]
