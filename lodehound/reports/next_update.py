"""When the next update of a crawl pays, by estimate."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from lodehound.stores.catalogue.crawl_rounds import CrawlRound
from lodehound.stores.catalogue.find_reads import count_news, dated_finds, last_find
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.log.crawl_reader import CrawlReader

SURE = 0.95  # probability that something is new when an update pays
SAMPLE = 5000  # requests whose finds are looked at: reading a date takes longer than a row
SHORTEST = timedelta(hours=1)  # between the first round and the last: a rate needs some time
RECENT = 90.0  # days before the crawl in which files count that its first round dates
LIVE = 60.0  # seconds: what was modified that shortly before its request is made for each request
DAY = 86400.0


@dataclass(frozen=True, slots=True)
class NextUpdate:
    """The estimate.

    Attributes:
        at: The time from which on something is new with 95 % probability, UTC.
        per_day: New and changed files a day.
        basis: What the estimate rests on.
    """

    at: str
    per_day: float
    basis: str

    @property
    def sentence(self) -> str:
        rate = f"{self.per_day:,.0f}" if self.per_day >= 10 else f"{self.per_day:.2g}"
        return (
            f"pays from {self.at[:10]} on: something is new then with 95 % probability "
            f"({rate} files a day, by {self.basis})"
        )


def next_update(directory: CrawlDir) -> NextUpdate | None:
    """Estimate when the next update pays; None if nothing is known about changes."""
    rounds = directory.facts.rounds()
    with CrawlReader(directory.path) as look:
        per_day, basis = _by_rounds(look, rounds) or _by_dates(look) or (0.0, "")
    last = _moment(rounds[-1].began_at)
    if not per_day or last is None:
        return None
    days = min(-math.log(1 - SURE) / per_day, 3650.0)
    try:
        at = (last + timedelta(days=days)).astimezone(UTC)
    except OverflowError:  # a wrong clock: after the year 9999
        return None
    return NextUpdate(at.isoformat(timespec="seconds"), per_day, basis)


def _by_rounds(look: CrawlReader, rounds: list[CrawlRound]) -> tuple[float, str] | None:
    begin, end = _moment(rounds[0].began_at), _moment(rounds[-1].began_at)
    if len(rounds) < 2 or begin is None or end is None or end - begin < SHORTEST:
        return None
    news = count_news(look, rounds[1].first)
    days = (end - begin).total_seconds() / DAY
    count = len(rounds) - 1
    said = "the last update" if count == 1 else f"the last {count} updates"
    return (news + 0.5) / days, said


def _by_dates(look: CrawlReader) -> tuple[float, str] | None:
    """Count the files that were modified shortly before the crawl, in a sample of a large one."""
    step = 1 + last_find(look) // SAMPLE
    recent = dated = 0
    for modified, fetched in dated_finds(look, step):
        try:
            age = datetime.fromisoformat(fetched) - parsedate_to_datetime(modified)
        except (ValueError, TypeError):
            continue
        if age.total_seconds() > LIVE:
            dated += 1
            recent += age.total_seconds() <= RECENT * DAY
    return ((step * recent + 0.5) / RECENT, "the dates of the files") if dated else None


def _moment(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
