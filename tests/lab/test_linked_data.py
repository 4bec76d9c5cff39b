"""Linked data in the lab: a recorded web of RDF, its links, its studies."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.console import Console

from lodehound.core.errors import ConfigError
from lodehound.core.link import Context
from lodehound.lab.feature_study import part, study, study_table
from lodehound.lab.race import RaceOptions, race
from lodehound.lab.tables import retrieved_table
from lodehound.stores.cache import open_site
from lodehound.stores.records import Record
from lodehound.stores.warc import write_warc

ROOT = "http://a.example/"
KNOWS = "http://v.example/knows"
PEOPLE = 40


def record(url: str, mime: str, body: str) -> Record:
    return Record(url, 200, mime, body.encode(), len(body))


@pytest.fixture
def site(tmp_path: Path) -> tuple[Path, ...]:
    """People on two hosts who know each other, each with a page that leads nowhere."""
    places = [f"http://{'ab'[n % 2]}.example/id/{n}" for n in range(PEOPLE)]
    records = [record(ROOT, "text/html", f'<a href="{places[0]}">first</a>')]
    for number, place in enumerate(places):
        following = places[(number + 1) % PEOPLE]
        page = place.replace("/id/", "/page/")
        turtle = f"<{place}> <{KNOWS}> <{following}> ; <http://v.example/page> <{page}> ."
        records += [record(place, "text/turtle", turtle), record(page, "text/html", "<p>no</p>")]
    path = tmp_path / "people.warc.gz"
    write_warc(path, records)
    return (path,)


def options(site: tuple[Path, ...], **more: object) -> RaceOptions:
    return RaceOptions(want="rdf", cache=site[0].parent / "cache", **more)  # type: ignore[arg-type]


def test_links_of_documents_are_read_when_they_are_wanted(site: tuple[Path, ...]) -> None:
    """From the recording and from what was kept of it; for other targets they are not there."""
    cache = site[0].parent / "cache"
    for _ in range(2):
        opened = open_site(site, cache=cache, reads="html+rdf")
        number = opened.number(f"{ROOT}id/0")
        first, page = opened.links(number, 5)
        assert (first.url, first.kind, first.depth) == ("http://b.example/id/1", "rdf", 5)
        assert first.context == Context("o", (KNOWS,), ())
        assert page.url == f"{ROOT}page/0"
        assert opened.links(opened.number(ROOT), 1)[0].context is None
    assert open_site(site, cache=cache).links(number, 5) == ()


def test_ldcoc_finds_all_and_pages_last(site: tuple[Path, ...]) -> None:
    runs = {r.label: r.row for r in race([site], ["bfs", "ldcoc"], options=options(site))}
    assert {row.targets_total for row in runs.values()} == {PEOPLE}
    assert runs["ldcoc"].found == PEOPLE
    assert runs["ldcoc"].requests_to_90 < runs["bfs"].requests_to_90  # type: ignore[operator]


def test_finds_at_equal_budgets(site: tuple[Path, ...]) -> None:
    """Figure 2(b): breadth first needs two requests for each find."""
    runs = list(race([site], ["bfs"], options=options(site, requests=40)))
    assert runs[0].row.retrieved == pytest.approx({"10": 5, "25": 12.5, "50": 25, "100": 50})
    assert retrieved_table(runs, runs[0].row.site).row_count == 1


def test_the_study_tells_what_tells(site: tuple[Path, ...]) -> None:
    """Figure 2(a): the URI itself tells people from pages, the referrer does not."""
    scores = study(site, options=options(site), repetitions=1)
    best = {(s.by, s.features, s.model): s.accuracy for s in scores}
    assert len(best) == 15 * 3 * 2
    assert best["URIs", "t", "svm"] == 1.0
    assert best["URIs", "r", "svm"] < 0.9
    console = Console(width=150, record=True)
    console.print(study_table("people", scores))
    assert "split by hosts" in console.export_text()


def test_hosts_are_parted_whole() -> None:
    hosts = ["a"] * 5 + ["b"] * 3 + ["c"] * 2
    for seed in range(10):
        train, test = part(hosts, "hosts", seed)
        assert sorted(train + test) == list(range(10))
        assert len(train) >= 7
        if len(test) > 1:
            assert not {hosts[i] for i in train} & {hosts[i] for i in test}
    assert len(part(hosts, "URIs", 1)[0]) == 7


def test_a_study_needs_both_kinds(tmp_path: Path) -> None:
    path = tmp_path / "pages.warc.gz"
    write_warc(path, [record(ROOT, "text/html", "<p>nothing</p>")])
    with pytest.raises(ConfigError, match="hard URIs"):
        study((path,), options=options((path,)), repetitions=1)
