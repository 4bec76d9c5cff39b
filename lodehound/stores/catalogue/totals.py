"""The figures of a crawl. docs/catalogue.md describes their definitions.

Status, the summary of a crawl, list, the report and exports all get their figures from here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import astuple, dataclass, field
from typing import Any, Self

from lodehound.stores.catalogue.crawl_rounds import CrawlRound
from lodehound.stores.catalogue.datasets import count_datasets
from lodehound.stores.catalogue.listings import ONLY_CATALOGUES
from lodehound.stores.catalogue.renders import costs_of
from lodehound.stores.database.schema import CONTENT

Rows = Callable[..., Iterable[Any]]  # runs a statement

# In the order of the index answers_summary: one pass over it.
ANSWERS = """
    SELECT status, error, sent, count(*), sum(tries - (NOT sent)), sum(found), sum(size), max(at)
    FROM answers GROUP BY status, error, sent"""
# A version that a repair found lost has no answer, so its find is not counted either.
OLDER = "SELECT count(*) FROM versions JOIN answers USING (number)"
# One row per file, with the values of its first find.
KEPT = """
    (SELECT file, mime, truncated, sha256, min(number) FROM finds WHERE file <> '' GROUP BY file)
    AS kept"""
FILES = f"""
    SELECT kept.mime, {CONTENT} AS content, count(*), sum(tables), sum(statistics > 0),
        sum(statistics), sum(rows)
    FROM {KEPT} LEFT JOIN inspections AS seen USING (file)
    GROUP BY kept.mime, content"""  # noqa: S608 - our own names
# Empty files, and files that the user has changed, are stored more than once.
COPIES = """
    SELECT coalesce(sum(files - 1), 0) FROM (
        SELECT count(DISTINCT file) AS files FROM finds WHERE sha256 <> '' AND file <> ''
        GROUP BY sha256
    )"""
UNREADABLE = f"""
    SELECT substr(error, 1, instr(error || ':', ':') - 1) AS kind, count(*)
    FROM inspections AS seen, (SELECT 0 AS truncated)
    WHERE error <> '' AND {CONTENT} = 'unreadable'
        AND EXISTS (SELECT 1 FROM finds WHERE finds.file = seen.file)
    GROUP BY kind ORDER BY 2 DESC, 1"""  # noqa: S608 - our own names

DROUGHT = f"""
    SELECT count(*) FROM answers WHERE sent AND seq > coalesce(
        (SELECT seq FROM answers WHERE found OR {ONLY_CATALOGUES}
            AND number IN (SELECT number FROM datasets UNION ALL SELECT number FROM listed)
        ORDER BY seq DESC LIMIT 1), 0)"""  # noqa: S608 - our own names

MIN_SECONDS = 1.0  # shorter crawls have no rate


@dataclass(frozen=True, slots=True)
class FileCounts:
    """Numbers of files by content. A file counts once, even if several finds share it.

    Every file belongs to exactly one of the first seven classes.
    """

    truncated: int = 0
    not_inspected: int = 0
    unreadable: int = 0
    empty: int = 0  # no bytes
    no_rows: int = 0  # headers, no values
    no_tables: int = 0
    with_tables: int = 0
    tables: int = 0
    with_statistics: int = 0
    statistics: int = 0  # tables that look like statistics
    rows: int = 0  # of the largest table of each file

    @property
    def files(self) -> int:
        return self.inspected + self.truncated + self.not_inspected

    @property
    def inspected(self) -> int:
        return self.readable + self.unreadable + self.empty

    @property
    def readable(self) -> int:
        return self.no_rows + self.no_tables + self.with_tables

    @property
    def statistics_share(self) -> float:
        """The share of readable files with at least one statistics table (SD yield)."""
        return self.with_statistics / self.readable if self.readable else 0.0

    @property
    def statistics_per_file(self) -> float:
        return self.statistics / self.readable if self.readable else 0.0

    def __add__(self, other: Self) -> Self:
        pairs = zip(astuple(self), astuple(other), strict=True)
        return type(self)(*(one + another for one, another in pairs))


@dataclass(frozen=True, slots=True)
class Summary:
    """The costs and results of a crawl so far."""

    requests: int  # including retries, and those of rendered pages
    finds: int  # of a round, those that were new or changed
    bytes: int
    at: float  # seconds of crawling up to the last answer, without pauses
    reached: int  # answers of status 2xx or 304
    statuses: Mapping[str, int]  # by class: "2xx" and so on, "failed", "not sent"
    errors: Mapping[str, int]  # by the text before the colon
    contents: FileCounts = field(default_factory=FileCounts)
    distinct_files: int = 0
    unreadable: Mapping[str, int] = field(default_factory=dict)  # files by reason
    datasets: int = 0  # the finds of a crawl that only catalogues
    listed: int = 0  # the files in those datasets, which were not fetched

    @property
    def files(self) -> int:
        return self.contents.files

    @property
    def per_minute(self) -> float | None:
        return requests_per_minute(self.requests, self.at)

    @property
    def per_hundred(self) -> float:
        return finds_per_hundred(self.finds, self.requests)


def requests_per_minute(requests: int, seconds: float) -> float | None:
    """Return the request rate of a crawl, or None if it was too short."""
    return 60 * requests / seconds if seconds >= MIN_SECONDS else None


def finds_per_hundred(finds: int, requests: int) -> float:
    """Return the finds per hundred requests."""
    return 100 * finds / max(requests, 1)


def summary_of(rows: Rows, of: CrawlRound | None = None) -> Summary:
    """Return the costs and results of a crawl, or the costs and finds of one of its rounds.

    Args:
        rows: Runs a statement in the database of the crawl.
        of: The round; the contents of files are those of the whole crawl.
    """
    statuses: Counter[str] = Counter()
    errors: Counter[str] = Counter()
    requests = finds = size = reached = 0
    at = 0.0
    everything = of is None or (of.number == 1 and of.next_first is None)
    for status, error, sent, count, asked, found, volume, last in rows(
        ANSWERS if of is None or everything else _within(ANSWERS, of)
    ):
        statuses[_class(status, sent)] += count
        errors[error.partition(":")[0]] += count
        requests, finds, size = requests + asked, finds + found, size + volume
        reached += count if 200 <= status < 300 or status == 304 else 0
        at = max(at, last)
    contents = sum(files_by_type(rows).values(), FileCounts())
    page_requests, page_bytes = costs_of(rows, of)
    within = (0, 1 << 62) if of is None else (of.first, of.next_first or 1 << 62)
    datasets, listed = count_datasets(rows, *within)
    finds += datasets
    return Summary(
        requests + page_requests,
        finds - _first(rows(OLDER))[0] if everything else finds,
        size + page_bytes,
        max(at - of.at, 0.0) if of is not None else at,
        reached,
        statuses=dict(sorted(statuses.items())),
        errors={kind: count for kind, count in errors.most_common() if kind},
        contents=contents,
        distinct_files=contents.files - _first(rows(COPIES))[0],
        unreadable={_reason(kind): count for kind, count in rows(UNREADABLE)},
        datasets=datasets,
        listed=listed,
    )


def _reason(error: str) -> str:
    """Return why files could not be read: that they are not readable is known already."""
    return "damaged" if error == "not readable" else error


def _class(status: int, sent: int) -> str:
    if not sent:
        return "not sent"
    return f"{status // 100}xx" if status else "failed"


def _within(statement: str, of: CrawlRound) -> str:
    """Return a statement that reads the answers of one round only."""
    end = "" if of.next_first is None else f" AND number < {of.next_first:d}"
    mine = f"(SELECT * FROM answers WHERE number >= {of.first:d}{end})"  # noqa: S608 - numbers
    return statement.replace("FROM answers", f"FROM {mine}")


def files_by_type(rows: Rows) -> dict[str, FileCounts]:
    """Return the contents of the files by MIME type, most frequent first."""
    counts: dict[str, FileCounts] = {}
    for mime, content, *figures in rows(FILES):
        counts[mime] = counts.get(mime, FileCounts()) + _counts(content, *figures)
    return dict(sorted(counts.items(), key=lambda pair: -pair[1].files))


def _counts(content: str, files: int, *figures: int) -> FileCounts:
    if content != "tables":
        return FileCounts(**{content.replace("-", "_"): files})
    tables, with_statistics, statistics, rows = figures
    return FileCounts(
        with_tables=files,
        tables=tables,
        with_statistics=with_statistics,
        statistics=statistics,
        rows=rows,
    )


def _first(rows: Iterable[Any]) -> Any:
    found: Iterator[Any] = iter(rows)
    return next(found)
