"""A server that goes away in the middle of a crawl, and comes back."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from lodehound.sites.server import SiteServer
from tests.live import ENDLESS, crawl_words, query, resume, start, wait_for
from tests.live.office import open_office


def silence(server: SiteServer, child: subprocess.Popen[str]) -> int:
    """Take the server away once a third of the crawl is done; return its exit code."""
    wait_for(lambda: len(server.log) > 40)
    server.close()
    child.communicate(timeout=ENDLESS)
    return child.returncode


@pytest.mark.serial
def test_a_site_that_falls_silent_keeps_all_its_links(tmp_path: Path) -> None:
    """Code 6 while it is away; when it is back, resume brings what an undisturbed crawl finds."""
    out = tmp_path / "crawl"
    with open_office(pages=60, files=20) as office:
        url = office.server.url
        words = crawl_words(url, out=out, policy="bfs", delay=0.01, backoff=0.001, retries=0)
        with start(*words) as child:
            first = silence(office.server, child)
        [(before,)] = query(out, "SELECT count(*) FROM finds")
        away = resume(out)
        ends = [query(out, "SELECT value FROM meta WHERE key = 'ended'")]
        with SiteServer(office.records, port=int(url.rstrip("/").rpartition(":")[2])):
            back = resume(out)
        ends += [query(out, "SELECT value FROM meta WHERE key = 'ended'")]
        wanted = office.replayed()[1]
    assert (first, away.code, back.code) == (6, 6, 0)
    assert ends == [[("unreachable",)], [("exhausted",)]]
    assert before < len(wanted)
    assert back.finds == wanted
    assert query(out, "SELECT count(*) FROM answers WHERE error <> ''") == [(0,)]
