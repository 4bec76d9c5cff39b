"""The rounds of a crawl: its first pass over the site, and its updates."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from lodehound.core.errors import ConfigError
from lodehound.text.counts import counted

ROUNDS = """
    SELECT number, first, seq, at, began_at, ended,
        lead(first) OVER (ORDER BY number) AS next_first,
        lead(seq) OVER (ORDER BY number) AS next_seq,
        lead(at) OVER (ORDER BY number) AS next_at
    FROM rounds ORDER BY number"""
# What an answer says of the find at its URL: there, or not. A page that has taken the place of a
# file is not the find; 304 and failures say nothing new. Journals of 0.1.0 have no digests.
STATES = """
    SELECT answers.number, seq, url, fetched_at, status BETWEEN 200 AND 299 AND (
        found OR coalesce(digest, '') = '' OR digest IN (
            SELECT own.digest FROM contents AS own JOIN (
                SELECT number, final_url FROM finds UNION ALL
                SELECT number, final_url FROM versions
            ) AS version USING (number) WHERE version.final_url = answers.url)) AS there
    FROM answers LEFT JOIN contents USING (number)
    WHERE (status BETWEEN 200 AND 399 AND status <> 304 OR status IN (404, 410))"""
# Finds that were there before, and were gone in the requests from one number up to another.
GONE = f"""
    SELECT state.url, state.seq FROM ({STATES} AND answers.number >= ? AND answers.number < ?
        AND url IN (SELECT final_url FROM finds)) AS state
    WHERE NOT there AND (SELECT before.there FROM ({STATES}) AS before
        WHERE before.url = state.url AND before.seq < state.seq ORDER BY before.seq DESC LIMIT 1)
    ORDER BY state.number"""  # noqa: S608 - our own names

Rows = Callable[..., Iterable[Any]]  # runs a statement


@dataclass(frozen=True, slots=True)
class CrawlRound:
    """One round: which requests and events belong to it.

    The last round has no end yet: ``next_first``, ``next_seq`` and ``next_at`` are None.
    """

    number: int
    first: int  # number of its first request
    seq: int  # number of the event before its first
    at: float  # seconds of crawling before it
    began_at: str  # UTC
    ended: str  # why it ended; "" while it runs, or if it was killed
    next_first: int | None = None
    next_seq: int | None = None
    next_at: float | None = None


def rounds_of(rows: Rows) -> list[CrawlRound]:
    """Return the rounds of a crawl, the first one first."""
    return [CrawlRound(*row) for row in rows(ROUNDS)]


def round_named(rounds: list[CrawlRound], number: int | None) -> CrawlRound:
    """Return a round by its number; the last one for None."""
    if number is None:
        return rounds[-1]
    if not 1 <= number <= len(rounds):
        raise ConfigError(
            f"There is no round {number}: the crawl has {counted(len(rounds), 'round')}."
        )
    return rounds[number - 1]
