"""What is known of a crawl as a whole: its config, runs and rounds."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from typing import Any

from lodehound.core.forecasts import Forecast, Outlook
from lodehound.core.messages import Evidence, YieldEstimate
from lodehound.stores.catalogue.crawl_rounds import CrawlRound, rounds_of
from lodehound.stores.database.crawl_database import CrawlDatabase
from lodehound.stores.log.journal import now
from lodehound.stores.texts import json_of

NEW_RUN = """
    INSERT OR REPLACE INTO runs SELECT coalesce(max(number), 0) + 1, ?, ?, ?, ? FROM asks"""
RUN = "SELECT * FROM runs WHERE first <= ? ORDER BY first DESC LIMIT 1"
SET = "INSERT OR REPLACE INTO meta VALUES (?, ?)"
# A round without a request is begun again.
NEW_ROUND = """
    INSERT INTO rounds SELECT
        (SELECT max(number) + (first <= (SELECT coalesce(max(number), 0) FROM asks)) FROM rounds),
        (SELECT coalesce(max(number), 0) + 1 FROM asks), ?,
        (SELECT coalesce(max(at), 0.0) FROM answers), ?, ''
    WHERE true
    ON CONFLICT (number) DO UPDATE SET began_at = excluded.began_at, ended = ''"""
END_ROUND = "UPDATE rounds SET ended = ? WHERE number = (SELECT max(number) FROM rounds)"


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run of a crawl: its first request, version and policy."""

    first: int
    version: str
    policy: str
    seed: int
    began_at: str


class CrawlFacts:
    """What is known of a crawl as a whole. Every change of it is committed, with all before it.

    Args:
        database: Where it is.
    """

    def __init__(self, database: CrawlDatabase) -> None:
        self._database = database

    def meta(self) -> dict[str, str]:
        """Return the crawl's metadata; {} for a file that was never set up."""
        if self._database.one("SELECT 1 FROM sqlite_schema WHERE name = 'meta'") is None:
            return {}
        return dict(map(tuple, self._database.rows("SELECT key, value FROM meta")))

    def change_meta(self, key: str, value: str) -> None:
        """Replace one piece of metadata."""
        with self._database.committing() as db:
            db.execute(SET, (key, value))

    def note_waiting(self, links: int) -> None:
        """Keep how many links wait; committed with the next answer."""
        with self._database.writing() as db:
            db.execute(SET, ("waiting", links))

    def note_outlook(self, outlook: Outlook) -> None:
        """Keep what is expected of the rest of the crawl; committed with the next answer."""
        with self._database.writing() as db:
            db.execute(SET, ("outlook", json.dumps(asdict(outlook))))

    def outlook(self) -> Outlook | None:
        """Return what was last expected; None if nothing was, or if it cannot be read."""
        try:
            told = json_of(self.meta().get("outlook", "null"))
            return None if told is None else _outlook(told)
        except (ValueError, TypeError, KeyError):  # a fact about the future: a new one will come
            return None

    def rounds(self) -> list[CrawlRound]:
        """Return the rounds of the crawl, the first one first."""
        return rounds_of(self._database.rows)

    def begin_round(self, seq: int) -> CrawlRound:
        """Begin a further round after an event: what follows belongs to it."""
        with self._database.committing() as db:
            db.execute(NEW_ROUND, (seq, now()))
        return self.rounds()[-1]

    def begin_run(self, version: str, policy: str, seed: int) -> None:
        """Record the version and the policy that make the next requests."""
        with self._database.committing() as db:
            db.execute(NEW_RUN, (version, policy, seed, now()))

    def run_of(self, number: int) -> RunRow | None:
        """Return the run that made a request, if it was recorded."""
        return next((RunRow(*row) for row in self._database.rows(RUN, number)), None)

    def runs(self) -> list[RunRow]:
        """Return the runs of the crawl, the first one first."""
        return [RunRow(*row) for row in self._database.rows("SELECT * FROM runs ORDER BY first")]

    def keep_end(self, reason: str) -> None:
        """Record why the crawl, and its last round, ended; "" if it continues."""
        with self._database.committing() as db:
            db.execute(END_ROUND, (reason,))
            db.execute(SET, ("ended", reason))
            if reason == "exhausted":  # links beyond a cap were dropped after the last answer
                db.execute("UPDATE meta SET value = '0' WHERE key = 'waiting'")


def _outlook(told: dict[str, Any]) -> Outlook:
    left, own = (_estimate(told[name]) for name in ("left", "sum"))
    after = tuple(
        Forecast(int(one["requests"]), *(_number(one[name]) for name in ("finds", "low", "high")))
        for one in told["next"]
    )
    counts = (int(told[name]) for name in ("checked", "held"))
    return Outlook(int(told["requests"]), int(told["finds"]), left, own, after, *counts)


def _estimate(told: dict[str, Any]) -> YieldEstimate:
    left, low, high = (_number(told[name]) for name in ("left", "low", "high"))
    known = told["evidence"]
    evidence = known and Evidence(
        int(known["waiting"]), _number(known["files"]), _number(known["soon"])
    )
    return YieldEstimate(left, low, high, evidence or None)


def _number(value: Any) -> float:
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(value)
    return number
