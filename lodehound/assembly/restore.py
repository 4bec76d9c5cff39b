"""Restores a crawl from its journal."""

from __future__ import annotations

from collections.abc import Iterable

from lodehound.core.asleep import Asleep
from lodehound.core.crawl import Crawl
from lodehound.core.history import History
from lodehound.core.link import Link
from lodehound.core.messages import Choice
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.log.events import Answered, Asked, Offered, Waited


def restore(
    crawl: Crawl,
    directory: CrawlDir,
    *,
    until: int | None = None,
    after: int = 0,
    history: History | None = None,
) -> int:
    """Replay a journal to a new crawl; return the number of events.

    The policy is told every choice and its outcome. The same policy with the same seed
    continues as if it had never stopped; another one has learned what it can from the
    journal. Picks that the policy has forgotten since are not repeated. Afterwards,
    ``crawl.unanswered`` are the requests to send again.

    Args:
        crawl: A new crawl, with any policy and any budget.
        directory: Its crawl directory.
        until: Stop before the request with this number; by default, at the end.
        after: Number of the last event of the round before.
        history: What that round and those before it know; the crawl has it, too.
    """
    crawl.charge(*directory.rendering_costs())
    sightings = _Sightings(directory.journal.asked_urls(), history or History())
    crawl.begin_repeating(directory.journal.last_ask() if until is None else until - 1)
    count, asleep = 0, Asleep()
    for event in directory.journal.events(after):
        if isinstance(event, Asked):
            if event.ask.number == until:
                break
            event.sleep.apply(asleep)
            crawl.repeat(event.ask.number, sightings.choice_of(event), asleep)
        elif isinstance(event, Waited):
            event.sleep.apply(asleep)
            crawl.repeat_wait(asleep)
        elif isinstance(event, Offered):
            sightings.add(event.links)
            crawl.offer(event.links)
        else:
            sightings.add(event.page.links)
            _receive(crawl, event, history)
        count += 1
    crawl.finds += directory.finds.datasets_since(after)
    crawl.resume()
    return count


def _receive(crawl: Crawl, event: Answered, history: History | None) -> None:
    # The journal keeps what was found, and a HEAD finds nothing. It had no body either,
    # so it can be judged again.
    verdict = None if event.answer.ask.method == "HEAD" else event.verdict
    if history is not None and event.change == "same" and not event.verdict.found:
        # A find, but not found in this round.
        verdict = history.verdict(event.answer.ask.url)
    crawl.charge(event.answer.tries - 1)
    crawl.receive(event.answer, event.page, verdict)


class _Sightings:
    """The first sighting of every URL that was asked for.

    Args:
        urls: These URLs.
        history: Knows those of earlier rounds.
    """

    def __init__(self, urls: set[str], history: History) -> None:
        self._unseen = {url for url in urls if url not in history}
        self._history = history
        self._links: dict[str, Link] = {}

    def add(self, links: Iterable[Link]) -> None:
        for link in links:
            if link.url in self._unseen:
                self._unseen.remove(link.url)
                self._links[link.url] = link

    def choice_of(self, event: Asked) -> Choice:
        """Return the choice of a request; a URL that no page has shown is a start URL."""
        ask = event.ask
        known = self._history.get(ask.url)
        seen = known.link if known is not None else self._links.get(ask.url)
        link = seen or Link(ask.url, kind="a" if ask.source else "")
        link = link._replace(source=ask.source, depth=event.depth)
        return Choice(link, ask.method, event.probability, event.why, event.group)
