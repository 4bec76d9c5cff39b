"""Reads the journal of a crawl."""

from __future__ import annotations

import heapq
import math
import sqlite3
from collections.abc import Iterator
from operator import itemgetter
from pathlib import Path

from lodehound.core.urls import host_of
from lodehound.stores.catalogue.datasets import COUNT_AFTER, dataset_finds
from lodehound.stores.catalogue.totals import Summary, summary_of
from lodehound.stores.database.connect import connected
from lodehound.stores.errors import unreadable, write_error
from lodehound.stores.log.crawl_rounds import UNUSED_FILES, CrawlRound, rounds_of
from lodehound.stores.log.events import (
    Answered,
    Asked,
    EstimateRow,
    Event,
    FindRow,
    Inspected,
    RunRow,
    event_of,
    find_of,
    inspected_of,
    storable,
)
from lodehound.stores.log.renders import (
    FOLLOWED,
    PageRequestRow,
    RenderRow,
    RenderTotals,
    UnrenderedPage,
    costs_of,
    page_request_of,
    render_of,
    totals_of,
    unrendered_of,
)
from lodehound.stores.log.sent_links import LAST_SENT, TAKEN, unpack_sent
from lodehound.stores.log.statements import (
    ANSWERED_URLS,
    DROUGHT,
    EVENTS,
    FIND_AT,
    FINDS,
    FINDS_AFTER,
    NOT_INSPECTED,
    RUN,
    TITLE,
)
from lodehound.stores.repair.damage import blame_damage

ROWS = 500  # read at a time: rows with links are large


class JournalReader:
    """The journal in one SQLite file, to read. For one thread at a time.

    Args:
        path: The file; created if it is missing and ``write`` is true.
        write: False to read while another process writes.
    """

    def __init__(self, path: Path, *, write: bool = False) -> None:
        self.folder = path.parent
        try:
            self._db = connected(path, write=write)
        except sqlite3.Error as error:
            raise (write_error if write else unreadable)(self.folder, error) from error

    def meta(self) -> dict[str, str]:
        """Return the crawl's metadata; {} for a file that was never set up."""
        if not list(self._rows("SELECT 1 FROM sqlite_schema WHERE name = 'meta'")):
            return {}
        return dict(map(tuple, self._rows("SELECT key, value FROM meta")))

    def rounds(self) -> list[CrawlRound]:
        """Return the rounds of the crawl, the first one first."""
        return rounds_of(self._rows)

    def events(self, after: int = 0) -> Iterator[Event]:
        """Yield all events in order, a few rows at a time; ``after`` that of this number."""
        waiting: dict[int, Asked] = {}
        tables = [self._table(name, after) for name in EVENTS]
        for _, table, row in heapq.merge(*tables):
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
        yield from (find for _, find, _ in dataset_finds(self._rows))

    def finds_after(self, seq: int, most: int) -> list[tuple[int, FindRow]]:
        """Return the next finds in the order of their answers, each with its place in it."""
        rows = self._rows(FINDS_AFTER, seq, most)
        found = [(row["seq"], find_of(row)) for row in rows]
        end = found[-1][0] if len(found) == most else math.inf
        # An answer lists many: there is no limit.
        found += [(at, find) for at, find, _ in dataset_finds(self._rows, seq) if at <= end]
        return sorted(found, key=itemgetter(0))

    def datasets_since(self, seq: int) -> int:
        """Return how many datasets a crawl that only catalogues has found after an event."""
        return int(next(self._rows(COUNT_AFTER, seq, 0))[0])

    def inspections(self) -> Iterator[Inspected]:
        """Yield the contents of the files."""
        yield from map(inspected_of, self._rows("SELECT * FROM inspections ORDER BY rowid"))

    def not_inspected(self) -> list[tuple[str, str]]:
        """Return the files, with their types, that are not inspected yet."""
        return [(row[0], row[1]) for row in self._rows(NOT_INSPECTED)]

    def renders(self) -> Iterator[RenderRow]:
        """Yield the pages that a browser may show more of, in the order of the requests."""
        yield from map(render_of, self._rows("SELECT * FROM renders ORDER BY number"))

    def sent_urls(self) -> set[str]:
        """Return the URLs that were sent to other parts of a divided crawl."""
        rows = self._rows("SELECT links FROM sent_links")
        return {link.url for row in rows for link in unpack_sent(row["links"])}

    def last_sent(self) -> dict[int, int]:
        """Return the last record that was sent to each part of a divided crawl."""
        return dict(map(tuple, self._rows(LAST_SENT)))

    def taken(self) -> dict[int, int]:
        """Return the last record that was taken of each part of a divided crawl."""
        return dict(map(tuple, self._rows(TAKEN)))

    def page_requests(self, page: int) -> list[PageRequestRow]:
        """Return the requests that a rendered page made, in order."""
        statement = "SELECT * FROM page_requests WHERE page = ? ORDER BY id"
        return [page_request_of(row) for row in self._rows(statement, page)]

    def render_totals(self) -> RenderTotals:
        """Return what rendering cost and brought."""
        return totals_of(self._rows)

    def unrendered(self) -> list[UnrenderedPage]:
        """Return the pages that were not rendered for want of a browser."""
        return unrendered_of(self._rows)

    def rendering_costs(self) -> tuple[int, int]:
        """Return the requests of pages rendered in the last round, and their bytes."""
        return costs_of(self._rows, self.rounds()[-1])

    def followed(self) -> dict[str, tuple[int, int]]:
        """Return, by pattern, the links of rendered pages that were followed, and the useful."""
        return {name: (count, useful) for name, count, useful in self._rows(FOLLOWED)}

    def title_of(self, url: str) -> str:
        """Return the title of a page that was fetched."""
        return next((str(row[0]) for row in self._rows(TITLE, storable(url))), "")

    def find_at(self, url: str) -> FindRow | None:
        """Return the find of a final URL, in its newest version."""
        return next(map(find_of, self._rows(FIND_AT, storable(url))), None)

    def users_of(self, file: str) -> int:
        """Return how many finds share a file."""
        count = next(self._rows("SELECT count(*) FROM finds WHERE file = ?", storable(file)))
        return int(count[0])

    def kept_versions(self) -> set[str]:
        """Return the files of older versions that are kept."""
        return {row[0] for row in self._rows("SELECT kept FROM versions WHERE kept <> ''")}

    def replaced_versions(self) -> set[str]:
        """Return the hashes of older versions that are not kept."""
        return {row[0] for row in self._rows("SELECT sha256 FROM versions WHERE kept = ''")}

    def unused_files(self) -> list[str]:
        """Return the files of older versions that no find has any more."""
        return [row[0] for row in self._rows(UNUSED_FILES)]

    def summary(self, of: CrawlRound | None = None) -> Summary:
        """Return the costs and results of the crawl so far, or of one round."""
        return summary_of(self._rows, of)

    def round_summary(self) -> Summary:
        """Return the costs and finds of the last round so far: budgets are those of a round."""
        return self.summary(self.rounds()[-1])

    def values(self) -> list[float | None]:
        """Return the result of each request in order: the value of a find, or None."""
        rows = self._rows("SELECT found, value FROM answers WHERE sent ORDER BY seq")
        return [float(value or 0) if found else None for found, value in rows]

    def has_listings(self) -> bool:
        """Return whether an API has listed anything."""
        statement = "SELECT EXISTS (SELECT 1 FROM datasets UNION ALL SELECT 1 FROM listed)"
        return bool(next(self._rows(statement))[0])

    def drought(self) -> int:
        """Return the number of requests since the last find."""
        return int(next(self._rows(DROUGHT))[0])

    def estimates(self) -> list[EstimateRow]:
        """Return what was expected still to be found, in the order of the requests.

        Nothing in a further round: the estimates are of a whole crawl.
        """
        if len(self.rounds()) > 1:
            return []
        rows = self._rows("SELECT * FROM estimates ORDER BY requests")
        return [EstimateRow(*row) for row in rows]

    def expected(self) -> list[EstimateRow]:
        """Return the estimates of what is left: none once every link was followed."""
        return [] if self.meta().get("ended") == "exhausted" else self.estimates()

    def run_of(self, number: int) -> RunRow | None:
        """Return the run that made a request, if it was recorded."""
        return next((RunRow(*row) for row in self._rows(RUN, number)), None)

    def asked_urls(self) -> set[str]:
        """Return all URLs that were asked for."""
        return {row[0] for row in self._rows("SELECT url FROM asks")}

    def last_ask(self) -> int:
        """Return the number of the last request; 0 if there is none."""
        return int(next(self._rows("SELECT coalesce(max(number), 0) FROM asks"))[0])

    def answering_hosts(self) -> set[str]:
        """Return the hosts that have answered at least once."""
        return {host_of(row[0]) for row in self._rows(ANSWERED_URLS)}

    def _table(self, name: str, last: int) -> Iterator[tuple[int, str, sqlite3.Row]]:
        while rows := list(self._rows(EVENTS[name], last, ROWS)):
            for row in rows:
                yield row["seq"], name, row
            last = rows[-1]["seq"]

    def _rows(self, statement: str, *values: object) -> Iterator[sqlite3.Row]:
        try:
            for row in self._db.execute(statement, values):  # noqa: UP028 - "from" would close it twice
                yield row
        except sqlite3.Error as error:
            raise unreadable(self.folder, error) from error
