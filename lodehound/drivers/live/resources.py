"""What rendered pages ask for: it goes the way of all requests, or is refused.

It knows no browser and no sockets.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial

from lodehound.core.crawl import Crawl
from lodehound.core.link import Link
from lodehound.core.lives import Event, Kind, Life, State
from lodehound.core.urls import canonical, host_of
from lodehound.drivers.live.recorder import Recorder
from lodehound.drivers.live.rendered import Done, Load, RenderJob
from lodehound.drivers.live.replies import Reply
from lodehound.read.mime import split_content_type
from lodehound.stores.log.events import PageRequestRow

Clock = Callable[[], float]

PAGES = "rendered-pages"  # what scripts fetch from a host sleeps as one API
MAX_REQUESTS = 100  # of one page
SPENT = "the budget of requests is spent"
MAX_KEPT = 32 * 1024 * 1024  # bytes of scripts and answers that are kept for later pages
# What nobody should do unasked, whatever a script says.
HARMFUL = re.compile(r"(?i)(?<![a-z])(?:log|sign)[-_]?(?:out|off)|delete|unsubscribe|checkout")


class Resources:
    """Loads what rendered pages ask for, within bounds.

    Args:
        crawl: The crawl whose budget and scope count.
        recorder: Records every request.
        hosts: Further hosts that pages may load from, beside those in scope.
        clock: Seconds since the crawl began.

    Attributes:
        kept_replies: What rendered pages got, by URL, so that it is not asked for again.
    """

    def __init__(
        self, crawl: Crawl, recorder: Recorder, *, hosts: Iterable[str] = (), clock: Clock
    ) -> None:
        self.crawl = crawl
        self.recorder = recorder
        self.hosts = frozenset(hosts)
        self.clock = clock
        self.lives = crawl.lives
        self.reserve: Callable[[], None] = lambda: None  # charges requests, and lets them wait
        self.kept_replies: dict[str, Reply] = {}
        self._kept_bytes = 0

    def refusal(self, job: RenderJob, url: str) -> str:
        """Return why a page may not ask for a URL, or ""."""
        job.asked += 1
        if not host_of(url):
            return "not a web address"
        if job.asked > MAX_REQUESTS:
            return f"more than {MAX_REQUESTS} requests of one page"
        if reason := self._out_of_scope(url):
            return reason
        if self.crawl.has_room:
            return ""
        job.cut_short = True
        return SPENT

    def _out_of_scope(self, url: str) -> str:
        scope, host = self.crawl.scope, host_of(url)
        if (outside := scope.outside(host)) and host not in self.hosts:
            return f"out of scope: {outside}"
        if scope.excludes(url):
            return "out of scope: excluded"
        harmful = HARMFUL.search(url.partition("//")[2].partition("/")[2])
        return "it may change something" if harmful else ""

    def load(self, job: RenderJob, url: str, kind: str, done: Done) -> None:
        """Load what a rendered page asks for; ``done`` is called with the reply, maybe at once.

        Args:
            job: The page.
            url: What it asks for.
            kind: script, fetch or xhr.
            done: Takes the reply. Status 0 and an error: it is refused, or failed.
        """
        place = canonical(url)
        if (kept := self.kept_replies.get(place)) is not None:
            self._answer(job, place, kind, kept)
            done(kept)
        elif job.asked < MAX_REQUESTS and (same := self._pending(place)) is not None:
            job.asked += 1
            _wait(same, job, done)
        elif reason := self.refusal(job, place):
            reply = Reply(0, error=reason)
            if job.asked <= MAX_REQUESTS + 1:  # a page may ask for ever
                self._note(job.answer.ask.number, url, kind, reply, sent=False)
            done(reply)
        else:
            life = self._make(place, job.answer.ask.number, "resource", kind, job.page.url)
            life.api = "" if kind == "script" else f"{life.host} {PAGES}"
            _wait(life, job, done)
            self.reserve()

    def load_page(self, number: int, link: Link, came: Callable[[Life, Reply], None]) -> None:
        """Load a page that an earlier run got and did not render.

        Args:
            number: Of its request then.
            link: That led to it.
            came: Takes the reply. With status 0 it is refused, or failed.
        """
        life = self._make(link.url, number, "document", "document", link.source)
        life.work.dones.append(partial(came, life))
        self.reserve()

    def _make(self, url: str, page: int, kind: Kind, resource: str, source: str) -> Life:
        return self.lives.make(
            url, kind=kind, state=State.BUDGET, source=source, page=page, resource=resource,
            work=Load(),
        )  # fmt: skip

    def _pending(self, url: str) -> Life | None:
        """Return the request for a URL whose reply pages can wait for."""
        rows = self.lives.rows.values()
        found = (life for life in rows if life.url == url and isinstance(life.work, Load))
        return next(found, None)

    def sent(self, life: Life) -> None:
        """Take note that a resource is asked for."""
        for job in life.work.jobs[:1]:
            job.requests += 1

    def receive(self, life: Life, reply: Reply) -> None:
        """Take in a resource that came."""
        self.crawl.charge(0, reply.size)
        self._note(life.page, life.url, life.resource, reply, sent=True)
        for job in life.work.jobs[:1]:  # the page that asked first
            job.size += reply.size
        if 200 <= reply.status < 300 and not reply.cut:
            self._keep(life.url, reply)
        self._deliver(life, reply)

    def refuse(self, life: Life, reason: str, *, cut_short: bool = False) -> None:
        """Refuse a resource that is not on its way.

        Args:
            life: The request.
            reason: Why it is not made.
            cut_short: The page could have had it if the crawl went on.
        """
        for job in life.work.jobs if cut_short else ():
            job.cut_short = True
        reply = Reply(0, error=reason)
        self._note(life.page, life.url, life.resource, reply, sent=False)
        self._deliver(life, reply)

    def refuse_all(self) -> None:
        """Refuse what waits for its host: the crawl ends."""
        for life in self.lives.take(State.HOST, State.RULES):
            if isinstance(life.work, Load):
                self.refuse(life, "the crawl ends", cut_short=True)

    def _answer(self, job: RenderJob, url: str, kind: str, reply: Reply) -> None:
        """Keep what a page fetched: it may contain links."""
        if kind != "script" and 200 <= reply.status < 300:
            job.answers[url] = reply

    def _deliver(self, life: Life, reply: Reply) -> None:
        """Give a reply to everything that waits for it; a document may need the browser then."""
        load, life.work = life.work, None
        for job in load.jobs:
            job.loads.remove(life)
            self._answer(job, life.url, life.resource, reply)
        for done in load.dones:
            done(reply)
        if life.work is None:
            self.lives.move(life, Event.ANSWER if life.state is State.SENT else Event.REFUSE)

    def _note(self, page: int, url: str, kind: str, reply: Reply, *, sent: bool) -> None:
        mime = split_content_type(reply.headers.get("content-type", ""))[0]
        row = PageRequestRow(
            page, url, kind, reply.status, mime, reply.size, sent, reply.error, self.clock()
        )
        self.recorder.page_requested(row)

    def _keep(self, url: str, reply: Reply) -> None:
        if self._kept_bytes + len(reply.body) <= MAX_KEPT:
            self.kept_replies[url] = reply
            self._kept_bytes += len(reply.body)


def _wait(life: Life, job: RenderJob, done: Done) -> None:
    """Add a request that a page waits for."""
    life.work.dones.append(done)
    if life not in job.loads:
        life.work.jobs.append(job)
        job.loads.append(life)
