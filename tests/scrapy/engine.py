"""Scrapy's engine by hand: takes requests from a scheduler and answers them, without a network."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from types import SimpleNamespace
from typing import Any, cast

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.dupefilters import RFPDupeFilter
from scrapy.http import Response
from scrapy.settings import Settings
from scrapy.utils.asyncio import CallLaterResult

from lodehound.core.messages import Choice, Outcome
from lodehound.core.policy import Policy
from lodehound.core.target import Target
from lodehound.scrapy.scheduler import LearnedScheduler
from lodehound.scrapy.traffic import Traffic
from lodehound.targets.files import Files
from tests.helpers import Listening, page, place, url

CONCURRENCY = 4


def get(to: str, **options: Any) -> Request:
    """A request for a place of the tiny site."""
    return Request(url(to), **options)


class HandEngine:
    """Does what Scrapy's engine does around a scheduler, one step at a time.

    Args:
        policy: Decides which link is next.
        target: Says what counts as a find.
        settings: Of the project.
    """

    def __init__(self, policy: Policy, *, target: Target | None = None, **settings: Any) -> None:
        self.policy = policy
        self.stats: Counter[str] = Counter()
        self.seconds = 0.0
        self.alarms: list[Callable[[], None]] = []  # what the scheduler wants called later
        self.woken = 0
        self._slot = SimpleNamespace(inprogress=set(), closing=None, nextcall=self)
        self.downloader = SimpleNamespace(active=set(), slots={}, get_slot_key=_slot_of)
        self.scraper = SimpleNamespace(slot=SimpleNamespace(active=set()))
        crawler = SimpleNamespace(
            engine=self,
            settings=Settings(settings),
            stats=SimpleNamespace(inc_value=lambda name: self.stats.update([name])),
        )
        spider = Spider("hand")
        spider.crawler = cast("Crawler", crawler)
        self.scheduler = LearnedScheduler(
            spider.crawler, RFPDupeFilter(), policy, target or Files()
        )
        self.scheduler._traffic = Traffic(
            spider.crawler, clock=lambda: self.seconds, call=self._call_later
        )
        self.scheduler.open(spider)

    def schedule(self) -> None:
        """Count how often the engine is to ask the scheduler again."""
        self.woken += 1

    def hand_in(self, *requests: Request) -> list[bool]:
        """Hand in requests that no page showed."""
        return [self.scheduler.enqueue_request(request) for request in requests]

    def start(self, *places: str) -> None:
        self.hand_in(*(get(at, dont_filter=True) for at in places))

    def take(self) -> Request | None:
        """Take a request, as the engine does when there is room in the downloader."""
        request = self.scheduler.next_request()
        if request is not None:
            slot = self.downloader.slots.setdefault(
                _slot_of(request), SimpleNamespace(active=set(), concurrency=CONCURRENCY)
            )
            for requests in (self._slot.inprogress, self.downloader.active, slot.active):
                requests.add(request)
        return request

    def take_one(self) -> Request:
        """Take a request where there must be one."""
        request = self.take()
        assert request is not None, "the scheduler had nothing to give"
        return request

    def arrive(
        self, request: Request, links: str = "", *, status: int = 200, mime: str = "text/html"
    ) -> Response:
        """Let a response come: a page with these links, unless the type is another."""
        self._downloaded(request)
        self.scraper.slot.active.add(request)
        body = page(*links.split()).body if mime == "text/html" else b"a,b"
        body = b"" if request.method == "HEAD" else body
        headers = {"Content-Type": mime}
        response = Response(request.url, status, headers, body, request=request)
        self.scheduler.note_response(response)
        return response

    def follow(self, response: Response, *requests: Request) -> list[bool]:
        """Let the spider's callback ask for more."""
        for request in requests:
            self.scheduler.note_request(request, response)
        return self.hand_in(*requests)

    def done(self, request: Request) -> None:
        """Let the callback or errback end."""
        self.scraper.slot.active.remove(request)
        self._slot.inprogress.remove(request)

    def answer(self, request: Request, links: str = "", **options: Any) -> list[bool]:
        """Answer a request with a page all of whose links the spider follows, or a file."""
        response = self.arrive(request, links, **options)
        follows = links.split() if request.method != "HEAD" else []
        taken = self.follow(response, *(get(to.rpartition(":")[2]) for to in follows))
        self.done(request)
        return taken

    def fail(self, request: Request, *more: Request) -> None:
        """Let a download fail; the errback may ask for more."""
        self._downloaded(request)
        self.scraper.slot.active.add(request)
        self.hand_in(*more)
        self.done(request)

    def go_on(self, request: Request, other: Request) -> bool:
        """Let a downloader middleware hand in another request in the place of this one."""
        self._downloaded(request)
        (taken,) = self.hand_in(other)
        self._slot.inprogress.remove(request)
        return taken

    def run(self, site: dict[str, str]) -> list[str]:
        """Crawl to the end, one request at a time; return places in order, HEADs marked."""
        order = []
        while (request := self.take()) is not None:
            order.append(named(request))
            at = place(request.url)
            if at in site:
                self.answer(request, site[at])
            else:
                self.answer(request, mime="text/csv")
        return order

    def _call_later(self, seconds: float, call: Callable[[], None]) -> CallLaterResult:
        self.alarms.append(call)
        return CallLaterResult()

    def _downloaded(self, request: Request) -> None:
        self.downloader.active.remove(request)
        self.downloader.slots[_slot_of(request)].active.remove(request)


def named(request: Request) -> str:
    """The place a request asks for, with its method if that is not GET."""
    at = place(request.url)
    return at if request.method == "GET" else f"{request.method} {at}"


def names(requests: Sequence[Request]) -> list[str]:
    return [named(request) for request in requests]


def _slot_of(request: Request) -> str:
    return request.url.split("/")[2]


class LastFirst(Listening):
    """The newest link first, unlike everything that does not ask the policy."""

    def __init__(self) -> None:
        super().__init__()
        self._stack: list[Choice] = []

    def choose(self, asleep: Collection[str]) -> Choice | None:
        for index in range(len(self._stack) - 1, -1, -1):
            if self._stack[index].link.host not in asleep:
                return self._stack.pop(index)
        return None

    def learn(self, outcome: Outcome) -> None:
        super().learn(outcome)
        self._stack += [Choice(link, why="newest") for link in outcome.links]


def told(policy: Listening) -> list[tuple[str, int, list[str]]]:
    """What a policy was told: of which choice, with what status, with which new links."""
    return [
        (
            place(outcome.choice.link.url) if outcome.choice else "-",
            outcome.status,
            [place(link.url) for link in outcome.links],
        )
        for outcome in policy.outcomes
    ]
