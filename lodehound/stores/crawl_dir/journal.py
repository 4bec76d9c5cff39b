"""The journal of a crawl: every ask, wait, offer and answer, in order.

Nothing is ever changed or removed. An answer is committed together with everything
before it, so whenever the process is killed, the crawl is in the state after one of
its answers.
"""

from __future__ import annotations

import contextlib
import dataclasses
import heapq
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from lodehound.core.asleep import Changes
from lodehound.core.errors import ContractError, LodehoundError, SiteError
from lodehound.core.link import Link
from lodehound.core.messages import IGNORED_ENCODING, Answer, Ask, Choice, Page, Step
from lodehound.core.urls import host_of
from lodehound.stores.crawl_dir.damage import blame_damage
from lodehound.stores.crawl_dir.database import connected
from lodehound.stores.crawl_dir.errors import unreadable, write_error
from lodehound.stores.crawl_dir.events import (
    Answered,
    Asked,
    EstimateRow,
    Event,
    FindRow,
    Inspected,
    Offered,
    RunRow,
    Waited,
    event_of,
    find_of,
    inspected_of,
    pack_links,
    pack_sleep,
    plain,
    storable,
)
from lodehound.stores.crawl_dir.figures import Summary, summary_of
from lodehound.stores.crawl_dir.schema import SCHEMA

ROWS = 500  # read at a time: rows with links are large

ANSWER = (
    "seq", "number", "url", "status", "mime", "declared_mime", "size", "location", "moved",
    "charset", "error", "cut", "tries", "sent", "found", "value", "label", "new_links", "at",
    "fetched_at", "links", "details", "title",
)  # fmt: skip
# The details of a find are in its answer.
FIND = tuple(field.name for field in dataclasses.fields(FindRow) if field.name != "details")
INSPECTION = tuple(field.name for field in dataclasses.fields(Inspected))


def _row_of(table: str, columns: Sequence[str]) -> str:
    marks = ", ".join("?" * len(columns))
    return f"INTO {table} ({', '.join(columns)}) VALUES ({marks})"


NEW_ANSWER = "INSERT " + _row_of("answers", ANSWER)
NEW_FIND = "INSERT " + _row_of("finds", FIND)
NEW_INSPECTION = "INSERT OR REPLACE " + _row_of("inspections", INSPECTION)
NOT_INSPECTED = """
    SELECT DISTINCT file, mime FROM finds
    WHERE NOT truncated AND file <> '' AND file NOT IN (SELECT file FROM inspections)"""
TITLE = "SELECT title FROM answers WHERE url = ? AND title <> '' LIMIT 1"
LAST_SEQ = """
    SELECT max(seq) FROM (
        SELECT max(seq) AS seq FROM asks UNION ALL SELECT max(seq) FROM answers
        UNION ALL SELECT max(seq) FROM waits UNION ALL SELECT max(seq) FROM offers
    )"""
NEW_RUN = """
    INSERT OR REPLACE INTO runs SELECT coalesce(max(number), 0) + 1, ?, ?, ?, ? FROM asks"""
RUN = "SELECT * FROM runs WHERE first <= ? ORDER BY first DESC LIMIT 1"
EVENTS = {
    "asks": "SELECT * FROM asks WHERE seq > ? ORDER BY seq LIMIT ?",
    "waits": "SELECT * FROM waits WHERE seq > ? ORDER BY seq LIMIT ?",
    "offers": "SELECT * FROM offers WHERE seq > ? ORDER BY seq LIMIT ?",
    "answers": "SELECT * FROM answers WHERE seq > ? ORDER BY seq LIMIT ?",
}
FINDS = """
    SELECT finds.*, answers.details FROM finds LEFT JOIN answers USING (number) ORDER BY number"""
FINDS_AFTER = """
    SELECT finds.*, answers.details, answers.seq FROM answers JOIN finds USING (number)
    WHERE answers.seq > ? ORDER BY answers.seq LIMIT ?"""
DROUGHT = """
    SELECT count(*) FROM answers WHERE sent AND seq > coalesce(
        (SELECT seq FROM answers WHERE found ORDER BY seq DESC LIMIT 1), 0)"""
ANSWERED_URLS = "SELECT url FROM answers WHERE status > 0"


class Journal:
    """The journal in one SQLite file. For one thread at a time.

    A failed write closes the journal for writing: a gap would make everything after it
    useless. Everything committed before is safe.

    Args:
        path: The file; created if it is missing and ``write`` is true.
        write: False to read while another process writes.
    """

    def __init__(self, path: Path, *, write: bool = True) -> None:
        self.folder = path.parent
        self._seq = 0
        self._failure: LodehoundError | None = None
        self._changes = Changes()  # recorded changes of the sleeping hosts
        try:
            self._db = connected(path, write=write)
        except sqlite3.Error as error:
            raise (write_error if write else unreadable)(self.folder, error) from error
        self._open = True

    # --- what is known of the whole crawl ------------------------------------------------------

    def set_up(self, meta: Mapping[str, str]) -> None:
        """Make the tables of a new crawl and write its metadata, both or neither."""
        with self._writing():
            for statement in SCHEMA:
                self._db.execute(statement)
            self._db.executemany("INSERT INTO meta VALUES (?, ?)", meta.items())
            self._db.execute("COMMIT")

    def change_meta(self, key: str, value: str) -> None:
        """Replace one piece of metadata, and commit everything noted so far."""
        with self._writing():
            self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))
            self._db.execute("COMMIT")

    def migrate(self, change: Callable[[sqlite3.Connection], None], to: int) -> None:
        """Migrate the file to another format in one transaction."""
        with self._writing():
            change(self._db)
            self._db.execute("UPDATE meta SET value = ? WHERE key = 'format'", (str(to),))
            self._db.execute("COMMIT")

    def meta(self) -> dict[str, str]:
        """Return the crawl's metadata; {} for a file that was never set up."""
        if not list(self._rows("SELECT 1 FROM sqlite_schema WHERE name = 'meta'")):
            return {}
        return dict(map(tuple, self._rows("SELECT key, value FROM meta")))

    # --- writing ------------------------------------------------------------------------------

    def begin_run(self, version: str, policy: str, seed: int) -> None:
        """Record the version and the policy that make the next requests."""
        with self._writing():
            self._db.execute(NEW_RUN, (version, policy, seed, _now()))
            self._db.execute("COMMIT")

    def asked(self, ask: Ask, choice: Choice, asleep: Collection[str]) -> None:
        """Record a request. It is committed with the next answer."""
        with self._writing():
            row = (
                ask.number, ask.url, ask.method, ask.source, choice.link.depth,
                choice.why, choice.probability, self._sleep(asleep), _now(), choice.group,
            )  # fmt: skip
            self._append("INSERT INTO asks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)

    def waited(self, asleep: Collection[str]) -> None:
        """Record that the policy had nothing to choose; committed with the next answer.

        Only if the policy was asked. While a budget limits the crawl, the policy is not asked; a
        wait recorded then would be wrong once the budget is larger.
        """
        with self._writing():
            self._append("INSERT INTO waits VALUES (?, ?)", (self._sleep(asleep),))

    def offered(self, source: str, links: Sequence[Link]) -> None:
        """Record links that are not from a page; committed with the next answer."""
        with self._writing():
            row = (source, pack_links(links, source, 0))
            self._append("INSERT INTO offers VALUES (?, ?, ?)", row)

    def answered(
        self,
        answer: Answer,
        page: Page,
        step: Step,
        *,
        at: float,
        find: FindRow | None,
        waiting: int | None = None,
    ) -> None:
        """Record an answer and its results, and commit everything recorded so far.

        Args:
            answer: The answer as the crawl received it.
            page: The page of the answer.
            step: The step that the crawl returned for it.
            at: Seconds since the crawl started.
            find: Its row in the catalogue; the file must already be on disk.
            waiting: Links that wait now.
        """
        with self._writing():
            self._append(NEW_ANSWER, _answer_row(answer, page, step, at))
            if ignored := answer.headers.get(IGNORED_ENCODING):
                row = (answer.ask.number, storable(ignored))
                self._db.execute("INSERT OR REPLACE INTO ignored_encodings VALUES (?, ?)", row)
            if find is not None:
                values = [storable(value) for value in dataclasses.astuple(find)]
                self._db.execute(NEW_FIND, values[: len(FIND)])
            if waiting is not None:
                self._db.execute("INSERT OR REPLACE INTO meta VALUES ('waiting', ?)", (waiting,))
            self._db.execute("COMMIT")

    def estimated(self, estimate: EstimateRow) -> None:
        """Record what is expected still to be found; committed with the next answer."""
        with self._writing():
            values = dataclasses.astuple(estimate)
            self._db.execute("INSERT OR REPLACE INTO estimates VALUES (?, ?, ?, ?, ?)", values)

    def inspected(self, seen: Inspected) -> None:
        """Record the contents of a file; committed with the next answer."""
        with self._writing():
            values = [storable(value) for value in dataclasses.astuple(seen)]
            self._db.execute(NEW_INSPECTION, values)

    def flush(self) -> None:
        """Commit everything recorded so far."""
        with self._writing():
            self._db.execute("COMMIT")

    def close(self) -> None:
        """Commit everything recorded, unless a write has failed, and close the file."""
        try:
            if self._open and self._db.in_transaction:
                self.flush()
        finally:
            self._open = False
            self._db.close()

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        if self._failure is not None:
            raise self._failure
        try:
            if not self._db.in_transaction:
                self._db.execute("BEGIN IMMEDIATE")
            yield
        except BaseException as error:
            with contextlib.suppress(sqlite3.Error):
                self._db.rollback()
            if isinstance(error, sqlite3.Error):
                self._failure = write_error(self.folder, error)
                raise self._failure from error
            self._failure = SiteError(f"The journal in {str(self.folder)!r} failed: {error!r}.")
            raise

    def _sleep(self, asleep: Collection[str]) -> str | None:
        return pack_sleep(asleep, self._changes.seen(asleep))

    def _append(self, statement: str, row: Sequence[object]) -> None:
        if not self._seq:
            self._seq = next(self._rows(LAST_SEQ))[0] or 0
        self._seq += 1
        self._db.execute(statement, (self._seq, *map(storable, row)))

    # --- reading ------------------------------------------------------------------------------

    def events(self) -> Iterator[Event]:
        """Yield all events in order, a few rows at a time."""
        waiting: dict[int, Asked] = {}
        for _, table, row in heapq.merge(*map(self._table, EVENTS)):
            try:
                event = event_of(table, row, waiting)
            except Exception as error:
                blame_damage(self.folder, error)
                raise
            if isinstance(event, Asked):
                waiting[event.ask.number] = event
            elif isinstance(event, Answered):
                del waiting[event.answer.ask.number]
            yield event

    def finds(self) -> Iterator[FindRow]:
        """Yield the catalogue, in the order of the requests."""
        yield from map(find_of, self._rows(FINDS))

    def finds_after(self, seq: int, most: int) -> list[tuple[int, FindRow]]:
        """Return the next finds in the order of their answers, each with its place in it."""
        rows = self._rows(FINDS_AFTER, seq, most)
        return [(row["seq"], find_of(row)) for row in rows]

    def inspections(self) -> Iterator[Inspected]:
        """Yield the contents of the files."""
        yield from map(inspected_of, self._rows("SELECT * FROM inspections ORDER BY rowid"))

    def not_inspected(self) -> list[tuple[str, str]]:
        """Return the files, with their types, that are not inspected yet."""
        return [(plain(row[0]), plain(row[1])) for row in self._rows(NOT_INSPECTED)]

    def title_of(self, url: str) -> str:
        """Return the title of a page that was fetched."""
        return next((str(plain(row[0])) for row in self._rows(TITLE, storable(url))), "")

    def summary(self) -> Summary:
        """Return the costs and results of the crawl so far."""
        return summary_of(self._rows)

    def values(self) -> list[float | None]:
        """Return the result of each request in order: the value of a find, or None."""
        rows = self._rows("SELECT found, value FROM answers WHERE sent ORDER BY seq")
        return [float(value or 0) if found else None for found, value in rows]

    def drought(self) -> int:
        """Return the number of requests since the last find."""
        return int(next(self._rows(DROUGHT))[0])

    def estimates(self) -> list[EstimateRow]:
        """Return what was expected still to be found, in the order of the requests."""
        rows = self._rows("SELECT * FROM estimates ORDER BY requests")
        return [EstimateRow(*row) for row in rows]

    def run_of(self, number: int) -> RunRow | None:
        """Return the run that made a request, if it was recorded."""
        return next((RunRow(*row) for row in self._rows(RUN, number)), None)

    def asked_urls(self) -> set[str]:
        """Return all URLs that were asked for."""
        return {plain(row[0]) for row in self._rows("SELECT url FROM asks")}

    def answering_hosts(self) -> set[str]:
        """Return the hosts that have answered at least once."""
        return {host_of(plain(row[0])) for row in self._rows(ANSWERED_URLS)}

    def _table(self, name: str) -> Iterator[tuple[int, str, sqlite3.Row]]:
        last = 0
        while rows := list(self._rows(EVENTS[name], last, ROWS)):
            for row in rows:
                yield row[0], name, row
            last = rows[-1][0]

    def _rows(self, statement: str, *values: object) -> Iterator[sqlite3.Row]:
        try:
            for row in self._db.execute(statement, values):  # noqa: UP028 - "from" would close it twice
                yield row
        except sqlite3.Error as error:
            raise unreadable(self.folder, error) from error


def _answer_row(answer: Answer, page: Page, step: Step, at: float) -> tuple[object, ...]:
    url = answer.ask.url
    if page.url != url:
        raise ContractError(f"The page {page.url} is not the answer to {url}.")
    links = pack_links(page.links, url, step.depth + 1)
    return (
        answer.ask.number, url, answer.status, page.mime, answer.mime, answer.size,
        answer.location, page.moved, answer.charset, answer.error, answer.cut, answer.tries,
        answer.sent, step.found, step.value, step.label, step.new_links, at, _now(), links,
        step.details or None, page.title,
    )  # fmt: skip


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


__all__ = ["Answered", "Asked", "FindRow", "Journal", "Offered", "Summary", "Waited"]
