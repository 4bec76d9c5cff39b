"""One live request passes each room once, in order: docs/architecture.md draws them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from lodehound.assembly import build as assembly
from lodehound.config import CrawlConfig
from lodehound.core.crawl import Crawl
from lodehound.drivers.live import receiving, session
from lodehound.drivers.live.assemble import prepare
from lodehound.drivers.live.fetch import Fetcher
from lodehound.drivers.live.run import run_crawl
from lodehound.policies.bfs import Bfs
from lodehound.sites.server import SiteServer
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.log.journal import Journal
from lodehound.stores.records import Record
from lodehound.targets.files import Files
from lodehound.version import VERSION


@pytest.fixture
def url() -> Iterator[str]:
    records = [
        Record("http://s.example/", 200, "text/html", b'<a href="/pop.csv">population</a>'),
        Record("http://s.example/pop.csv", 200, "text/csv", b"year,people\n2020,1\n"),
    ]
    with SiteServer(records) as server:
        yield server.url


class Spy:
    """Notes, at every door, what goes in and what comes out for one URL."""

    def __init__(self, url: str, patch: pytest.MonkeyPatch) -> None:
        self.url = url
        self.patch = patch
        self.rooms: list[str] = []

    def watch(self, room: Any, name: str) -> None:
        """Note every call of a function that is about our URL, after it has returned."""
        inner: Callable[..., Any] = getattr(room, name)
        owner = getattr(room, "__name__", "").rpartition(".")[2]

        def noted(*args: Any, **options: Any) -> Any:
            result = inner(*args, **options)
            if self.url in repr((args[1:] if result is None else args, result)):
                given = "" if result is not None else f"({type(args[1]).__name__})"
                brought = "" if result is None else f" -> {type(result).__name__}"
                self.rooms.append(f"{owner}.{name}{given}{brought}")
            return result

        self.patch.setattr(room, name, noted)

    def watch_fetch(self) -> None:
        inner = Fetcher.fetch

        async def noted(fetcher: Fetcher, url: str, **options: Any) -> Any:
            reply = await inner(fetcher, url, **options)
            if url == self.url:
                self.rooms.append(f"Fetcher.fetch -> {type(reply).__name__}")
            return reply

        self.patch.setattr(Fetcher, "fetch", noted)


def test_the_rooms_of_one_live_request(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Chosen, asked, written down, fetched, read, judged, learned, counted, committed."""
    spy = Spy(f"{url}pop.csv", monkeypatch)
    spy.watch(Bfs, "choose")
    spy.watch(Crawl, "next")
    spy.watch(Journal, "asked")
    spy.watch(session.Session, "next_task")
    spy.watch_fetch()
    spy.watch(receiving, "answer_of")
    spy.watch(assembly, "read_page")
    spy.watch(Files, "judge")
    spy.watch(Bfs, "learn")
    spy.watch(Crawl, "receive")
    spy.watch(CrawlDir, "answered")

    config = prepare(CrawlConfig(urls=(url,), policy="bfs", delay=0.0, inspect=False))
    with CrawlDir.create(tmp_path / "c", config=config.as_json(), version=VERSION) as directory:
        ending = run_crawl(config, directory, resumed=False)

    assert ending.reason == "exhausted"
    offered = spy.rooms.index("Bfs.choose -> Choice")  # before: read on the page that shows it
    assert spy.rooms[offered:] == [
        "Bfs.choose -> Choice",
        "Crawl.next -> Ask",
        "Journal.asked(Ask)",
        "Session.next_task -> Life",
        "Fetcher.fetch -> Reply",
        "receiving.answer_of -> Answer",
        "build.read_page -> Page",
        "Files.judge -> Verdict",
        "Bfs.learn(Outcome)",
        "Crawl.receive -> Step",
        "CrawlDir.answered(Answer)",
    ]
