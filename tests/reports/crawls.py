"""Small crawls to look back at, made once for all tests of a session."""

from __future__ import annotations

import html
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from lodehound.cli import main
from lodehound.sites import StatsOffice
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.log.crawl_reader import CrawlReader, Shown
from lodehound.stores.records import Record
from lodehound.stores.warc import write_warc

ROOT = "https://s.example/"
SCRIPT = "<script>alert('title')</script>"
IMAGE = "</script><!--<img src=https://evil.example/x onerror=alert(1)>\u2028"
TURNED = "invoice\u202efdp.exe\x1b[31m"


def page(path: str, *links: str | tuple[str, str], title: str = "") -> Record:
    """A page; a link is a place, or a place and its words."""
    pairs = [(link, link) if isinstance(link, str) else link for link in links]
    anchors = "".join(f'<p><a href="{to}">{html.escape(words)}</a></p>' for to, words in pairs)
    head = f"<title>{html.escape(title or path or 'Home')}</title>"
    return Record(ROOT + path, 200, "text/html; charset=utf-8", f"{head}{anchors}".encode())


def csv(path: str) -> Record:
    rows = "".join(f"{year},{year * 3}\n" for year in range(1990, 2020))
    return Record(ROOT + path, 200, "text/csv", f"year,value\n{rows}".encode())


def nasty() -> list[Record]:
    """A site with everything that is skipped, and words that are meant to run."""
    return [
        page("", ("list", TURNED), "gone", "photo.jpg", "https://other.example/", "a/a/a/a", "pic"),
        page("list", ("a.csv", IMAGE), "moved", "secret/x", "/", "film", title=SCRIPT),
        csv("a.csv"),
        Record(ROOT + "moved", 301, "", b"", location="/b.csv"),
        csv("b.csv"),
        Record(ROOT + "film", 302, "", b"", location="/film.mp4"),
        Record(ROOT + "pic", 200, "image/png", b"\x89PNG\r\n\x1a\n" + b"0" * 99),
        Record(ROOT + "secret/x", 200, "text/html", b"<title>x</title>"),
    ]


def crawl(folder: Path, records: Iterable[Record], *options: object) -> Path:
    """Crawl a recording by the command line; return the crawl directory."""
    recording, out = folder / "site.warc.gz", folder / "crawl"
    write_warc(recording, records)
    run("crawl", "--replica", recording, "--out", out, "--quiet", *options)
    return out


def run(*words: object) -> None:
    """Run a command that must succeed."""
    with (
        mock.patch.object(sys, "argv", ["lodehound", *map(str, words)]),
        pytest.raises(SystemExit) as stop,
    ):
        main()
    assert stop.value.code == 0


def crawl_nasty(folder: Path) -> Path:
    return crawl(folder, nasty(), "--policy", "bfs", "--exclude", "*/secret/*")


def crawl_office(folder: Path, *options: object) -> Path:
    """Crawl a statistics office until 150 requests are spent, learning."""
    records = StatsOffice(pages=150, files=30, redirects=6, host=ROOT).records()
    return crawl(folder, records, "--policy", "sb-classifier:b=8", "--requests", 150, *options)


@contextmanager
def opened(folder: Path) -> Iterator[tuple[CrawlDir, CrawlReader]]:
    with CrawlDir.open(folder, write=False) as directory, CrawlReader(folder) as look:
        yield directory, look


class Told(CrawlReader):
    """A journal that says what it is told to say.

    Args:
        rows: The answer to every question.
        shown: The links of pages.
    """

    def __init__(self, rows: list[dict[str, Any]], shown: Iterable[Shown] = ()) -> None:
        self.told = rows
        self.told_links = list(shown)

    def rows(self, statement: str, *values: object) -> Iterator[Any]:
        return iter(self.told)

    def shown(self, holding: str = "") -> Iterator[Shown]:
        return iter(self.told_links)
