"""The journal of a crawl: what happened, event by event. Events are only appended."""

from __future__ import annotations

import heapq
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from dataclasses import astuple
from datetime import UTC, datetime

from lodehound.core.asleep import Changes
from lodehound.core.errors import ContractError
from lodehound.core.link import Link
from lodehound.core.messages import IGNORED_ENCODING, Answer, Ask, Change, Choice, Page, Step
from lodehound.core.urls import host_of
from lodehound.stores.database.connect import storable, storable_row
from lodehound.stores.database.crawl_database import CrawlDatabase
from lodehound.stores.database.packed import pack_links, pack_sleep
from lodehound.stores.log.events import (
    Answered,
    Asked,
    EstimateRow,
    Event,
    PageRequestRow,
    event_of,
)
from lodehound.stores.repair.damage import blame_damage

ROWS = 500  # read at a time: rows with links are large

ANSWER = (
    "seq", "number", "url", "status", "mime", "declared_mime", "size", "location", "moved",
    "charset", "error", "cut", "tries", "sent", "found", "value", "label", "new_links", "at",
    "fetched_at", "links", "details", "title",
)  # fmt: skip
NEW_ASK = "INSERT INTO asks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
NEW_WAIT = "INSERT INTO waits VALUES (?, ?)"
NEW_OFFER = "INSERT INTO offers VALUES (?, ?, ?)"
NEW_ANSWER = f"INSERT INTO answers ({', '.join(ANSWER)}) VALUES ({', '.join('?' * len(ANSWER))})"  # noqa: S608 - our own names
NEW_CONTENT = "INSERT INTO contents VALUES (?, ?, ?, ?, ?)"
NEW_ENCODING = "INSERT INTO ignored_encodings VALUES (?, ?)"
NEW_ESTIMATE = "INSERT OR IGNORE INTO estimates VALUES (?, ?, ?, ?, ?)"
NEW_PAGE_REQUEST = """
    INSERT INTO page_requests (page, url, type, status, mime, size, sent, error, at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"""
LAST_SEQ = """
    SELECT max(seq) FROM (
        SELECT max(seq) AS seq FROM asks UNION ALL SELECT max(seq) FROM answers
        UNION ALL SELECT max(seq) FROM waits UNION ALL SELECT max(seq) FROM offers
    )"""
EVENTS = {
    "asks": "SELECT * FROM asks WHERE seq > ? ORDER BY seq LIMIT ?",
    "waits": "SELECT * FROM waits WHERE seq > ? ORDER BY seq LIMIT ?",
    "offers": "SELECT * FROM offers WHERE seq > ? ORDER BY seq LIMIT ?",
    "answers": """SELECT * FROM answers LEFT JOIN contents USING (number)
        WHERE seq > ? ORDER BY seq LIMIT ?""",
}
TITLE = "SELECT title FROM answers WHERE url = ? AND title <> '' LIMIT 1"
ANSWERED_URLS = "SELECT url FROM answers WHERE status > 0"
VALUES = "SELECT found, value FROM answers WHERE sent ORDER BY seq"


class Journal:
    """The events of a crawl. What is written is committed with the next answer.

    Args:
        database: Where they are.
    """

    def __init__(self, database: CrawlDatabase) -> None:
        self._database = database
        self._seq = 0
        self._changes = Changes()  # recorded changes of the sleeping hosts

    # --- writing ------------------------------------------------------------------------------

    def asked(self, ask: Ask, choice: Choice, asleep: Collection[str]) -> None:
        """Record a request."""
        row = (
            ask.number, ask.url, ask.method, ask.source, choice.link.depth,
            choice.why, choice.probability, self._sleep(asleep), now(), choice.group,
        )  # fmt: skip
        self._append(NEW_ASK, row)

    def waited(self, asleep: Collection[str]) -> None:
        """Record that the policy had nothing to choose.

        Only if the policy was asked. While a budget limits the crawl, the policy is not asked; a
        wait recorded then would be wrong once the budget is larger.
        """
        self._append(NEW_WAIT, (self._sleep(asleep),))

    def offered(self, source: str, links: Sequence[Link]) -> None:
        """Record links that are not from a page."""
        self._append(NEW_OFFER, (source, pack_links(links, source, 0)))

    def answered(
        self, answer: Answer, page: Page, step: Step, *, at: float, change: Change
    ) -> None:
        """Record an answer.

        Args:
            answer: The answer as the crawl received it.
            page: The page of the answer.
            step: The step that the crawl returned for it.
            at: Seconds since the crawl started.
            change: How it compares with what was there before.
        """
        number = answer.ask.number
        with self._database.writing() as db:
            self._append(NEW_ANSWER, _answer_row(answer, page, step, at))
            if ignored := answer.headers.get(IGNORED_ENCODING):
                db.execute(NEW_ENCODING, (number, storable(ignored)))
            if answer.sent and answer.ask.method == "GET":
                etag, modified = map(answer.headers.get, ("etag", "last-modified"))
                row = storable_row((change, page.digest, etag, modified))
                db.execute(NEW_CONTENT, (number, *row))

    def estimated(self, estimate: EstimateRow) -> None:
        """Record what is expected still to be found."""
        with self._database.writing() as db:
            db.execute(NEW_ESTIMATE, astuple(estimate))

    def page_requested(self, row: PageRequestRow) -> None:
        """Record a request of a rendered page, and commit everything recorded so far."""
        with self._database.committing() as db:
            db.execute(NEW_PAGE_REQUEST, storable_row(astuple(row)))

    def last_seq(self) -> int:
        """Return the number of the last event; 0 if there is none."""
        self._seq = self._seq or self._database.value(LAST_SEQ) or 0
        return self._seq

    def _append(self, statement: str, row: Sequence[object]) -> None:
        with self._database.writing() as db:
            self._seq = self.last_seq() + 1
            db.execute(statement, (self._seq, *storable_row(row)))

    def _sleep(self, asleep: Collection[str]) -> str | None:
        return pack_sleep(asleep, self._changes.seen(asleep))

    # --- reading ------------------------------------------------------------------------------

    def events(self, after: int = 0) -> Iterator[Event]:
        """Yield all events in order, a few rows at a time; ``after`` that of this number."""
        waiting: dict[int, Asked] = {}
        tables = [self._table(name, after) for name in EVENTS]
        for _, table, row in heapq.merge(*tables):
            try:
                event = event_of(table, row, waiting)
            except Exception as error:
                blame_damage(self._database.folder, error)
                raise
            if isinstance(event, Asked):
                waiting[event.ask.number] = event
            elif isinstance(event, Answered):
                del waiting[event.answer.ask.number]
            yield event

    def _table(self, name: str, last: int) -> Iterator[tuple[int, str, sqlite3.Row]]:
        while rows := list(self._database.rows(EVENTS[name], last, ROWS)):
            for row in rows:
                yield row["seq"], name, row
            last = rows[-1]["seq"]

    def title_of(self, url: str) -> str:
        """Return the title of a page that was fetched."""
        row = self._database.one(TITLE, url)
        return str(row[0]) if row is not None else ""

    def values(self) -> list[float | None]:
        """Return the result of each request in order: the value of a find, or None."""
        rows = self._database.rows(VALUES)
        return [float(value or 0) if found else None for found, value in rows]

    def estimates(self) -> list[EstimateRow]:
        """Return what was expected still to be found, in the order of the requests."""
        rows = self._database.rows("SELECT * FROM estimates ORDER BY requests")
        return [EstimateRow(*row) for row in rows]

    def asked_urls(self) -> set[str]:
        """Return all URLs that were asked for."""
        return {row[0] for row in self._database.rows("SELECT url FROM asks")}

    def last_ask(self) -> int:
        """Return the number of the last request; 0 if there is none."""
        return int(self._database.value("SELECT coalesce(max(number), 0) FROM asks"))

    def answering_hosts(self) -> set[str]:
        """Return the hosts that have answered at least once."""
        return {host_of(row[0]) for row in self._database.rows(ANSWERED_URLS)}


def _answer_row(answer: Answer, page: Page, step: Step, at: float) -> tuple[object, ...]:
    url = answer.ask.url
    if page.url != url:
        raise ContractError(f"The page {page.url} is not the answer to {url}.")
    links = pack_links(page.links, url, step.depth + 1)
    return (
        answer.ask.number, url, answer.status, page.mime, answer.mime, answer.size,
        answer.location, page.moved, answer.charset, answer.error, answer.cut or page.cut,
        answer.tries, answer.sent, step.found, step.value, step.label, step.new_links, at, now(),
        links, step.details or None, page.title,
    )  # fmt: skip


def now() -> str:
    """Return the time as the journal has it, in UTC."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
