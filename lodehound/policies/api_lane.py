"""Requests to APIs come before those of the policy as long as they pay.

A request to an API is made at once if it should list many finds, and as long as a few show
whether there is an API. Other requests to APIs are links like any other, for the policy to choose:
files that are known already come before them. An API that lists more than is fetched is asked
again only as what it lists is fetched, so that a small budget is not spent on lists.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, replace

from lodehound.core.link import Link
from lodehound.core.listing import (
    API,
    LISTED,
    api_of,
    is_probe,
    promise_of,
    shortcut_of,
)
from lodehound.core.messages import Choice, Group, Outcome, offer_of
from lodehound.text.counts import counted

AT_ONCE = 20  # finds to expect from a request that is made before all others
MAX_BARREN = 20  # answers of one API in a row that list nothing new
AHEAD = 20  # requests to an API, whatever was fetched of what it lists
FETCHED_FOR = 20  # URLs that are fetched for each further request
TRIALS = 3  # requests that show whether a list has files
STOCK = 50_000  # listed URLs that wait: as many as a sitemap may have


@dataclass(slots=True)
class ApiRecord:
    """What one kind of API has brought so far."""

    requests: int = 0
    answers: int = 0  # of the API: they listed something
    entries: int = 0  # new URLs
    barren: int = 0  # answers in a row without new URLs
    fetched: int = 0  # listed URLs that were requested
    finds: int = 0

    @property
    def share(self) -> float:
        """The share of listed URLs that are finds; one of two until more is known."""
        return (self.finds + 1) / (self.fetched + 2)

    @property
    def is_ahead(self) -> bool:
        """Whether the API has been asked often enough for what was fetched so far."""
        if self.entries - self.fetched >= STOCK:
            return True
        return self.requests >= AHEAD + self.fetched // FETCHED_FOR

    def expected(self, promise: int) -> float:
        """Return the finds to expect from a request."""
        entries = promise or self.entries / max(self.requests, 1)
        return entries * self.share


class ApiLane:
    """Requests to APIs: made before all others if they should pay, else left to the policy.

    Args:
        eager: Names of the shortcuts whose requests are made at once.
        patient: Names of those whose requests wait for all others, unless they bring files.
    """

    def __init__(self, *, eager: Collection[str] = (), patient: Collection[str] = ()) -> None:
        self.eager = frozenset(eager)
        self.patient = frozenset(patient)
        self.records: defaultdict[str, ApiRecord] = defaultdict(ApiRecord)
        self._waiting: dict[str, Link] = {}
        self._in_flight: dict[str, Link] = {}

    def insights(self) -> list[str]:
        """Name the APIs that brought something."""
        return [
            f"{name}: {counted(record.entries, 'URL')} listed in "
            f"{counted(record.requests, 'request')}"
            for name, record in self.records.items()
            if record.entries
        ]

    def groups(self) -> list[Group]:
        return [self._group(name) for name, record in self.records.items() if record.requests]

    def _group(self, name: str) -> Group:
        record = self.records[name]
        waiting = [link.url for link in self._waiting.values() if shortcut_of(link) == name]
        example = waiting[0] if waiting else ""
        finds, score = float(record.finds), record.expected(0)
        return Group(_group_name(name), score, record.requests, finds, len(waiting), example)

    def group_of(self, url: str) -> str:
        link = self._waiting.get(url) or self._in_flight.get(url)
        return _group_name(shortcut_of(link)) if link is not None else ""

    def promised(self) -> float:
        return sum(self._expected(link) for link in self._waiting.values())

    def pick(self, asleep: Collection[str], *, last: bool) -> Choice | None:
        for link in self._waiting.values():
            if asleep and (link.host in asleep or api_of(link) in asleep):
                continue
            if last or self._is_due(link):
                return Choice(link, why=self._why(link), group=_group_name(shortcut_of(link)))
        return None

    def _is_due(self, link: Link) -> bool:
        """Return whether a request that should pay is made before what the policy chooses."""
        name = shortcut_of(link)
        record = self.records[name]
        if name not in self.patient or is_probe(link):
            return not record.is_ahead
        pays = record.requests < TRIALS or self._expected(link) >= AT_ONCE
        return pays and not record.is_ahead

    def take(self, choice: Choice) -> bool:
        link = self._waiting.pop(choice.link.url, None)
        if link is not None:
            self._in_flight[link.url] = link
        return link is not None

    def learn(self, outcome: Outcome) -> list[Outcome]:
        followed = outcome.choice.link if outcome.choice is not None else None
        requests = [link for link in outcome.links if link.kind == API]
        if not requests and (followed is None or followed.kind not in {API, LISTED}):
            return [outcome]
        others = tuple(link for link in outcome.links if link.kind != API)
        if followed is not None:
            self._record(followed, outcome)
        if followed is not None and self._in_flight.pop(followed.url, None) is not None:
            left = _offers(others, outcome.again)
        else:
            left = [replace(outcome, links=others)]
        self._waiting.update({link.url: link for link in requests if self._pays(link)})
        return left + _offers(tuple(link for link in requests if link.url not in self._waiting))

    def _record(self, followed: Link, outcome: Outcome) -> None:
        name = shortcut_of(followed)
        record = self.records[name]
        if followed.kind == LISTED:
            record.fetched += 1
            record.finds += outcome.verdict.found
        elif followed.kind == API:
            own = [one for one in outcome.links if shortcut_of(one) == name and not is_probe(one)]
            entries = sum(link.kind == LISTED for link in own)
            answered = bool(own) or any(shortcut_of(link) == name for link in outcome.again)
            record.requests += outcome.status > 0
            record.answers += answered
            record.entries += entries
            record.barren = 0 if entries else record.barren + 1

    def _pays(self, link: Link) -> bool:
        """Return whether a request to an API is worth making before everything else."""
        name = shortcut_of(link)
        if name not in self.eager:
            return False
        if is_probe(link) or name in self.patient:
            return True
        return self.records[name].barren < MAX_BARREN and self._expected(link) >= AT_ONCE

    def _expected(self, link: Link) -> float:
        return self.records[shortcut_of(link)].expected(promise_of(link))

    def _why(self, link: Link) -> str:
        name = shortcut_of(link)
        if is_probe(link):
            return f"{_group_name(name)}: signs of it on {link.source or 'the start page'}"
        promise = promise_of(link)
        promised = f"{promise:,} entries promised, " if promise else ""
        return f"{_group_name(name)}: {promised}{self._expected(link):.3g} finds expected"


def _offers(links: tuple[Link, ...], again: tuple[Link, ...] = ()) -> list[Outcome]:
    """Return links as an outcome of no choice, if there are any."""
    return [offer_of(links, again)] if links or again else []


def _group_name(shortcut: str) -> str:
    return f"API {shortcut}"
