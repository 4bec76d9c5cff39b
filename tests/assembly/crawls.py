"""Crawls of a tiny site, answered by hand and kept in a crawl directory."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lodehound.config import CrawlConfig
from lodehound.core.crawl import Crawl
from lodehound.core.messages import Answer, Ask
from lodehound.stores.catalogue.find_rows import FindRow
from lodehound.stores.crawl_dir import CrawlDir

ROOT = "https://s.example/"
CSV = b"year,value\n1990,1\n"
# Places and what is there: the links of a page, or the bytes of a file.
SITE: dict[str, list[str] | bytes] = {
    "": ["list", "gone", "https://data.elsewhere.example/d.csv"],
    "list": ["a.csv", "b.csv", "/"],
    "a.csv": CSV,
    "b.csv": CSV + b"2000,2\n",
}


def config_of(**options: Any) -> CrawlConfig:
    return CrawlConfig.made_of({"urls": (ROOT,), "policy": "bfs", "shortcuts": "off"} | options)


@contextmanager
def begun(folder: Path, **options: Any) -> Iterator[CrawlDir]:
    """Make the directory of a crawl with these options, and open it."""
    with CrawlDir.create(folder, config=config_of(**options).as_json(), version="1.0") as made:
        yield made


def answered(ask: Ask, site: Mapping[str, list[str] | bytes] = SITE) -> Answer:
    """Answer as the tiny site does; what it does not have is gone."""
    there = site.get(ask.url.removeprefix(ROOT))
    if there is None:
        return Answer(ask, 404, "text/html", b"gone", size=4)
    if isinstance(there, bytes):
        return Answer(ask, 200, "text/csv", there, size=len(there))
    body = "".join(f'<p><a href="{to}">{to}</a></p>' for to in there).encode()
    return Answer(ask, 200, "text/html", body, size=len(body))


def go_on(
    crawl: Crawl,
    directory: CrawlDir,
    requests: int = 100,
    site: Mapping[str, list[str] | bytes] = SITE,
) -> list[str]:
    """Make up to so many requests and keep their answers; return the places, in order."""
    places: list[str] = []
    while len(places) < requests and isinstance(ask := crawl.next(), Ask):
        choice = crawl.choice_of(ask.number)
        directory.journal.asked(ask, choice, ())
        places.append(ask.url.removeprefix(ROOT))
        answer = answered(ask, site)
        page = crawl.read(answer)
        step = crawl.receive(answer, page)
        row = find_row(directory, answer, choice.link.source) if step.found else None
        directory.answered(answer, page, step, at=float(len(places)), find=row)
    return places


def find_row(directory: CrawlDir, answer: Answer, source: str) -> FindRow:
    """Keep a file, and return its row in the catalogue."""
    body, url = answer.body, answer.ask.url
    return FindRow(
        number=answer.ask.number,
        url=url,
        final_url=url,
        file=directory.files.save(url, mime=answer.mime, body=body),
        mime=answer.mime,
        declared_mime=answer.mime,
        bytes=len(body),
        size=len(body),
        truncated=False,
        sha256=hashlib.sha256(body).hexdigest(),
        last_modified="",
        etag="",
        content_disposition="",
        fetched_at="2026-01-01T00:00:00+00:00",
        found_on=source,
        page_title="",
        anchor="",
        tag_path="",
        depth=1,
        why="",
    )
