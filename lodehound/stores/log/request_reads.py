"""Reads the requests of a crawl and their answers for reports and screens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lodehound.stores.database.crawl_database import CrawlDatabase

REQUESTS = """
    SELECT asks.number, asks.url, method, why, probability, depth, asked_at, status, mime, size,
        error, cut, tries, sent, found, label, new_links, title, location, moved
    FROM asks LEFT JOIN answers USING (number) WHERE asks.url = ? ORDER BY asks.number"""
REDIRECTS = """
    SELECT asks.url, depth, location, moved FROM asks JOIN answers USING (number)
    WHERE location <> '' OR moved <> '' ORDER BY asks.number"""
CHOSEN = """
    SELECT asks.url, coalesce(nullif(crawl_group, ''), why) AS name, found, title
    FROM asks JOIN answers USING (number)
    WHERE method = 'GET' AND sent ORDER BY asks.number"""
ASKED = """
    SELECT asks.number, asks.url, method, source, depth, status, mime, size, location, moved,
        answers.error, cut, sent, outcome
    FROM asks LEFT JOIN answers USING (number) LEFT JOIN renders ON renders.number = asks.number
    ORDER BY asks.number"""
FIRST_ASKED = "SELECT url, source, min(number) FROM asks GROUP BY url ORDER BY 3"
# Asks have no index by URL, answers do: a page on the way was answered.
ANSWERED = """
    SELECT asks.number, source FROM answers JOIN asks USING (number)
    WHERE answers.url = ? AND method = 'GET' ORDER BY asks.number LIMIT 1"""
ASK = "SELECT number, source FROM asks WHERE url = ? AND method = 'GET' ORDER BY number LIMIT 1"
# A HEAD has an answer too, but no title and no links.
PAGE = """
    SELECT title, links FROM answers WHERE url = ?
    ORDER BY coalesce(length(links), 0) DESC, length(title) DESC, seq LIMIT 1"""
# Links of a page that was rendered only in a later run.
OFFERED_ON = "SELECT links FROM offers WHERE source = ?"
# A redirect has the source of the original link.
REDIRECTED = """
    SELECT asks.url, location, moved FROM asks JOIN answers USING (number)
    WHERE source = ? AND (location <> '' OR moved <> '') AND asks.number < ?
    ORDER BY asks.number DESC"""
LAST_ANSWER = """
    SELECT status, mime, error, sent FROM answers WHERE url = ? ORDER BY seq DESC LIMIT 1"""
SPARKS = """
    SELECT seq * ? / (SELECT max(seq) + 1 FROM answers) AS part, sum(found)
    FROM answers GROUP BY part"""
RECENT = """
    SELECT coalesce(sum(tries - (NOT sent)), 0), coalesce(sum(found), 0)
    FROM (SELECT * FROM answers ORDER BY seq DESC LIMIT 200)"""
DECISIONS = """
    SELECT asks.number, asks.url, method, why, asked_at, status, error, mime, found
    FROM asks LEFT JOIN answers USING (number) ORDER BY asks.seq DESC LIMIT ?"""
# The digest of a file that an older version of the program fetched is that of its find.
VISITS = """
    SELECT answers.seq, answers.url, asks.source, asks.depth, status, answers.mime, location,
        coalesce(contents.digest, finds.sha256, versions.sha256, '') AS digest,
        coalesce(contents.etag, finds.etag, versions.etag) AS etag,
        coalesce(contents.modified, finds.last_modified, versions.last_modified) AS modified,
        answers.found, answers.links
    FROM answers JOIN asks USING (number) LEFT JOIN contents USING (number)
        LEFT JOIN finds USING (number) LEFT JOIN versions USING (number)
    WHERE sent AND method = 'GET' AND answers.seq <= ? ORDER BY answers.seq"""
DATES = "SELECT min(fetched_at), max(fetched_at) FROM answers"
OFFERS = "SELECT seq, source, links FROM offers WHERE seq <= ? ORDER BY seq"


def requests_for(db: CrawlDatabase, url: str) -> Iterator[Any]:
    """Yield the requests for a URL with their answers."""
    return db.rows(REQUESTS, url)


def redirects(db: CrawlDatabase) -> Iterator[Any]:
    """Yield the answers that lead elsewhere."""
    return db.rows(REDIRECTS)


def is_asked(db: CrawlDatabase, url: str) -> bool:
    """Return whether a URL was asked for."""
    return db.one("SELECT 1 FROM asks WHERE url = ?", url) is not None


def asked_urls(db: CrawlDatabase) -> Iterator[Any]:
    """Yield the URLs and methods of all requests."""
    return db.rows("SELECT url, method FROM asks")


def chosen_links(db: CrawlDatabase) -> Iterator[Any]:
    """Yield the links that were followed, each with its group."""
    return db.rows(CHOSEN)


def requests_and_answers(db: CrawlDatabase) -> Iterator[Any]:
    """Yield all requests, each with its answer and its rendering."""
    return db.rows(ASKED)


def first_asked(db: CrawlDatabase) -> Iterator[Any]:
    """Yield every URL that was asked for once, with the page of its link."""
    return db.rows(FIRST_ASKED)


def first_request(db: CrawlDatabase, url: str) -> Any:
    """Return number and source of the first request for a URL, one with an answer if possible."""
    return db.one(ANSWERED, url) or db.one(ASK, url)


def page_at(db: CrawlDatabase, url: str) -> Any:
    """Return title and links of a page, or None."""
    return db.one(PAGE, url)


def offered_on(db: CrawlDatabase, page: str) -> Iterator[Any]:
    """Yield links that a page showed in a browser, or a sitemap lists."""
    return db.rows(OFFERED_ON, page)


def redirects_before(db: CrawlDatabase, source: str, number: int) -> Iterator[Any]:
    """Yield the redirects of a source before a request, the last one first."""
    return db.rows(REDIRECTED, source, number)


def last_answer(db: CrawlDatabase, url: str) -> Any:
    """Return the last answer from a URL, or None."""
    return db.one(LAST_ANSWER, url)


def finds_by_part(db: CrawlDatabase, parts: int) -> list[tuple[int, int]]:
    """Return the finds of equal parts of a crawl."""
    return [(int(part), int(count)) for part, count in db.rows(SPARKS, parts)]


def recent_yield(db: CrawlDatabase) -> tuple[int, int]:
    """Return the last requests, at most 200, and their finds."""
    requests, found = db.one(RECENT)
    return int(requests), int(found)


def last_requests(db: CrawlDatabase, most: int) -> Iterator[Any]:
    """Yield the last requests with their answers, the last one first."""
    return db.rows(DECISIONS, most)


def visits_until(db: CrawlDatabase, seq: int) -> Iterator[Any]:
    """Yield the pages and files that were fetched up to an event."""
    return db.rows(VISITS, seq)


def offers_until(db: CrawlDatabase, seq: int) -> Iterator[Any]:
    """Yield the links that sitemaps and other parts offered up to an event."""
    return db.rows(OFFERS, seq)


def dates_of_answers(db: CrawlDatabase) -> tuple[str, str]:
    """Return when the first and the last answer came; "" if there is none."""
    first, last = db.one(DATES)
    return first or "", last or ""
