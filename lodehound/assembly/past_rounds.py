"""A further round of a crawl: what earlier rounds know is read from the journal."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from lodehound.assembly.build import make_crawl, starts_of
from lodehound.assembly.restore import restore
from lodehound.config import CrawlConfig
from lodehound.core.crawl import Crawl
from lodehound.core.history import Content, History
from lodehound.core.known import KnownUrls
from lodehound.core.link import Link
from lodehound.core.listing import LISTED
from lodehound.core.scope import Scope
from lodehound.core.target import Target
from lodehound.stores.catalogue.crawl_rounds import CrawlRound
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.log.crawl_reader import CrawlReader, Shown, url_of
from lodehound.stores.log.request_reads import offers_until, visits_until
from lodehound.stores.replica import Replica

DAY = 86400.0
MARK = f'"{LISTED}"'  # in the stored text of a link that an API, a sitemap or a feed lists


def round_of(directory: CrawlDir, until: int | None = None) -> CrawlRound:
    """Return the round that made a request; by default, the last one."""
    rounds = directory.facts.rounds()
    mine = [one for one in rounds if until is None or one.first <= until]
    return mine[-1] if mine else rounds[0]


def resume_round(
    config: CrawlConfig,
    directory: CrawlDir,
    replica: Replica | None = None,
    *,
    until: int | None = None,
    target: Target | None = None,
) -> Crawl:
    """Make the crawl of a round, and drive it through what the journal holds of that round.

    Args:
        config: What the user said.
        directory: The journal; a round may have no event yet.
        replica: The recorded site that answers, if one does.
        until: Stop before the request of this number; by default, the last round is restored.
        target: Stands for the one that the config names, which may not be loaded.
    """
    mine = round_of(directory, until)
    make = partial(make_crawl, config, replica, target=target)
    history = history_before(mine, config, directory, make().scope) if mine.number > 1 else None
    crawl = make(history=history)
    restore(crawl, directory, until=until, after=mine.seq, history=history)
    return crawl


def history_before(
    mine: CrawlRound, config: CrawlConfig, directory: CrawlDir, scope: Scope
) -> History:
    """Return what the rounds before this one know of every URL.

    Nothing but the journal is needed: it is the same before a round and when it is resumed.
    """
    known = KnownUrls(scope, max_hosts=config.max_hosts)
    known.admit(Link(url) for url in starts_of(config))
    history = History()
    rounds = directory.facts.rounds()[: mine.number - 1]
    with CrawlReader(directory.path) as look:
        _Past(history, known, rounds).read(look, mine.seq)
    history.begin_round(days(mine.began_at))
    history.requests = mine.first - 1
    return history


def days(moment: str) -> float:
    """Return a time of the journal in days; 0 if it cannot be read."""
    try:
        return datetime.fromisoformat(moment).timestamp() / DAY
    except ValueError:
        return 0.0


@dataclass(slots=True)
class _Past:
    """Goes through the rounds of the past.

    A link is made only of the first sighting of a URL: most sightings are those of menus.
    """

    history: History
    known: KnownUrls
    rounds: list[CrawlRound]

    def read(self, look: CrawlReader, until: int) -> None:
        """Read all visits and offers up to an event."""
        names: dict[str, str] = {}  # every URL once, however many pages show it
        judged: set[str] = set()  # URLs that were let in or refused
        left = list(reversed(self.rounds))
        for seq, kind, row in heapq.merge(
            _numbered("offer", offers_until(look, until)),
            _numbered("visit", visits_until(look, until)),
        ):
            while left and seq > left[-1].seq:
                self.history.begin_round(days(left.pop().began_at))
            depth = row["depth"] + 1 if kind == "visit" else 0
            shown = look.links_of(row[1], depth, row["links"] or b"")
            urls = [names.setdefault(url, url) for url in map(url_of, shown.parts)]
            fresh = self._fresh(shown, urls, judged)
            if kind == "offer":
                self.history.offer(fresh)
            else:
                self._visit(row, tuple(dict.fromkeys(urls)), fresh)
                listed = [shown.link(part) for part in shown.parts if MARK in part]
                if listed:
                    self.history.claim(shown.source, listed)

    def _fresh(self, shown: Shown, urls: list[str], judged: set[str]) -> tuple[Link, ...]:
        """Return the links that no page showed before."""
        pairs = zip(shown.parts, urls, strict=True)
        fresh = self.known.sift([shown.link(part) for part, url in pairs if url not in judged])[0]
        if self.known.scope.max_depth is None:  # else a page nearer to the start may let it in
            judged.update(urls)
        return fresh

    def _visit(self, row: Any, urls: tuple[str, ...], fresh: tuple[Link, ...]) -> None:
        url = row["url"]
        seen = self.history.get(url)
        source = row["source"]
        link = (
            seen.link if seen else Link(url, source, kind="a" if source else "", depth=row["depth"])
        )
        self.known.ask(url, "GET")
        content = Content(
            row["status"],
            row["mime"],
            row["digest"],
            row["location"],
            row["etag"],
            row["modified"],
            bool(row["found"]),
            urls,
        )
        self.history.visit(link, content, fresh)


def _numbered(kind: str, rows: Iterable[Any]) -> Iterator[tuple[int, str, Any]]:
    return ((row["seq"], kind, row) for row in rows)
