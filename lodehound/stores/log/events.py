"""The events of a journal as plain values, created from its rows."""

from __future__ import annotations

import json
import math
import sqlite3
import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields

from lodehound.core.asleep import Asleep
from lodehound.core.link import Context, Link
from lodehound.core.messages import Answer, Ask, Change, Page, Verdict
from lodehound.stores.zipped import unzipped

_to_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@dataclass(frozen=True, slots=True)
class Sleep:
    """The sleeping hosts, as changes since the event before."""

    fell: frozenset[str] = frozenset()
    woke: frozenset[str] = frozenset()
    whole: bool = False  # `fell` contains all sleeping hosts

    def apply(self, asleep: Asleep) -> None:
        if self.whole:
            asleep.become(self.fell)
        for host in self.woke:
            asleep.discard(host)
        for host in self.fell:
            asleep.add(host)


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
class RunRow:
    """One run of a crawl: its first request, version and policy."""

    first: int
    version: str
    policy: str
    seed: int
    began_at: str


@dataclass(frozen=True, slots=True)
class EstimateRow:
    """What the policy expected still to find, at one point of a crawl."""

    requests: int
    finds: int
    expected: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class FindRow:
    """One row of the catalogue."""

    number: int
    url: str  # the URL of the link
    final_url: str
    file: str  # relative to the crawl directory
    mime: str
    declared_mime: str
    bytes: int  # of the file
    size: int  # of the complete file, as far as known
    truncated: bool  # only the beginning was stored: neither hashed nor inspected
    sha256: str
    last_modified: str
    etag: str
    content_disposition: str
    fetched_at: str
    found_on: str
    page_title: str  # of that page
    anchor: str
    tag_path: str
    depth: int
    why: str
    value: float = 1.0
    label: str = ""
    details: str = ""  # JSON: further details from the target


@dataclass(frozen=True, slots=True)
class Inspected:
    """The contents of one file; several finds may share it."""

    file: str
    kind: str
    tables: int
    rows: int
    columns: int
    header: str  # JSON list
    pages: int
    statistics: int  # tables that look like statistics
    error: str
    inspection: str  # JSON: everything


def pack_links(links: Sequence[Link], source: str, depth: int) -> bytes:
    """Return links as bytes; their source and depth only if they differ from those of the page.

    A context, if there is one, follows at the end.
    """
    if not links:
        return b""
    rows = []
    for link in links:
        row: list[object] = [link.url, link.tag_path, link.anchor, link.around, link.kind]
        if link.context is not None:
            row += [link.source, link.depth, link.context]
        elif link.source != source or link.depth != depth:
            row += [link.source, link.depth]
        rows.append(row)
    # Broken pages contain lone surrogates. As escapes, two adjacent ones would be read as one
    # character; as bytes they stay separate.
    return zlib.compress(_to_json(rows).encode("utf-8", "surrogatepass"))


def unpack_links(packed: bytes, source: str, depth: int) -> tuple[Link, ...]:
    """Return the links that ``pack_links`` wrote."""
    if not packed:
        return ()
    rows = json.loads(unzipped(packed).decode("utf-8", "surrogatepass"))
    here = (source, depth)
    links = []
    for url, tag_path, anchor, around, kind, *place in rows:
        on, deep, *context = place or here
        link = Link(url, on, tag_path, anchor, around, kind, deep)
        links.append(link._replace(context=_context(*context[0])) if context else link)
    return tuple(links)


def _context(position: str, properties: list[str], siblings: list[str], declared: str) -> Context:
    return Context(position, tuple(properties), tuple(siblings), declared)


def pack_sleep(asleep: Collection[str], changed: Collection[str] | None) -> str | None:
    """Return which of the changed hosts sleep; all that do if any may have changed (None)."""
    if changed is None:
        return _to_json({"all": sorted(asleep)})
    if not changed:
        return None
    fell: list[str] = []
    woke: list[str] = []
    for host in sorted(changed):
        (fell if host in asleep else woke).append(host)
    return _to_json({"fell": fell, "woke": woke})


def storable(value: object) -> object:
    """Return a value that SQLite accepts: a text with lone surrogates becomes bytes."""
    if not isinstance(value, str) or value.isascii():
        return value
    packed = value.encode("utf-8", "surrogatepass")
    return value if packed.decode("utf-8", "ignore") == value else packed


def storable_row(values: Iterable[object]) -> list[object]:
    """Return a row that SQLite accepts."""
    row = list(values)
    for at, value in enumerate(row):
        if isinstance(value, str) and not value.isascii():
            row[at] = storable(value)
    return row


def find_of(row: sqlite3.Row) -> FindRow:
    values = {field.name: row[field.name] for field in fields(FindRow)}
    truncated, details = bool(row["truncated"]), values["details"] or ""
    return FindRow(**values | {"truncated": truncated, "details": details})


def inspected_of(row: sqlite3.Row) -> Inspected:
    return Inspected(**{name: row[name] for name in row.keys()})  # noqa: SIM118 - a Row is no mapping


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


def unpack_sleep(packed: str | None) -> Sleep:
    """Return the changes that ``pack_sleep`` wrote."""
    if not packed:
        return Sleep()
    said = json.loads(packed)
    if "all" in said:
        return Sleep(frozenset(said["all"]), whole=True)
    return Sleep(frozenset(said["fell"]), frozenset(said["woke"]))


def _number(value: float | None) -> float:
    """Return a number; SQLite stores NaN as NULL."""
    return math.nan if value is None else value
