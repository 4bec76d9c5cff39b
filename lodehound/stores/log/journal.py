"""The journal of a crawl: every ask, wait, offer and answer, in order.

Nothing is ever changed or removed. An answer is committed together with everything
before it, so whenever the process is killed, the crawl is in the state after one of
its answers.
"""

from __future__ import annotations

import contextlib
import dataclasses
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from lodehound.core.asleep import Changes
from lodehound.core.errors import ContractError, LodehoundError, SiteError
from lodehound.core.link import Link
from lodehound.core.messages import IGNORED_ENCODING, Answer, Ask, Change, Choice, Page, Step
from lodehound.stores.catalogue.listings import write_listing
from lodehound.stores.catalogue.totals import Summary
from lodehound.stores.database.schema import SCHEMA
from lodehound.stores.errors import MovedError, write_error
from lodehound.stores.log.crawl_rounds import (
    END_ROUND,
    NEW_ROUND,
    OLD_VERSION,
    CrawlRound,
)
from lodehound.stores.log.events import (
    Answered,
    Asked,
    EstimateRow,
    FindRow,
    Inspected,
    Offered,
    Waited,
    pack_links,
    pack_sleep,
    storable,
    storable_row,
)
from lodehound.stores.log.journal_reader import JournalReader
from lodehound.stores.log.renders import (
    NEW_PAGE_REQUEST,
    NEW_RENDER,
    PageRequestRow,
    RenderRow,
    values_of,
)
from lodehound.stores.log.sent_links import (
    NEW_SENT,
    NEW_TAKEN,
    pack_sent,
)
from lodehound.stores.log.statements import (
    CHANGE_SINCE_LOST,
    FIND,
    LAST_SEQ,
    NEW_ANSWER,
    NEW_CONTENT,
    NEW_FIND,
    NEW_INSPECTION,
    NEW_RUN,
)


class Journal(JournalReader):
    """The journal in one SQLite file. For one thread at a time.

    A failed write closes the journal for writing: a gap would make everything after it
    useless. Everything committed before is safe.

    Args:
        path: The file; created if it is missing and ``write`` is true.
        write: False to read while another process writes.
    """

    def __init__(self, path: Path, *, write: bool = True) -> None:
        super().__init__(path, write=write)
        self._seq = 0
        self._failure: LodehoundError | None = None
        self._changes = Changes()  # recorded changes of the sleeping hosts
        self.fence: Callable[[], None] | None = None  # called before every write; raises to stop it
        self.guard: Callable[[], None] | None = None  # like fence; nothing more is written then
        self.on_commit: Callable[[], None] | None = None
        self._open = True

    # --- what is known of the whole crawl ------------------------------------------------------

    def set_up(self, meta: Mapping[str, str]) -> None:
        """Make the tables of a new crawl and write its metadata, both or neither."""
        with self._writing():
            for statement in SCHEMA:
                self._db.execute(statement)
            self._db.executemany("INSERT INTO meta VALUES (?, ?)", meta.items())
            self._db.execute(
                "INSERT INTO rounds VALUES (1, 1, 0, 0.0, ?, '')", (meta.get("created_at", ""),)
            )
            self._db.execute("COMMIT")

    def share(self) -> None:
        """Keep the file so that it works on a network file system: without a write-ahead log.

        A rollback must not remove a file by its name, which may be another holder's by then.
        """
        self._db.execute("PRAGMA journal_mode = TRUNCATE")

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

    # --- writing ------------------------------------------------------------------------------

    def begin_run(self, version: str, policy: str, seed: int) -> None:
        """Record the version and the policy that make the next requests."""
        with self._writing():
            self._db.execute(NEW_RUN, (version, policy, seed, _now()))
            self._db.execute("COMMIT")

    def begin_round(self) -> CrawlRound:
        """Begin a further round: what follows belongs to it."""
        with self._writing():
            self._db.execute(NEW_ROUND, (self._last_seq(), _now()))
            self._db.execute("COMMIT")
        return self.rounds()[-1]

    def keep_end(self, reason: str) -> None:
        """Record why the crawl, and its last round, ended; "" if it continues."""
        with self._writing():
            self._db.execute(END_ROUND, (reason,))
            self._db.execute("INSERT OR REPLACE INTO meta VALUES ('ended', ?)", (reason,))
            if reason == "exhausted":  # links beyond a cap were dropped after the last answer
                self._db.execute("UPDATE meta SET value = '0' WHERE key = 'waiting'")
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

    def append_sent_links(self, part: int, links: Sequence[Link]) -> int:
        """Record links for another part of the crawl; committed with the next answer.

        Returns:
            The number of the record.
        """
        with self._writing():
            return self._db.execute(NEW_SENT, (part, pack_sent(links))).lastrowid or 0

    def append_taken_links(self, part: int, last: int, links: Sequence[Link]) -> None:
        """Record links that another part has sent, up to a record of its, and commit."""
        self.offered(f"part {part + 1}", links)
        with self._writing():
            self._db.execute(NEW_TAKEN, (part, last))
            self._db.execute("COMMIT")

    def answered(
        self,
        answer: Answer,
        page: Page,
        step: Step,
        *,
        at: float,
        find: FindRow | None,
        replaces: FindRow | None = None,
        kept: str = "",
        waiting: int | None = None,
    ) -> None:
        """Record an answer and its results, and commit everything recorded so far.

        Args:
            answer: The answer as the crawl received it.
            page: The page of the answer.
            step: The step that the crawl returned for it.
            at: Seconds since the crawl started.
            find: Its row in the catalogue; the file must already be on disk.
            replaces: The version of the find that was in the catalogue before.
            kept: Where the file of that version is kept; "" if it is not.
            waiting: Links that wait now.
        """
        with self._writing():
            self._append(NEW_ANSWER, _answer_row(answer, page, step, at))
            if ignored := answer.headers.get(IGNORED_ENCODING):
                row = (answer.ask.number, storable(ignored))
                self._db.execute("INSERT OR REPLACE INTO ignored_encodings VALUES (?, ?)", row)
            if answer.sent and answer.ask.method == "GET":
                change = self._change_since_lost(find) if find and not replaces else None
                self._db.execute(NEW_CONTENT, _content_row(answer, page, change or step.change))
            if replaces is not None and find is not None:
                self._replace(replaces, find.number, kept)
            if find is not None:
                values = storable_row(dataclasses.astuple(find))
                self._db.execute(NEW_FIND, values[: len(FIND)])
            if page.listing is not None:
                write_listing(self._db, answer.ask.number, page.url, page.listing)
            if waiting is not None:
                self._db.execute("INSERT OR REPLACE INTO meta VALUES ('waiting', ?)", (waiting,))
            self._db.execute("COMMIT")

    def _change_since_lost(self, find: FindRow) -> Change | None:
        """Compare a find with its version that a repair found lost; None if there is none."""
        values = (find.sha256, find.size, storable(find.final_url))
        found = self._db.execute(CHANGE_SINCE_LOST, values).fetchone()
        return found[0] if found else None

    def estimated(self, estimate: EstimateRow) -> None:
        """Record what is expected still to be found; committed with the next answer."""
        with self._writing():
            values = dataclasses.astuple(estimate)
            self._db.execute("INSERT OR REPLACE INTO estimates VALUES (?, ?, ?, ?, ?)", values)

    def _replace(self, old: FindRow, number: int, kept: str) -> None:
        """Take a version of a find out of the catalogue; its inspection goes with its file."""
        self._db.execute(OLD_VERSION, (number, storable(kept), old.number))
        self._db.execute("DELETE FROM finds WHERE number = ?", (old.number,))
        if not self.users_of(old.file):
            file = storable(old.file)
            if kept:
                moved = "UPDATE OR REPLACE inspections SET file = ? WHERE file = ?"
                self._db.execute(moved, (storable(kept), file))
            self._db.execute("DELETE FROM inspections WHERE file = ?", (file,))

    def inspected(self, seen: Inspected) -> None:
        """Record the contents of a file; committed with the next answer."""
        with self._writing():
            values = storable_row(dataclasses.astuple(seen))
            self._db.execute(NEW_INSPECTION, values)

    def rendered(self, row: RenderRow) -> None:
        """Record what was done about a page; committed with the next answer."""
        with self._writing():
            self._db.execute(NEW_RENDER, values_of(row))

    def page_requested(self, row: PageRequestRow) -> None:
        """Record a request of a rendered page, and commit everything recorded so far."""
        with self._writing():
            self._db.execute(NEW_PAGE_REQUEST, values_of(row))
            self._db.execute("COMMIT")

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
        if self.fence is not None:
            self.fence()
        try:
            if self.guard is not None:
                self.guard()
            if not self._db.in_transaction:
                self._db.execute("BEGIN IMMEDIATE")
            yield
            if self.on_commit is not None and not self._db.in_transaction:
                self.on_commit()
        except BaseException as error:
            with contextlib.suppress(sqlite3.Error):
                self._db.rollback()
            if isinstance(error, sqlite3.Error):
                self._failure = write_error(self.folder, error)
                raise self._failure from error
            if isinstance(error, MovedError):
                self._failure = error
                raise
            self._failure = SiteError(f"The journal in {str(self.folder)!r} failed: {error!r}.")
            raise

    def _sleep(self, asleep: Collection[str]) -> str | None:
        return pack_sleep(asleep, self._changes.seen(asleep))

    def _append(self, statement: str, row: Sequence[object]) -> None:
        self._seq = self._last_seq() + 1
        self._db.execute(statement, (self._seq, *storable_row(row)))

    def _last_seq(self) -> int:
        self._seq = self._seq or next(self._rows(LAST_SEQ))[0] or 0
        return self._seq


def _answer_row(answer: Answer, page: Page, step: Step, at: float) -> tuple[object, ...]:
    url = answer.ask.url
    if page.url != url:
        raise ContractError(f"The page {page.url} is not the answer to {url}.")
    links = pack_links(page.links, url, step.depth + 1)
    return (
        answer.ask.number, url, answer.status, page.mime, answer.mime, answer.size,
        answer.location, page.moved, answer.charset, answer.error, answer.cut or page.cut,
        answer.tries, answer.sent, step.found, step.value, step.label, step.new_links, at, _now(),
        links, step.details or None, page.title,
    )  # fmt: skip


def _content_row(answer: Answer, page: Page, change: Change) -> tuple[object, ...]:
    headers = answer.headers
    row = (change, page.digest, headers.get("etag"), headers.get("last-modified"))
    return (answer.ask.number, *storable_row(row))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


__all__ = ["Answered", "Asked", "FindRow", "Journal", "Offered", "Summary", "Waited"]
