"""Targets that look into pages, on recorded sites: judged once, then kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from lodehound.core.errors import ContractError
from lodehound.core.messages import Page, Verdict
from lodehound.core.target import Target
from lodehound.drivers.replay import replay
from lodehound.lab.race import RaceOptions, race
from lodehound.policies.bfs import Bfs
from lodehound.stores.cache import open_site
from lodehound.stores.records import Record
from lodehound.stores.verdicts import judged
from lodehound.stores.warc import write_warc

ROOT = "https://a.example/"
JUDGED: list[str] = []


class Words(Target):
    """Pages that hold a word; worth its count."""

    needs_body = True

    def judge(self, page: Page) -> Verdict:
        JUDGED.append(page.url)
        count = page.body.count(b"ore") if page.ok else 0
        return Verdict(count > 0, float(count), "ore" if count else "", '{"of": "it"}')


@pytest.fixture
def recorded(tmp_path: Path) -> list[Path]:
    JUDGED.clear()
    pages = {
        "": b"<a href=1>1</a><a href=2>2</a><a href=3>3</a>",
        "1": b"ore and ore",
        "2": b"nothing <a href=gone>x</a>",
    }
    html = [Record(ROOT + name, 200, "text/html", body, len(body)) for name, body in pages.items()]
    redirect = Record(ROOT + "3", 301, location="/4")
    path = tmp_path / "site.warc.gz"
    write_warc(path, [*html, redirect, Record(ROOT + "4", 404, "text/html", b"ore", 3)])
    return [path]


def test_pages_are_judged_by_their_bodies(recorded: list[Path], tmp_path: Path) -> None:
    """Value, label and details reach the steps; what failed or is absent is no find."""
    site = open_site(recorded, cache=tmp_path)
    target = judged(recorded, site, Words(), written="words", cache=tmp_path)
    _, steps = replay(site, policy=Bfs(), target=target)
    found = {s.url: (s.value, s.label, s.details) for s in steps if s.found}
    assert found == {ROOT + "1": (2.0, "ore", '{"of": "it"}')}


def test_bodies_are_read_once(recorded: list[Path], tmp_path: Path) -> None:
    """The second time nothing is judged, unless it is written otherwise or has changed."""
    site = open_site(recorded, cache=tmp_path)
    counts = []
    for written, version in [("words", 0), ("words", 0), ("words:x", 0), ("words", 7)]:
        JUDGED.clear()
        made: type[Target] = type("Words", (Words,), {"version": version})
        judged(recorded, site, made(), written=written, cache=tmp_path)
        counts.append(len(JUDGED))
    assert counts == [5, 0, 5, 5]


def test_a_spoilt_file_is_judged_anew(recorded: list[Path], tmp_path: Path) -> None:
    site = open_site(recorded, cache=tmp_path)
    judged(recorded, site, Words(), written="words", cache=tmp_path)
    for kept in tmp_path.glob("*.verdicts"):
        kept.write_bytes(kept.read_bytes()[:100])
    JUDGED.clear()
    judged(recorded, site, Words(), written="words", cache=tmp_path)
    assert len(JUDGED) == 5


def test_replay_refuses_what_it_cannot_judge(recorded: list[Path], tmp_path: Path) -> None:
    with pytest.raises(ContractError, match="Words needs the bodies of pages"):
        replay(open_site(recorded, cache=tmp_path), policy=Bfs(), target=Words())


def test_a_race_with_such_a_target(recorded: list[Path], tmp_path: Path) -> None:
    """The truth counts what the bodies hold, and policies that are told it go straight there."""
    options = RaceOptions(want="tests.stores.test_verdicts:Words", cache=tmp_path)
    rows = [run.row for run in race([tuple(recorded)], ["bfs", "omniscient"], options=options)]
    assert [(row.targets_total, row.found, row.requests_to_90) for row in rows] == [
        (1, 1, 2),
        (1, 1, 1),
    ]
