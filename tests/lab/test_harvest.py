"""The Anthelion paper's measures: the share of relevant pages, and Table 1."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from lodehound.core.errors import ConfigError
from lodehound.lab.classifiers import study, study_table
from lodehound.lab.curves import write_curves
from lodehound.lab.metrics import Meter
from lodehound.lab.race import RaceOptions, race
from lodehound.lab.tables import harvest_table
from lodehound.stores.records import Record
from lodehound.stores.warc import write_warc

MARKED = b'<div itemscope itemtype="http://schema.org/Dataset"><b itemprop="name">x</b></div>'
ROOT = "https://directory.example/"


@pytest.fixture
def recorded(tmp_path: Path) -> tuple[Path, ...]:
    """Four hosts of twelve pages each; those of two hosts are all relevant."""

    def page(url: str, *links: str, marked: bool = False) -> Record:
        body = b"".join(f'<a href="{link}">x</a>'.encode() for link in links)
        body += MARKED if marked else b""
        return Record(url, 200, "text/html", body, len(body))

    pages = [page(ROOT, *(f"https://h{h}.example/" for h in range(4)))]
    for host in range(4):
        place, kind = f"https://h{host}.example/", "data" if host % 2 else "blog"
        inner = [f"{place}{kind}/{i}" for i in range(11)]
        marked = bool(host % 2)
        pages += [page(place, *inner, marked=marked), *(page(u, marked=marked) for u in inner)]
    path = tmp_path / "web.warc.gz"
    write_warc(path, pages)
    return (path,)


def test_shares_of_a_budget() -> None:
    """Ten requests, the first four of them finds: 1, 1, 4/5 and 4/10 of the parts.

    Six of them brought pages.
    """
    meter = Meter()
    meter.found.extend([1, 1, 1, 1, 0, 0, 0, 0, 0, 0])
    meter.pages.extend([1, 1, 1, 1, 0, 0, 0, 0, 1, 1])
    meter.sizes.extend([0] * 10)
    assert meter.harvest(10) == {"10": 1.0, "25": 1.0, "50": 0.8, "100": 0.4}
    assert meter.harvest(100)["100"] == 0.4  # it had no more to fetch
    assert meter.precision(10) == {"10": 1.0, "25": 1.0, "50": 1.0, "100": 4 / 6}
    assert meter.curve()["share"][-1] == 40


def test_a_race_for_markup(recorded: tuple[Path, ...], tmp_path: Path) -> None:
    """Hosts are learned: Anthelion's first half is richer than a breadth-first one."""
    options = RaceOptions(want="markup", cache=tmp_path, measure="harvest", curves=True)
    policies = ["bfs", "anthelion:explore=0", "random-host"]
    runs = list(race([recorded], policies, seeds=2, options=options))
    rows = {(run.label, run.row.seed): run.row for run in runs}
    bfs, learned = rows["bfs", 0], rows["anthelion:explore=0", 1]
    assert (bfs.requests_total, bfs.targets_total) == (49, 24)
    assert bfs.harvest["100"] == learned.harvest["100"] == 24 / 49
    assert learned.harvest["50"] > 0.8 > bfs.harvest["50"]
    assert learned.precision == learned.harvest  # every request brings a page
    assert all(run.row.choose_ms > 0 for run in runs)

    console = Console(width=120, record=True, file=StringIO())
    console.print(harvest_table(runs, recorded[0].name))
    assert "24 finds, 49 requests" in console.export_text()
    write_curves(tmp_path / "curves.svg", runs, measure="harvest")
    assert (tmp_path / "curves.svg").stat().st_size > 1000


def test_site_scope_stays_on_the_site(recorded: tuple[Path, ...], tmp_path: Path) -> None:
    options = RaceOptions(want="markup", scope="site", cache=tmp_path)
    (run,) = race([recorded], ["bfs"], options=options)
    assert run.row.requests_total == 1


def test_static_classifiers_in_a_race(recorded: tuple[Path, ...], tmp_path: Path) -> None:
    """Trained on the whole web they know which tokens are good."""
    options = RaceOptions(want="markup", cache=tmp_path, measure="harvest")
    (run,) = race([recorded], ["online:static=nb,train=49,features=a"], options=options)
    assert run.row.harvest["50"] > 0.75


def test_table_1(recorded: tuple[Path, ...], tmp_path: Path) -> None:
    """Six lines; tokens of these URLs tell all, so that set a is right nearly always."""
    options = RaceOptions(want="markup", cache=tmp_path)
    lines = study(recorded, options=options, repetitions=2)
    by_kind = {(line.model, line.features): line.accuracy for line in lines}
    assert len(by_kind) == 6
    assert by_kind["nb", "a"] > 0.7
    assert study_table("web.warc.gz", lines).row_count == 6


def test_a_study_needs_both_kinds(recorded: tuple[Path, ...], tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="nothing to learn"):
        study(recorded, options=RaceOptions(want="markup:rdfa", cache=tmp_path), repetitions=1)


def test_files_cost_a_race_for_markup_nothing(tmp_path: Path) -> None:
    """A page that links to files only: no policy asks for one of them."""
    links = b"".join(f'<a href="{n}.pdf">x</a><a href="{n}.txt">x</a>'.encode() for n in range(9))
    path = tmp_path / "files.warc.gz"
    write_warc(path, [Record(ROOT, 200, "text/html", links + MARKED)])
    options = RaceOptions(want="markup", cache=tmp_path)

    rows = [run.row for run in race([(path,)], ["bfs", "anthelion"], options=options)]

    assert [(row.requests, row.found, row.requests_total) for row in rows] == [(1, 1, 1)] * 2


def test_accuracy_of_a_page_classifier(recorded: tuple[Path, ...], tmp_path: Path) -> None:
    """Figure 3: tokens of these URLs tell all, so most of the 49 pages are predicted rightly."""
    options = RaceOptions(want="markup", cache=tmp_path, accuracy=True)
    online, bfs = race([recorded], ["online:features=a", "bfs"], options=options)

    assert online.accuracy["pages"] == list(range(1, 50))
    assert 0.7 < online.accuracy["accuracy"][-1] < 1
    assert bfs.accuracy == {}
