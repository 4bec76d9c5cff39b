"""The events of a journal as plain values, created from its rows."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

from lodehound.core.link import Link
from lodehound.core.messages import Answer, Ask, Change, Page, Verdict
from lodehound.stores.database.packed import Sleep, unpack_links, unpack_sleep


@dataclass(frozen=True, slots=True)
class Asked:
    """A request was handed to the driver."""

    seq: int
    ask: Ask
    depth: int
    why: str
    probability: float
    sleep: Sleep
    asked_at: str
    group: str = ""


@dataclass(frozen=True, slots=True)
class Waited:
    """The policy was asked and had nothing to choose."""

    seq: int
    sleep: Sleep


@dataclass(frozen=True, slots=True)
class Offered:
    """Links that are not from a page."""

    seq: int
    source: str
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer. Neither it nor its page has a body any more."""

    seq: int
    answer: Answer
    page: Page
    verdict: Verdict  # of a GET; a HEAD never finds anything
    new_links: int
    declared_mime: str
    at: float
    fetched_at: str
    change: Change = "new"


Event = Asked | Waited | Offered | Answered


@dataclass(frozen=True, slots=True)
class EstimateRow:
    """What the policy expected still to find, at one point of a crawl."""

    requests: int
    finds: int
    expected: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class PageRequestRow:
    """One request that a rendered page made, or wanted to make."""

    page: int
    url: str
    type: str
    status: int
    mime: str
    size: int
    sent: bool
    error: str
    at: float


def event_of(table: str, row: sqlite3.Row, waiting: Mapping[int, Asked]) -> Event:
    """Return the event of a row; an answer needs its ask, which came before."""
    seq = row["seq"]
    if table == "asks":
        return _asked(row)
    if table == "waits":
        return Waited(seq, unpack_sleep(row["asleep"]))
    if table == "offers":
        source = row["source"]
        return Offered(seq, source, unpack_links(row["links"], source, 0))
    asked = waiting[row["number"]]
    return Answered(
        seq,
        _answer(row, asked.ask),
        _page(row, asked),
        Verdict(
            bool(row["found"]),
            _number(row["value"]),
            row["label"],
            row["details"] or "",
        ),
        row["new_links"],
        row["declared_mime"],
        row["at"],
        row["fetched_at"],
        row["change"] or "new",
    )


def _asked(row: sqlite3.Row) -> Asked:
    ask = Ask(row["number"], row["url"], row["method"], row["source"])
    return Asked(
        row["seq"],
        ask,
        row["depth"],
        row["why"],
        _number(row["probability"]),
        unpack_sleep(row["asleep"]),
        row["asked_at"],
        row["crawl_group"],
    )


def _answer(row: sqlite3.Row, ask: Ask) -> Answer:
    return Answer(
        ask,
        row["status"],
        row["mime"],
        size=row["size"],
        location=row["location"],
        charset=row["charset"],
        error=row["error"],
        cut=bool(row["cut"]),
        tries=row["tries"],
        sent=bool(row["sent"]),
        headers={
            name: row[column]
            for name, column in (("etag", "etag"), ("last-modified", "modified"))
            if row[column] is not None
        },
    )


def _page(row: sqlite3.Row, asked: Asked) -> Page:
    url = row["url"]
    return Page(
        url,
        asked.ask.method,
        row["status"],
        row["mime"],
        links=unpack_links(row["links"] or b"", url, asked.depth + 1),
        moved=row["moved"],
        title=row["title"],
        digest=row["digest"] or "",
    )


def _number(value: float | None) -> float:
    """Return a number; SQLite stores NaN as NULL."""
    return math.nan if value is None else value
