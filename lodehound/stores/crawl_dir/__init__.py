"""A crawl directory: everything a crawl has seen, decided and found, safe at any moment.

::

    DIR/crawl.sqlite   the journal and the catalogue of finds
    DIR/files/         the finds themselves
    DIR/versions/      older versions of them, if they are kept
    DIR/metadata.json  descriptions of the tables for Datasette
    DIR/lock           names the process that is crawling
"""

from __future__ import annotations

import contextlib
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Literal, Self

from lodehound.core.errors import ConfigError
from lodehound.core.forecasts import Outlook
from lodehound.core.messages import Answer, Page, Step
from lodehound.stores.catalogue.crawl_rounds import CrawlRound
from lodehound.stores.catalogue.find_rows import FindRow
from lodehound.stores.catalogue.find_store import FindStore
from lodehound.stores.catalogue.renders import RenderStore, costs_of
from lodehound.stores.catalogue.totals import DROUGHT, Summary, summary_of
from lodehound.stores.crawl_dir.datasette import write_metadata
from lodehound.stores.crawl_dir.existing import bring_up, clear, is_older, no_crawl, refuse_occupied
from lodehound.stores.crawl_dir.facts import CrawlFacts
from lodehound.stores.crawl_dir.link_exchange import ExchangeRecord
from lodehound.stores.database.crawl_database import CrawlDatabase
from lodehound.stores.database.schema import FORMAT
from lodehound.stores.errors import DiskFullError, WriteError, output_error, refuse_url
from lodehound.stores.files.file_store import FileStore
from lodehound.stores.files.inside import check_inside
from lodehound.stores.files.layout import DATABASE, FILES
from lodehound.stores.locks.lock import Lock, holder
from lodehound.stores.log.events import EstimateRow
from lodehound.stores.log.journal import Journal
from lodehound.stores.repair.damage import blame_damage, naming_damage, refuse_damaged

Reach = Literal["public", "private"]
REACH = "first addresses of "  # a start host: what its name led to


class CrawlDir:
    """One crawl on disk. Create it with ``create`` or ``open``, and close it in the end.

    Attributes:
        path: The folder.
        config: The crawl's config, as JSON.
        version: The version of the program that began it.
        created_at: When that was, in UTC.
        database: What follows is kept there.
        facts: Its config, runs and rounds.
        journal: What happened.
        finds: The catalogue.
        renders: Pages that a browser may show more of.
        exchange: What a part of a divided crawl has sent and taken.
        named: Options of its config that the user has named again: see lodehound.assembly.trust.
    """

    def __init__(self, path: Path, database: CrawlDatabase, *, lock: Lock | None) -> None:
        self.database = database
        self.facts = CrawlFacts(database)
        self.journal = Journal(database)
        self.finds = FindStore(database)
        self.renders = RenderStore(database)
        self.exchange = ExchangeRecord(database, self.journal)
        meta = self.facts.meta()
        self.path = path
        self.config = meta["config"]
        self.version = meta["version"]
        self.created_at = meta["created_at"]
        self.named: frozenset[tuple[str, str]] = frozenset()
        self._lock = lock
        if lock is not None:
            database.guard = lock.check
            versions = self.finds.kept_versions(), self.finds.replaced_versions()
            self.finds.entries.complete()
            self.files.tidy(*versions, unused=self.finds.unused_files())

    @classmethod
    def create(cls, path: Path, *, config: str, version: str) -> Self:
        """Create a crawl directory in a folder that is empty or does not exist.

        A crawl without any successful answer, for example of a dead host, is replaced.
        """
        refuse_url(path)
        check_inside(path, write=True)
        refuse_occupied(path)
        try:
            path.mkdir(parents=True, exist_ok=True)
            return cls._made(path, config=config, version=version)
        except (OSError, WriteError, DiskFullError) as error:
            raise output_error(path, error) from error

    @classmethod
    def _made(cls, path: Path, *, config: str, version: str) -> Self:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        meta = {"format": str(FORMAT), "version": version, "created_at": now, "config": config}
        with ExitStack() as undo:
            lock = Lock(path)
            undo.callback(lock.release)
            refuse_occupied(path)  # again: another process may have been faster
            clear(path)
            database = CrawlDatabase(path, write=True)
            undo.callback(database.close)
            database.set_up(meta)
            write_metadata(path)
            made = cls(path, database, lock=lock)
            undo.pop_all()
        return made

    @classmethod
    def open(cls, path: Path, *, write: bool = True) -> Self:
        """Open a crawl directory: to continue the crawl, or (``write=False``) to look on.

        One of an older format is brought up to date either way. If it cannot be written, a copy is
        read that is.

        Raises:
            DamagedCrawlError: It is damaged, as far as is noticed before its rows are read.
        """
        if not (path / DATABASE).is_file():
            raise no_crawl(path)
        check_inside(path, write=write)
        if not write and is_older(path):
            with contextlib.suppress(ConfigError, WriteError):  # in use, or on a read-only disk
                cls.open(path).close()
        with naming_damage(path), ExitStack() as undo:
            lock = Lock(path) if write else None
            if lock is not None:
                undo.callback(lock.release)
            database = CrawlDatabase(path, write=write)
            undo.callback(database.close)
            if write:
                older = is_older(path)
                refuse_damaged(path)
                if older:
                    bring_up(path, database)
            opened = cls(path, database, lock=lock)
            undo.pop_all()
        return opened

    @cached_property
    def files(self) -> FileStore:
        """The stored files. A reader does not need to know which names are taken."""
        taken = ((find.file, find.final_url, find.sha256) for find in self.finds)
        guard = self._lock.check if self._lock is not None else None
        return FileStore(self.path / FILES, taken=taken, guard=guard)

    @property
    def state(self) -> str:
        """Return whether a process is crawling here, in words."""
        crawling = holder(self.path)
        return f"running, {crawling}" if crawling else "not running"

    def keep_config(self, config: str) -> None:
        """Keep the config that the crawl has from now on."""
        self.facts.change_meta("config", config)
        self.config = config

    @property
    def ended(self) -> str:
        """Why the crawl last ended; "" while it runs, or if it was killed."""
        return self.facts.meta().get("ended", "")

    def keep_end(self, reason: str) -> None:
        """Store why the crawl ended; "" if it continues."""
        self.facts.keep_end(reason)

    def first_addresses(self) -> dict[str, Reach]:
        """Return what the names of start hosts led to at first, as far as it was kept."""
        kept = self.facts.meta().items()
        found = {key.removeprefix(REACH): value for key, value in kept if key.startswith(REACH)}
        return {name: "public" if value == "public" else "private" for name, value in found.items()}

    def keep_first_address(self, name: str, reach: Reach) -> None:
        """Store what the name of a start host leads to at first."""
        self.facts.change_meta(REACH + name, reach)

    def begin_round(self) -> CrawlRound:
        """Begin a further round: what follows belongs to it."""
        return self.facts.begin_round(self.journal.last_seq())

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
        with self.database.committing():
            lost = self.finds.change_since_lost(find) if find and not replaces else None
            self.journal.answered(answer, page, step, at=at, change=lost or step.change)
            if find is not None:
                self.finds.add(find, replaces=replaces, kept=kept)
            if page.captions:
                self.finds.captioned(page.url, page.captions)
            if find is None and step.change == "new" and not 300 <= answer.status < 400:
                self.finds.drop_caption(answer.ask.url)
            if page.listing is not None:
                self.finds.listed(answer.ask.number, page.url, page.listing)
            if waiting is not None:
                self.facts.note_waiting(waiting)

    # --- figures ------------------------------------------------------------------------------

    def summary(self, of: CrawlRound | None = None) -> Summary:
        """Return the costs and results of the crawl so far, or of one round."""
        return summary_of(self.database.rows, of)

    def round_summary(self) -> Summary:
        """Return the costs and finds of the last round so far: budgets are those of a round."""
        return self.summary(self.facts.rounds()[-1])

    def rendering_costs(self) -> tuple[int, int]:
        """Return the requests of pages rendered in the last round, and their bytes."""
        return costs_of(self.database.rows, self.facts.rounds()[-1])

    def drought(self) -> int:
        """Return the number of requests since the last find."""
        return int(self.database.value(DROUGHT))

    def estimates(self) -> list[EstimateRow]:
        """Return what was expected still to be found, in the order of the requests.

        Nothing in a further round: the estimates are of a whole crawl.
        """
        return [] if len(self.facts.rounds()) > 1 else self.journal.estimates()

    def outlook(self) -> Outlook | None:
        """Return what is expected of the rest of the first round, if that is known."""
        if len(self.facts.rounds()) > 1:
            return None
        last = self.facts.outlook()
        if self.ended == "exhausted":
            summary = self.summary()
            nothing = Outlook.nothing(summary.requests, summary.finds)
            return replace(nothing, checked=last.checked, held=last.held) if last else nothing
        return last

    def expected(self) -> list[EstimateRow]:
        """Return the estimates of what is left: none once every link was followed."""
        return [] if self.ended == "exhausted" else self.estimates()

    def close(self) -> None:
        """Commit everything and release the lock."""
        try:
            if self._lock is not None:
                self.finds.entries.refresh()
            self.database.close()
        finally:
            if self._lock is not None:
                self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        self.close()
        blame_damage(self.path, error)


__all__ = ["CrawlDir", "Reach", "no_crawl"]
