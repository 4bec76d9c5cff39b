"""Recording a site over HTTP: the lab sees the recording as it sees the site."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from lodehound.sites.server import SiteServer
from lodehound.stores.left_out import left_out
from lodehound.stores.records import Record
from tests.helpers import file, page
from tests.live import Crawled, paths, refusing, run, start, wait_for
from tests.live.replicas import HASTE, office, refused, responses, served, tear, totals


@pytest.fixture
def site(tmp_path: Path) -> Iterator[tuple[SiteServer, Path]]:
    with served(tmp_path) as both:
        yield both


def record(server: SiteServer, out: Path, *words: object) -> Crawled:
    return run("record", server.url, "--out", out, *HASTE, *words)


def beside(out: Path) -> list[str]:
    """Return the names of the recording and of everything that belongs to it."""
    name = out.name.partition(".")[0]
    return sorted(entry.name for entry in out.parent.iterdir() if entry.name.startswith(name))


def test_a_recording_is_the_site(site: tuple[SiteServer, Path], tmp_path: Path) -> None:
    """Every response once, the root first, robots.txt too; the lab's totals are the same."""
    server, generated = site
    out = tmp_path / "site.warc.gz"
    done = record(server, out)

    assert done.code == 0
    assert "every link was followed" in done.out
    assert totals(out) == totals(generated)
    kept = [one.url for one in responses(out)]
    assert kept[0] == server.url
    assert Counter(kept) == Counter(
        f"{server.url}{entry.path.removeprefix('/')}" for entry in server.log
    )
    assert beside(out) == ["site.warc.gz"]


def test_killed_and_continued_by_the_same_command(
    site: tuple[SiteServer, Path], tmp_path: Path
) -> None:
    """Half a record is cut off, nothing is missing, and only what was in flight is asked twice."""
    server, generated = site
    out = tmp_path / "site.warc.gz"
    words = ("record", server.url, "--out", out, "--delay", 0.01, "--quiet")
    with start(*words) as child:
        wait_for(lambda: len(paths(server.log)) >= 30)
        child.kill()
    assert beside(out) == ["site.warc.gz", "site.warc.gz.crawl"]
    tear(out)
    done = run(*words)

    assert (done.code, done.said) == (0, "")
    assert totals(out) == totals(generated)
    assert beside(out) == ["site.warc.gz"]
    asked = Counter(paths(server.log))
    assert sum(count - 1 for count in asked.values()) <= 1


def test_a_budget_and_then_more(
    site: tuple[SiteServer, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What was not reached is no dead link to the lab; a larger budget continues."""
    server, generated = site
    out = tmp_path / "site.warc.gz"
    first = record(server, out, "--requests", 30)

    assert first.code == 0
    assert "the same command" in first.out
    assert totals(out)[0] == 30
    assert beside(out) == ["site.cut.txt.gz", "site.warc.gz", "site.warc.gz.crawl"]
    assert not left_out(out) & {one.url for one in responses(out)}
    same = ("record", server.url, "--out", out)
    assert "max_depth = None" in refused(monkeypatch, capsys, *same, "--max-depth", 1)
    by_policy = ("resume", f"{out}.crawl", "--policy", "dfs")
    assert "made breadth first" in refused(monkeypatch, capsys, *by_policy)

    assert run("resume", f"{out}.crawl", "--requests", "+1000", "--quiet").code == 0
    assert totals(out) == totals(generated)
    assert beside(out) == ["site.warc.gz"]
    assert "is there already" in refused(monkeypatch, capsys, *same)


def test_what_may_not_be_asked_for_is_left_out(tmp_path: Path) -> None:
    """Disallowed, excluded, too deep: not asked for, not recorded, and no dead links either."""
    with SiteServer() as server:
        records = {
            "": page("a", "private/x", "b.csv"),
            "robots.txt": Record("", 200, "text/plain", b"User-agent: *\nDisallow: /private"),
            "a": page("c"),
            "b.csv": file(),
        }
        server.serve(
            Record(server.url + at, one.status, one.content_type, _for(server, one))
            for at, one in records.items()
        )
        out = tmp_path / "site.warc.gz"
        done = record(server, out, "--exclude", "*.csv", "--max-depth", 1)

        assert done.code == 0
        assert paths(server.log) == ["/", "/a"]
        assert [one.url.removeprefix(server.url) for one in responses(out)] == [
            "",
            "robots.txt",
            "a",
        ]
        left = {url.removeprefix(server.url) for url in left_out(out)}
        assert left == {"private/x", "b.csv", "c"}
        assert totals(out)[:2] == (2, 0)


def _for(server: SiteServer, record: Record) -> bytes:
    return record.body.replace(b"https://s.example/", server.url.encode())


def test_nothing_reachable_leaves_nothing(tmp_path: Path) -> None:
    """So that the same command can be tried again."""
    out = tmp_path / "site.warc.gz"
    with refusing() as url:
        done = run("record", url, "--out", out, *HASTE, "--retries", 0)

    assert done.code == 3
    assert beside(out) == []


def test_a_recording_has_the_ending_of_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("record", office().host, "--out", tmp_path / "site.warc")

    assert "--out site.warc.gz" in refused(monkeypatch, capsys, *words)
    assert list(tmp_path.iterdir()) == []
