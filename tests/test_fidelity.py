"""The list of the papers' points: every file it names is there, and its sums are right."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "research" / "fidelity.md").read_text(encoding="utf-8")
VERDICTS = ("faithful", "with `:paper`", "deviates")
PAPERS = re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]


def rows(text: str) -> list[list[str]]:
    """Return the lines of the last table, without its head."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in lines[1:]]


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.partition("\n")[0])
def test_every_point_has_a_file_and_a_verdict(paper: str) -> None:
    for row in rows(paper):
        assert len(row) == 4, row
        named = re.findall(r"`([\w/.-]+\.(?:py|md))`", row[2])
        assert named, row
        for path in named:
            assert (ROOT / "lodehound" / path).is_file() or (ROOT / path).is_file(), path
        assert row[3].startswith(VERDICTS), row
        assert row[3].startswith("deviates: ") or not row[3].startswith("deviates"), row


def test_the_sums_are_right() -> None:
    head = PAGE.partition("\n## ")[0]
    sums = {name: tuple(map(int, numbers)) for name, *numbers in rows(head)}
    counted = {}
    for paper in PAPERS:
        kinds = Counter(
            next(verdict for verdict in VERDICTS if row[3].startswith(verdict))
            for row in rows(paper)
        )
        counted[paper.partition("\n")[0]] = tuple(kinds[verdict] for verdict in VERDICTS)

    assert sums == counted
