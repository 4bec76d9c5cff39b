"""Further rounds of a crawl that only catalogues: its datasets are new, changed and gone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest

from lodehound.sites import CkanPortal
from lodehound.sites.server import SiteServer
from lodehound.stores.records import Record
from tests.live import Crawled, crawl, run

PAGES = 1000  # datasets in an answer of the API


@pytest.fixture
def server() -> Iterator[SiteServer]:
    with SiteServer() as server:
        yield server


def serve(server: SiteServer, names: list[int], changed: int | None = None) -> None:
    """Serve a portal with these datasets, in this order."""
    portal = CkanPortal(1, host=server.url)

    def get(place: str) -> Record:
        record = portal.get(place)
        if "/package_search" not in place:
            return record
        query = dict(parse_qsl(urlsplit(place).query))
        start, rows = int(query.get("start", "0")), min(int(query.get("rows", "10")), PAGES)
        results = [portal._package(number) for number in names[start : start + rows]]
        for one in results:
            if one["name"] == f"dataset-{changed}":
                one["notes"] = "Corrected."
        found = {"success": True, "result": {"count": len(names), "results": results}}
        body = json.dumps(found).encode()
        return replace(record, body=body, size=len(body))

    server.serve(get)


def update(out: Path, *words: object) -> Crawled:
    return run("update", out, "--delay", 0, *words, out=out)


def titles(out: Path, *words: object) -> list[str]:
    return [line.rpartition("\t")[2] for line in run("list", out, *words).out.splitlines()]


def test_datasets_are_new_changed_and_gone(server: SiteServer, tmp_path: Path) -> None:
    out = tmp_path / "crawl"
    serve(server, list(range(20)))
    assert crawl(server.url, "--metadata-only", out=out).code == 0
    serve(server, [*range(3, 20), 20, 21], changed=5)
    done = update(out, "--exit-code")
    assert done.code == 7
    said = [" ".join(line.split()) for line in done.out.splitlines()]
    assert {"new 2 datasets", "changed 1 dataset", "gone 3 datasets"} <= set(said)
    assert titles(out, "--new") == ["Dataset 20", "Dataset 21"]
    assert titles(out, "--changed") == ["Dataset 5"]
    assert titles(out, "--gone") == ["Dataset 0", "Dataset 1", "Dataset 2"]
    assert titles(out, "--gone", "--sort", "title", "--reverse")[0] == "Dataset 2"
    assert len(titles(out)) == 19
    assert len(titles(out, "--new", "--round", 1)) == 17 + 0  # those that are still there
    gone = [json.loads(line) for line in run("list", out, "--gone", "--json").out.splitlines()]
    assert [bool(one["gone_at"]) for one in gone] == [True] * 3
    report = json.loads(run("report", out, "--round", 2, "--json").out)
    assert [len(report[name]) for name in ("new", "changed", "gone")] == [2, 1, 3]
    assert (report["unit"], report["changed"][0]["file"]) == ("dataset", "")


def test_what_did_not_change_is_no_news(server: SiteServer, tmp_path: Path) -> None:
    out = tmp_path / "crawl"
    serve(server, list(range(20)))
    crawl(server.url, "--metadata-only", out=out)
    for order in (list(range(20)), list(range(19, -1, -1))):
        serve(server, order)
        done = update(out, "--exit-code")
        assert (done.code, " ".join(done.out.split()).count(" 0 datasets")) == (0, 3)
        assert titles(out, "--new") == titles(out, "--gone") == []


def test_a_dataset_on_another_page_of_the_api_is_not_gone(
    server: SiteServer, tmp_path: Path
) -> None:
    """A new one at the front moves all others; the last of a page is on the next."""
    out, many = tmp_path / "crawl", list(range(PAGES + 50))
    serve(server, many)
    crawl(server.url, "--metadata-only", out=out)
    serve(server, [5000, *many])
    update(out)
    assert (titles(out, "--new"), titles(out, "--gone")) == (["Dataset 5000"], [])
    serve(server, many)
    update(out)
    assert (titles(out, "--new"), titles(out, "--gone")) == ([], ["Dataset 5000"])
    serve(server, [5000, *many])
    update(out)
    assert titles(out, "--new") == ["Dataset 5000"]
    assert titles(out, "--gone", "--round", 3) == ["Dataset 5000"]
