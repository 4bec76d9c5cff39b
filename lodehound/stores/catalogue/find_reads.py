"""Reads the finds of a crawl for reports and screens, a few columns at a time."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from lodehound.stores.catalogue.crawl_rounds import GONE, STATES
from lodehound.stores.catalogue.datasets import ENTRIES_OF_ANSWERS
from lodehound.stores.database.crawl_database import CrawlDatabase
from lodehound.stores.database.schema import CONTENT

SIZES = "SELECT final_url, mime, size FROM finds"
HEADERS = "SELECT header FROM inspections WHERE header <> '[]'"
DATES = "SELECT last_modified FROM finds WHERE last_modified <> ''"
COPIES = """
    SELECT sha256, count(*) AS finds, min(bytes) AS size, min(number) AS first
    FROM finds WHERE sha256 <> '' AND bytes > 0 GROUP BY sha256
    HAVING count(DISTINCT final_url) > 1 ORDER BY finds DESC, first"""
LARGEST = """
    SELECT number FROM inspections AS seen JOIN (
        SELECT file, min(number) AS number FROM finds WHERE file <> '' GROUP BY file
    ) USING (file) WHERE rows > 0 ORDER BY rows DESC, number LIMIT ?"""
KEYS = "SELECT number, url, final_url, sha256, etag, size, bytes FROM finds ORDER BY number"
FIND = """
    SELECT url, final_url, file, mime, bytes, size, truncated, sha256, label, value
    FROM finds
    WHERE number = ? OR url = ? ORDER BY number DESC LIMIT 1"""
SHARING = """
    SELECT DISTINCT final_url FROM finds WHERE file = ? AND file <> '' AND final_url <> ?
    ORDER BY number LIMIT ?"""
# News of a round after the first; half a file is added, so that a quiet site has a rate, too.
NEWS = """
    SELECT count(*) FROM answers JOIN contents USING (number)
    WHERE found AND change IN ('new', 'changed') AND number >= ?"""
DATED = """
    SELECT last_modified, fetched_at FROM finds WHERE last_modified <> '' AND number % ? = 0"""
LAST = "SELECT coalesce(max(number), 0) FROM finds"
ANSWERS = f"""
    SELECT answers.seq, asks.url, asked_at, at, status, error, tries, sent, found, size, value,
        coalesce(entries, 0) AS entries
    FROM answers JOIN asks USING (number) LEFT JOIN ({ENTRIES_OF_ANSWERS}) USING (number)
    WHERE answers.seq > ? ORDER BY answers.seq"""  # noqa: S608 - our own names
# Every version of every find with what a comparison shows; an older one may not be kept. A lost
# find has only older versions: it is left out.
VERSION = """number, url, final_url, sha256, etag, size, bytes, {file}, truncated, last_modified,
    fetched_at"""
VERSIONS = f"""
    SELECT {VERSION.format(file="file")} FROM finds WHERE number < ? UNION ALL
    SELECT {VERSION.format(file="kept")} FROM versions
    WHERE number < ? AND final_url IN (SELECT final_url FROM finds) ORDER BY number"""  # noqa: S608 - our own names
# Whether each find was there by the last answer that says so.
THERE = f"""
    SELECT url, there FROM ({STATES} AND url IN (SELECT final_url FROM finds)
        AND answers.number < ?) ORDER BY seq"""  # noqa: S608 - our own names
NUMBERS = "SELECT final_url, number FROM finds"
# Versions that a round found; an older one may have been replaced since.
FOUND = """
    SELECT contents.change, answers.url, version.file, version.sha256, version.bytes, version.mime
    FROM answers JOIN contents USING (number) JOIN (
        SELECT number, file, sha256, bytes, mime FROM finds UNION ALL
        SELECT number, kept, sha256, bytes, mime FROM versions
    ) AS version USING (number)
    WHERE answers.number >= ? AND answers.number < ? ORDER BY answers.number"""
LOST = f"""
    SELECT 'gone', finds.final_url, finds.file, finds.sha256, finds.bytes, finds.mime
    FROM ({GONE}) AS lost JOIN finds ON finds.final_url = lost.url ORDER BY lost.seq"""  # noqa: S608 - our own names
PAGES = """
    SELECT change, count(*) FROM answers JOIN contents USING (number)
    WHERE NOT found AND mime LIKE '%html%' AND number >= ? AND number < ? GROUP BY change"""
NOT_MODIFIED = "SELECT count(*) FROM answers WHERE status = 304 AND number >= ? AND number < ?"
ALL_VERSIONS = """
    SELECT number, fetched_at, file, size, 'newest' AS note FROM finds WHERE final_url = ?1
    UNION ALL SELECT number, fetched_at, kept, size, CASE kept WHEN '' THEN 'not kept' ELSE '' END
    FROM versions WHERE final_url = ?1 ORDER BY 1 DESC"""
COPIES_OF = """
    SELECT number, final_url FROM finds WHERE sha256 = ? AND number <> ? ORDER BY number LIMIT 20"""
SAMPLE = f"""
    SELECT finds.url, final_url, finds.file, finds.mime, finds.size, truncated, found_on,
        page_title, finds.anchor, seen.tables, seen.rows, seen.statistics, seen.error,
        finds.label, finds.value,
        {CONTENT} AS content, coalesce(entries.title, finds.anchor) AS shown_title
    FROM finds LEFT JOIN inspections AS seen USING (file) LEFT JOIN answers USING (number)
    LEFT JOIN entries USING (number)
    WHERE number IN (SELECT number FROM (
        SELECT number, row_number() OVER (ORDER BY number) - 1 AS place FROM finds
    ) WHERE place % ? = 0) ORDER BY number"""  # noqa: S608 - our own names

FILES = """
    SELECT DISTINCT file, sha256 FROM finds WHERE file <> '' AND sha256 <> ''
    ORDER BY file, sha256"""
UNHASHED = "SELECT count(DISTINCT file) FROM finds WHERE file <> '' AND sha256 = ''"
LISTED = "SELECT shortcut, url FROM listed ORDER BY id"
DATASETS = "SELECT shortcut, count(*) FROM datasets GROUP BY shortcut ORDER BY min(id)"


def sizes_of_finds(db: CrawlDatabase) -> Iterator[Any]:
    """Yield the final URL, type and size of every find."""
    return db.rows(SIZES)


def headers_of_tables(db: CrawlDatabase) -> Iterator[Any]:
    """Yield the column names of the largest table of every file, as JSON."""
    return db.rows(HEADERS)


def modification_dates(db: CrawlDatabase) -> Iterator[Any]:
    """Yield when finds were last modified, as servers say."""
    return db.rows(DATES)


def repeated_contents(db: CrawlDatabase) -> Iterator[Any]:
    """Yield the contents that are found more than once, the most frequent first."""
    return db.rows(COPIES)


def largest_tables(db: CrawlDatabase, most: int) -> list[int]:
    """Return the numbers of the finds with the largest tables."""
    return [int(row["number"]) for row in db.rows(LARGEST, most)]


def keys_of_finds(db: CrawlDatabase) -> Iterator[Any]:
    """Yield what finds are compared by."""
    return db.rows(KEYS)


def find_of(db: CrawlDatabase, number: int, url: str) -> Any:
    """Return the find of a request or a URL, or None."""
    return db.one(FIND, number, url)


def finds_sharing(db: CrawlDatabase, file: str, url: str, most: int) -> list[str]:
    """Return the other URLs whose find has the same file."""
    return [str(row[0]) for row in db.rows(SHARING, file, url, most)]


def pages_of_finds(db: CrawlDatabase) -> Iterator[Any]:
    """Yield the URL of every find and the page with its link."""
    return db.rows("SELECT url, found_on FROM finds")


def count_news(db: CrawlDatabase, first: int) -> int:
    """Return how many finds were new or changed from a request on."""
    return int(db.value(NEWS, first))


def dated_finds(db: CrawlDatabase, step: int) -> Iterator[Any]:
    """Yield when every so-many-th find was modified and fetched."""
    return db.rows(DATED, step)


def last_find(db: CrawlDatabase) -> int:
    """Return the number of the last find; 0 if there is none."""
    return int(db.value(LAST))


def answers_after(db: CrawlDatabase, seq: int) -> Iterator[Any]:
    """Yield the answers after an event, with the datasets that each lists."""
    return db.rows(ANSWERS, seq)


def versions_before(db: CrawlDatabase, end: int) -> Iterator[Any]:
    """Yield every version of finds that was fetched before a request."""
    return db.rows(VERSIONS, end, end)


def there_before(db: CrawlDatabase, end: int) -> dict[str, bool]:
    """Return whether each find was there by the last answer before a request."""
    return {url: bool(there) for url, there in db.rows(THERE, end)}


def numbers_of_finds(db: CrawlDatabase) -> dict[str, int]:
    """Return the numbers of finds by their final URLs."""
    return {url: int(number) for url, number in db.rows(NUMBERS)}


def changes_within(db: CrawlDatabase, first: int, end: int) -> Iterator[Any]:
    """Yield what some requests found new, changed or gone: the change and the file."""
    return itertools.chain(db.rows(FOUND, first, end), db.rows(LOST, first, end))


def page_changes(db: CrawlDatabase, first: int, end: int) -> dict[str, int]:
    """Return how many pages some requests found new, changed, same or gone."""
    return {change: int(count) for change, count in db.rows(PAGES, first, end)}


def count_not_modified(db: CrawlDatabase, first: int, end: int) -> int:
    """Return how many of some requests were answered without content (304)."""
    return int(db.value(NOT_MODIFIED, first, end))


def versions_of(db: CrawlDatabase, url: str) -> list[dict[str, Any]]:
    """Return the versions of the find at a URL, the newest first."""
    return [dict(row) for row in db.rows(ALL_VERSIONS, url)]


def copies_of(db: CrawlDatabase, sha256: str, number: int) -> list[tuple[int, str]]:
    """Return other finds with the same content: number and URL."""
    return [(int(n), str(url)) for n, url in db.rows(COPIES_OF, sha256, number)]


def sample_of_finds(db: CrawlDatabase, step: int) -> Iterator[Any]:
    """Yield every so-many-th find, with its title and what is in its file."""
    return db.rows(SAMPLE, step)


def count_finds(db: CrawlDatabase) -> int:
    """Return the number of finds."""
    return int(db.value("SELECT count(*) FROM finds"))


def has_listings(db: CrawlDatabase) -> bool:
    """Return whether an API lists files."""
    return db.one("SELECT 1 FROM listed LIMIT 1") is not None


def hashes_of_files(db: CrawlDatabase) -> Iterator[Any]:
    """Yield the files of finds with their hashes, sorted by the bytes of their paths."""
    return db.rows(FILES)


def count_unhashed(db: CrawlDatabase) -> int:
    """Return how many files of finds have no hash: only their beginning was stored."""
    return int(db.value(UNHASHED))


def listed_files(db: CrawlDatabase) -> Iterator[Any]:
    """Yield the files that APIs list: the shortcut that read the answer, and the URL as written."""
    return db.rows(LISTED)


def count_datasets(db: CrawlDatabase) -> dict[str, int]:
    """Return how many datasets each shortcut has read."""
    return {name: int(count) for name, count in db.rows(DATASETS)}
