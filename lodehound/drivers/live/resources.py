"""What rendered pages ask for: it goes the way of all requests, or is refused.

It knows no browser and no sockets.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from lodehound.core.crawl import Crawl
from lodehound.core.link import Link
from lodehound.core.urls import canonical, host_of
from lodehound.drivers.live.keeper import Keeper
from lodehound.drivers.live.queue import Queue
from lodehound.drivers.live.rendered import Done, RenderJob
from lodehound.drivers.live.tasks import Reply, Task
from lodehound.read.mime import split_content_type
from lodehound.stores.crawl_dir.rendering import PageRequestRow

Clock = Callable[[], float]

MAX_REQUESTS = 100  # of one page
MAX_KEPT = 32 * 1024 * 1024  # bytes of scripts and answers that are kept for later pages
# What nobody should do unasked, whatever a script says.
HARMFUL = re.compile(r"(?i)(?<![a-z])(?:log|sign)[-_]?(?:out|off)|delete|unsubscribe|checkout")


class Resources:
    """Loads what rendered pages ask for, within bounds.

    Args:
        crawl: The crawl whose budget and scope count.
        keeper: Records every request.
        hosts: Further hosts that pages may load from, beside those in scope.
        clock: Seconds since the crawl began.

    Attributes:
        jobs: The pages that are rendered, by the number of their Ask.
    """

    def __init__(
        self, crawl: Crawl, keeper: Keeper, *, hosts: Iterable[str] = (), clock: Clock
    ) -> None:
        self.crawl = crawl
        self.keeper = keeper
        self.hosts = frozenset(hosts)
        self.clock = clock
        self.jobs: dict[int, RenderJob] = {}
        self._queue = Queue()
        self._admit: Callable[[Task], None] = self._queue.put
        self._done: dict[int, Done] = {}  # who waits for a resource, by the number of its task
        self._kept: dict[str, Reply] = {}
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
        if self.crawl.may_retry:
            return ""
        job.cut_short = True
        return "the budget of requests is spent"

    def _out_of_scope(self, url: str) -> str:
        scope, host = self.crawl.scope, host_of(url)
        if (outside := scope.outside(host)) and host not in self.hosts:
            return f"out of scope: {outside}"
        if scope.excludes(url):
            return "out of scope: excluded"
        harmful = HARMFUL.search(url.partition("//")[2].partition("/")[2])
        return "it may change something" if harmful else ""

    def attach(self, queue: Queue, admit: Callable[[Task], None]) -> None:
        """Say where the requests of pages go.

        Args:
            queue: Where they wait.
            admit: Checks one against robots.txt, and puts it there.
        """
        self._queue = queue
        self._admit = admit

    def load(self, job: RenderJob, url: str, kind: str, done: Done) -> None:
        """Load what a rendered page asks for; ``done`` is called with the reply, maybe at once.

        Args:
            job: The page.
            url: What it asks for.
            kind: script, fetch or xhr.
            done: Takes the reply. Status 0 and an error: it is refused, or failed.
        """
        place = canonical(url)
        if (kept := self._kept.get(place)) is not None:
            self._answer(job, place, kind, kept)
            done(kept)
        elif reason := self.refusal(job, place):
            task = Task(0, url, page=job.answer.ask.number, resource=kind)
            reply = Reply(0, error=reason)
            if job.asked <= MAX_REQUESTS + 1:  # a page may ask for ever
                self._note(task, reply, sent=False)
            done(reply)
        else:
            task = self._queue.make(place, kind="resource", source=job.page.url)
            task = replace(task, page=job.answer.ask.number, resource=kind)
            job.queued += 1
            self._done[task.number] = done
            self._admit(task)

    def load_page(self, number: int, link: Link, done: Done) -> None:
        """Load a page that an earlier run got and did not render.

        Args:
            number: Of its request then.
            link: That led to it.
            done: As above.
        """
        task = self._queue.make(link.url, kind="resource", source=link.source)
        task = replace(task, page=number, resource="document")
        self._done[task.number] = done
        self._admit(task)

    def kept(self, task: Task) -> Reply | None:
        """Return what a rendered page got for a URL, so that it is not asked for again."""
        return self._kept.get(task.url) if task.kind == "page" and task.method == "GET" else None

    def sent(self, task: Task) -> None:
        """Take note that a resource is asked for; it is charged now."""
        self.crawl.charge()
        if (job := self.jobs.get(task.page)) is not None:
            job.queued -= 1
            job.flying += 1
            job.requests += 1

    def receive(self, task: Task, reply: Reply) -> None:
        """Take in a resource that came."""
        self.crawl.charge(0, reply.size)
        self._note(task, reply, sent=True)
        if (job := self.jobs.get(task.page)) is not None:
            job.flying -= 1
            job.size += reply.size
            self._answer(job, task.url, task.resource, reply)
        if 200 <= reply.status < 300 and not reply.cut:
            self._keep(task.url, reply)
        self._deliver(task, reply)

    def refuse(self, task: Task, reason: str) -> None:
        """Tell a page that a resource will not be asked for; nobody waits for other requests."""
        if task.number not in self._done:
            return
        if (job := self.jobs.get(task.page)) is not None:
            job.queued -= 1
        reply = Reply(0, error=reason)
        self._note(task, reply, sent=False)
        self._deliver(task, reply)

    def refuse_all(self) -> None:
        """Tell pages that nothing more will be asked for: the crawl ends."""
        for task in self._queue.take_resources():
            if (job := self.jobs.get(task.page)) is not None:
                job.cut_short = True
            self.refuse(task, "the crawl ends")

    def _answer(self, job: RenderJob, url: str, kind: str, reply: Reply) -> None:
        """Keep what a page fetched: it may contain links."""
        if kind != "script" and 200 <= reply.status < 300:
            job.answers[url] = reply

    def _deliver(self, task: Task, reply: Reply) -> None:
        if (done := self._done.pop(task.number, None)) is not None:
            done(reply)

    def _note(self, task: Task, reply: Reply, *, sent: bool) -> None:
        mime = split_content_type(reply.headers.get("content-type", ""))[0]
        self.keeper.page_requested(
            PageRequestRow(
                task.page,
                task.url,
                task.resource,
                reply.status,
                mime,
                reply.size,
                sent,
                reply.error,
                self.clock(),
            )
        )

    def _keep(self, url: str, reply: Reply) -> None:
        if self._kept_bytes + len(reply.body) <= MAX_KEPT:
            self._kept[url] = reply
            self._kept_bytes += len(reply.body)
