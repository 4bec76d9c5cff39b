"""The scheduler: takes requests from Scrapy's engine and returns them in a learned order.

The policy learns from a page when the engine has finished with it.
"""

from __future__ import annotations

import heapq
import logging
from typing import TYPE_CHECKING, Any, Self
from weakref import WeakKeyDictionary

from scrapy import Request, Spider
from scrapy.core.scheduler import BaseScheduler
from scrapy.http import Response
from scrapy.utils.job import job_dir
from scrapy.utils.misc import build_from_crawler, load_object

from lodehound.core.link import Link
from lodehound.core.messages import Choice
from lodehound.core.policy import Explains, Policy
from lodehound.core.target import Target
from lodehound.core.urls import canonical
from lodehound.scrapy.order import Flight, Lead, LearnedOrder
from lodehound.scrapy.response_reader import read_response
from lodehound.scrapy.settings import policy_and_target
from lodehound.scrapy.traffic import Traffic

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.dupefilters import BaseDupeFilter
    from twisted.internet.defer import Deferred

logger = logging.getLogger(__name__)


class LearnedScheduler(BaseScheduler):
    """Asks a policy which of the spider's requests is next.

    Some requests are sent first, without asking the policy: start requests, requests with a
    priority above 0, other methods than GET, requests with a body, requests from downloader
    middlewares (retries, redirects), and URLs that were requested before.

    Args:
        crawler: The crawler.
        dupefilter: Detects duplicate requests.
        policy: Chooses the next link.
        target: Decides what counts as a find.
    """

    def __init__(
        self, crawler: Crawler, dupefilter: BaseDupeFilter, policy: Policy, target: Target
    ) -> None:
        self._crawler = crawler
        self._dupefilter = dupefilter
        self._target = target
        self._order = LearnedOrder(policy)
        self._learning = True
        self._first = _FirstServed()
        self._traffic = Traffic(crawler)
        # Weak: Scrapy may drop a request (off site) between the spider and us.
        self._from_page: WeakKeyDictionary[Request, Flight] = WeakKeyDictionary()
        self._hosts: dict[str, set[str]] = {}  # by downloader slot

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        dupefilter = load_object(crawler.settings["DUPEFILTER_CLASS"])
        policy, target = policy_and_target(crawler.settings)
        return cls(crawler, build_from_crawler(dupefilter, crawler), policy, target)

    # --- what Scrapy's engine calls -------------------------------------------------------------

    def open(self, spider: Spider) -> Deferred[None] | None:
        """Start, and warn about settings that are not supported."""
        self._spider = spider
        settings = self._crawler.settings
        if job_dir(settings):
            self._warn(
                "JOBDIR is set, but the learned order keeps its requests in memory only: those "
                "not sent when this job stops are lost, and a resumed job treats them as done. "
                "Run jobs that must be resumed without the add-on."
            )
        if settings.getint("DEPTH_PRIORITY") < 0:
            self._warn(
                "DEPTH_PRIORITY is below 0, which gives every request a priority above 0: "
                "they are sent first and no order is learned. Remove this setting."
            )
        return self._dupefilter.open()

    def close(self, reason: str) -> Deferred[None] | None:
        """Log what was learned and what is lost."""
        self._traffic.close()
        policy = self._order.policy
        known = policy.insights() if isinstance(policy, Explains) else []
        for line in known if self._learning else ():
            logger.info("Learned: %(line)s", {"line": line}, extra={"spider": self._spider})
        lost = self._order.unsent + len(self._first)
        if lost and job_dir(self._crawler.settings):
            self._warn(f"Requests that were not sent and are not stored in JOBDIR: {lost:,}.")
        return self._dupefilter.close(reason)

    def has_pending_requests(self) -> bool:
        return bool(self._first) or self._order.unsent > 0

    def enqueue_request(self, request: Request) -> bool:
        """Add a request from the spider or from a downloader middleware."""
        page = self._from_page.pop(request, None)
        if not request.dont_filter and self._dupefilter.request_seen(request):
            self._dupefilter.log(request, self._spider)
            return False
        self._count("scheduler/enqueued/memory", "scheduler/enqueued")
        continued = self._traffic.take_continued() if page is None else None
        if continued is not None:
            continued.request = request
            self._first.push(continued)
        else:
            self._place(request, page)
        return True

    def next_request(self) -> Request | None:
        """Return the requests that are sent first, then those that the policy chooses."""
        try:
            self._end_flights()
            flight = self._first.pop() or self._chosen()
        except Exception:  # a policy is a plug-in, and must not break the spider
            self._give_up()
            flight = self._first.pop()
        if flight is None:
            return None
        self._traffic.add(flight)
        self._count("scheduler/dequeued/memory", "scheduler/dequeued", "lodehound/requests")
        return flight.request

    # --- what our middleware calls --------------------------------------------------------------

    def note_response(self, response: Response) -> None:
        """Read a response before the spider gets it."""
        flight = self._traffic.of(response)
        if flight is None or not self._learning:
            return
        self._traffic.arrived(flight)
        try:
            flight.seen = read_response(
                response, method=flight.method, depth=flight.depth, target=self._target
            )
        except Exception:  # a target is a plug-in, and must not break the spider
            self._give_up()
            return
        if flight.seen.verdict.found and flight.method == "GET":
            self._count("lodehound/finds")

    def note_request(self, request: Request, response: Response) -> None:
        """Record the page that a request of the spider comes from."""
        flight = self._traffic.of(response)
        if flight is not None and flight.seen is not None:
            self._from_page[request] = flight

    # --- incoming requests ----------------------------------------------------------------------

    def _place(self, request: Request, page: Flight | None) -> None:
        """Queue a request for the policy, or ahead of it."""
        at_once = page is None or request.priority > 0
        lead = self._lead(request, page, at_once=at_once) if self._learning else None
        if at_once or lead is None:
            self._first.push(Flight(request, lead))
            self._count("lodehound/first")

    def _lead(self, request: Request, page: Flight | None, *, at_once: bool) -> Lead | None:
        """Return the lead for a request, or None if the policy does not decide on it."""
        url = canonical(request.url) if request.method == "GET" and not request.body else ""
        if not url or self._order.knows(url):
            return None
        if page is None or page.seen is None:
            link = Link(url, kind="")
        else:
            link = page.seen.link_to(url) or self._unmatched(url, page)
            page.fresh.append(link)
        slot = self._crawler.engine.downloader.get_slot_key(request)
        self._hosts.setdefault(slot, set()).add(link.host)
        return self._order.follow(link, request, at_once=at_once)

    def _unmatched(self, url: str, page: Flight) -> Link:
        """Return a link for a URL that does not occur on its page."""
        self._count("lodehound/unmatched")
        source = page.seen.url if page.seen is not None else ""
        return Link(url, source, depth=page.depth + 1)

    # --- outgoing requests ----------------------------------------------------------------------

    def _chosen(self) -> Flight | None:
        if not self._learning:
            return None
        asleep = self._busy_hosts()
        while (chosen := self._order.choose(asleep)) is None:
            if not self._order.unsent:
                return None
            if not asleep and not self._traffic:
                self._send_left(self._order.leave())
            elif not asleep and self._traffic.stalled and any(f.fresh for f in self._traffic):
                self._release()
            else:
                self._traffic.wake_later()
                return None
            if self._first:
                return self._first.pop()
        return self._sent(*chosen)

    def _sent(self, lead: Lead, choice: Choice) -> Flight:
        request = lead.request if choice.method == "GET" else _head_of(lead.request)
        self._count("lodehound/heads" if choice.method == "HEAD" else "lodehound/chosen")
        logger.debug(
            "Chosen %(request)s: %(why)s",
            {"request": request, "why": choice.why},
            extra={"spider": self._spider},
        )
        return Flight(request, lead, choice.method)

    def _send_left(self, left: list[Lead]) -> None:
        for lead in left:
            self._first.push(Flight(lead.request, lead))
            self._count("lodehound/left")

    def _release(self) -> None:
        for flight in self._traffic:
            self._order.release(flight)

    def _busy_hosts(self) -> set[str]:
        """Return the hosts that cannot be requested immediately: a later choice is a better one."""
        return set().union(*(self._hosts.get(key, ()) for key in self._traffic.busy_slots()))

    def _end_flights(self) -> None:
        """Learn from the requests that have ended."""
        for flight in self._traffic.take_ended():
            if self._learning:
                if flight.seen is None:
                    self._count("lodehound/unanswered")
                self._order.end(flight)

    # --- the rest -------------------------------------------------------------------------------

    def _give_up(self) -> None:
        """Continue without the policy: send what waits for it in order of arrival."""
        logger.exception(
            "The learned order has failed; the crawl continues in the order of the requests.",
            extra={"spider": self._spider},
        )
        self._learning = False
        for lead in self._order.waiting():
            self._first.push(Flight(lead.request))
        self._order = LearnedOrder(self._order.policy)

    def _count(self, *names: str) -> None:
        for name in names:
            self._crawler.stats.inc_value(name)

    def _warn(self, message: str) -> None:
        logger.warning(message, extra={"spider": self._spider})


class _FirstServed:
    """Requests that do not wait for the policy: by priority, oldest first among equals."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, Flight]] = []
        self._count = 0

    def __len__(self) -> int:
        return len(self._heap)

    def push(self, flight: Flight) -> None:
        self._count += 1
        heapq.heappush(self._heap, (-flight.request.priority, self._count, flight))

    def pop(self) -> Flight | None:
        return heapq.heappop(self._heap)[2] if self._heap else None


def _head_of(request: Request) -> Request:
    """Return a HEAD request with the headers, cookies and proxy of a GET."""
    return Request(
        request.url,
        method="HEAD",
        headers=request.headers.copy(),
        cookies=request.cookies,
        # We need the response itself, whatever its status; the GET follows redirects.
        meta={**request.meta, "handle_httpstatus_all": True, "dont_redirect": True},
        encoding=request.encoding,
        dont_filter=True,
        callback=_nothing,
        errback=_nothing,
    )


def _nothing(result: Any) -> None:
    """Hide the answer to a HEAD from the spider: the scheduler has read it already."""
