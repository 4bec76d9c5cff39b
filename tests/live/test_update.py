"""lodehound update: further rounds of a crawl of a site that changes."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from lodehound.sites import ChangingSite
from lodehound.sites.server import SiteServer
from lodehound.stores.records import Record
from tests.live import Crawled, crawl, query, run

SITE = {"months": 4, "archive": 3, "tables": 1}
HASTE = ("--delay", 0, "--no-inspect", "--quiet")


@pytest.fixture
def server() -> Iterator[SiteServer]:
    with SiteServer() as server:
        yield server


def month(server: SiteServer, number: int) -> list[Record]:
    """Return the site as it is in a month."""
    site = ChangingSite(host=server.url, **SITE)
    latest = {one.url: one for one in site.records() if one.date <= site.date(number)}
    return list(latest.values())


def served(server: SiteServer, records: list[Record]) -> dict[str, str]:
    """Serve a site from now on; return the digests of its files."""
    server.serve(records)
    files = [one for one in records if one.status == 200 and "html" not in one.content_type]
    return {one.url: hashlib.sha256(one.body).hexdigest() for one in files}


def update(out: Path, *words: object) -> Crawled:
    return run("update", out, "--quiet", *words, out=out)


def asked(server: SiteServer, since: int) -> Counter[str]:
    """Count what was asked for, by path, robots.txt left out."""
    return Counter(one.path for one in server.log[since:] if one.path != "/robots.txt")


def on_disk(done: Crawled) -> dict[str, str]:
    """The digests of the files on disk, by URL."""
    rows = query(done.path, "SELECT final_url, file FROM finds")
    return {url: hashlib.sha256((done.path / file).read_bytes()).hexdigest() for url, file in rows}


def test_an_update_has_the_newest_version_of_every_file(server: SiteServer, tmp_path: Path) -> None:
    """What did not change is not sent again; each URL is asked for once."""
    out = tmp_path / "crawl"
    served(server, month(server, 0))
    crawl(server.url, "--no-inspect", "--quiet", out=out)
    before = len(server.log)
    files = served(server, month(server, 1))

    done = update(out)

    assert (done.code, done.said) == (0, "")
    assert done.finds == on_disk(done) == files
    assert max(asked(server, before).values()) == 1
    changes = query(out, "SELECT change, count(*) FROM contents WHERE number > 20 GROUP BY 1")
    wanted = len(ChangingSite(host=server.url, **SITE).news(1))
    found = query(out, "SELECT count(*) FROM finds JOIN contents USING (number) WHERE number > 20")
    assert (found, dict(changes)["new"]) == ([(wanted,)], 1)
