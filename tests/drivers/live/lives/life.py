"""One session from its beginning to its end, driven as the event loop drives it."""

from __future__ import annotations

import heapq
import itertools
import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from lodehound.assembly.restore import restore
from lodehound.core.crawl import Crawl
from lodehound.core.lanes import Lanes
from lodehound.core.link import Link
from lodehound.core.lives import Life as Request
from lodehound.core.policy import Policy
from lodehound.core.scope import Scope
from lodehound.core.stop import Budget
from lodehound.drivers.live.politeness import Politeness
from lodehound.drivers.live.rendered import DocumentState, Rendered, RenderJob
from lodehound.drivers.live.rendering import Rendering
from lodehound.drivers.live.replies import Reply
from lodehound.drivers.live.robots_book import RobotsBook
from lodehound.drivers.live.session import Session
from lodehound.learn.render_choice import RenderChoice
from lodehound.papers.sb_classifier.sb_classifier import SbClassifier
from lodehound.policies.api_lane import ApiLane
from lodehound.policies.bfs import Bfs
from lodehound.policies.lodehound.lodehound_policy import LodehoundPolicy
from lodehound.targets.files import Files
from tests.drivers.live.lives.memory import MemoryJournal
from tests.drivers.live.lives.site import API, ROOT, Site, read

MARGIN = 0.01
SLOW = 3.0  # seconds that an answer takes at most
LONG = 30_000  # turns of the loop that no life takes
GRANT = "a grant"
Make = Callable[[], Policy]
POLICIES: tuple[Make, ...] = (
    *(Bfs,) * 6,  # it is the fastest
    partial(SbClassifier, b=3, seed=1),
    partial(LodehoundPolicy, seed=1),
)


@dataclass(frozen=True)
class Plan:
    """How a session is run, and how it is disturbed."""

    policy: Make
    budget: Budget
    grants: tuple[int, int] | None  # requests granted at first and in all, a few at a time
    delay: float
    concurrency: int
    retries: int
    render: str  # auto, always or missing
    suspend_after: int  # failures in a row after which a host is given up
    halts: tuple[int, ...]  # the user presses Ctrl-C while this request is on its way
    killed: int | None  # the process is killed while this request is on its way

    @classmethod
    def drawn(
        cls, rng: random.Random, policy: Callable[[], Policy], journal: MemoryJournal, now: float
    ) -> Plan:
        """Draw a plan for what is left; no budget is smaller than what was used already."""
        charged = journal.charged()

        def maybe(share: float, value: float) -> float | None:
            return value if rng.random() < share else None

        few = charged + rng.randint(1, 12)
        requests, grants = maybe(0.4, few), maybe(0.25, few)
        seconds = maybe(0.2, now + rng.uniform(1, 60))
        finds = maybe(0.2, journal.finds_at_most() + rng.randint(1, 4))
        size = maybe(0.15, rng.randint(50, 2000))
        halts = [rng.randint(1, 20) for _ in range(rng.choice([0, 0, 1, 2]))]
        return cls(
            policy,
            Budget(
                requests=None if requests is None else int(requests),
                bytes=None if size is None else int(size),
                seconds=seconds,
                finds=None if finds is None else int(finds),
            ),
            None if grants is None else (charged, int(grants)),
            rng.choice([0.0, 0.5, 1.0]),
            rng.choice([1, 2, 8]),
            rng.choice([0, 1, 2]),
            rng.choice(["auto", "auto", "always", "missing"]),
            rng.choice([2, 3, 10]),
            tuple(halts),
            rng.randint(1, 20) if rng.random() < 0.15 else None,
        )


class Life:
    """Drives a session. Whatever is asserted here holds at any moment of any life."""

    def __init__(
        self, site: Site, journal: MemoryJournal, plan: Plan, rng: random.Random, now: float
    ) -> None:
        self.site = site
        self.journal = journal
        self.plan = plan
        self.rng = rng
        self.now = now
        self.crawl = self._crawl()
        restore(self.crawl, journal)  # type: ignore[arg-type]
        self.charged_before = self.crawl.requests - len(self.crawl.unanswered)
        self.session = self._session()
        self.sent = 0  # requests
        self.charged = self.charged_before  # requests that count towards the budget
        self.asked: set[tuple[str, str]] = set()  # methods and URLs of pages
        self.flying: dict[int, Request] = {}
        self.pages: dict[int, RenderJob] = {}
        self.loaded: set[str] = set()  # what pages loaded with success
        self.answered = {event.answer.ask for event in journal.answers()}
        self.killed = self.aborted = False
        self.ends_by = math.inf  # once it is halted, it waits for nothing but what is on its way
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._order = itertools.count()

    def _crawl(self) -> Crawl:
        return Crawl(
            [Link(ROOT)],
            policy=Lanes(self.plan.policy(), [ApiLane(eager=[API])]),
            target=Files(),
            read=read,
            scope=Scope.around([ROOT]),
            budget=self.plan.budget,
        )

    def _session(self) -> Session:
        plan, journal = self.plan, self.journal
        rendering = Rendering(
            self.crawl,
            journal,  # type: ignore[arg-type]
            choice=RenderChoice(always=plan.render == "always"),
            obstacle="missing" if plan.render == "missing" else None,
            clock=lambda: self.now,
        )
        rendering.restore(journal)  # type: ignore[arg-type]
        session = Session(
            self.crawl,
            recorder=journal,  # type: ignore[arg-type]
            politeness=Politeness(
                delay=plan.delay,
                max_in_flight=plan.concurrency,
                backoff=2.0,
                suspend_after=plan.suspend_after,
            ),
            robots=RobotsBook("lodehound"),
            clock=lambda: self.now,
            concurrency=plan.concurrency,
            retries=plan.retries,
            sitemaps="named",
            rendering=rendering,
        )
        session.resend()
        return session

    # --- the loop -----------------------------------------------------------------------------

    def run(self) -> Life:
        """Run to the end, or until the process is killed."""
        if self.plan.grants is not None:
            self.crawl.hold(GRANT, after=self.plan.grants[0])
            self._at(self.now + 1, self._grant)
        for _ in range(LONG):
            assert self.now <= self.ends_by, "It goes on after Ctrl-C."
            if self.aborted or self.killed:
                break
            if not self.session.halted and self._start_page():
                continue
            if (task := self.session.next_task()) is not None:
                self._send(task)
            elif self.session.finished:
                break
            else:
                self._sleep()
        else:
            raise AssertionError("This life does not end.")
        if self.killed:
            self.journal.lose()
        self.journal.close()
        return self

    def _at(self, time: float, event: Callable[[], None]) -> None:
        heapq.heappush(self._due, (time, next(self._order), event))

    def _sleep(self) -> None:
        """Go on to the next event, or to the time that the session named."""
        if self.session.asks_no_more:
            for task in [task for task in self.flying.values() if task.kind == "robots"]:
                del self.flying[task.number]
                self.session.give_up(task)
            if self.session.finished:
                return
        waking = self.session.next_waking()
        assert waking is not None or self.session.in_flight, "The session waits for nobody."
        until = None if waking is None else max(waking, self.now) + MARGIN
        if until is not None and (not self._due or until < self._due[0][0]):
            self.now = until
            self.session.woke()
            return
        assert self._due, "What the session waits for never comes."
        time, _, event = heapq.heappop(self._due)
        self.now = max(self.now, time)
        event()

    # --- requests -----------------------------------------------------------------------------

    def _send(self, task: Request) -> None:
        budget, crawl = self.crawl.budget, self.crawl
        assert not self.session.halted
        assert budget.seconds is None or self.now < budget.seconds
        assert budget.bytes is None or crawl.bytes < budget.bytes
        self._check_twice(task)
        self.sent += 1
        if task.kind != "robots":
            self.charged += 1
            granted = self.crawl.holds.get(GRANT)
            limits = [most for most in (budget.requests, granted) if most is not None]
            assert not limits or self.charged <= min(limits), "The budget is exceeded."
        self.flying[task.number] = task
        self._at(self.now + self.rng.choice([0.0, 0.1, 0.1, SLOW]), lambda: self._receive(task))
        for number in (*self.plan.halts, self.plan.killed):
            if number == self.sent:
                self._at(self.now, self._kill if number == self.plan.killed else self._halt)

    def _check_twice(self, task: Request) -> None:
        if task.kind == "page" and task.tries == 1:
            assert task.ask not in self.answered, "It was answered in an earlier session."
            assert (task.method, task.url) not in self.asked
            self.asked.add((task.method, task.url))
        elif task.kind == "resource" and task.resource != "document":
            flying = {one.url for one in self.flying.values() if one.kind == "resource"}
            assert task.url not in self.loaded | flying, "A page loads it a second time."

    def _kept(self, task: Request) -> Reply | None:
        kept = self.session.rendering.resources.kept_replies
        return kept.get(task.url) if task.kind == "page" and task.method == "GET" else None

    def _receive(self, task: Request) -> None:
        if self.flying.pop(task.number, None) is None:
            return  # it was given up
        reply = self._kept(task) or self.site.reply(task.url)
        if task.kind == "resource" and 200 <= reply.status < 300:
            self.loaded.add(task.url)
        self.session.receive(task, reply)
        budget = self.crawl.budget
        assert budget.finds is None or self.crawl.finds <= budget.finds

    # --- pages in the browser ---------------------------------------------------------------------

    def _start_page(self) -> bool:
        job = self.session.rendering.next_job(self.session.conclude)
        if job is None:
            return False
        self.pages[id(job)] = job
        self._turn(job, list(self.site.loads.get(job.page.url, [])))
        return True

    def _turn(self, job: RenderJob, turns: list[list[str]]) -> None:
        """Let a page ask for things; when they are there, for the next ones."""
        if self.pages.get(id(job)) is not job:
            return
        if not turns or self.rng.random() < 0.05:  # perhaps it is stopped
            self._at(self.now + self.rng.random(), lambda: self._finish(job))
            return
        waiting = list(turns[0])
        left = len(waiting)

        def done(_: Reply) -> None:
            nonlocal left
            left -= 1
            if not left:
                self._at(self.now + 0.1, lambda: self._turn(job, turns[1:]))

        for url in waiting:
            self.session.rendering.resources.load(job, url, "fetch", done)
        if not waiting:
            self._turn(job, turns[1:])
        elif self.rng.random() < 0.5:
            self._at(self.now + self.rng.uniform(1, 9), lambda: self._yield(job))

    def _yield(self, job: RenderJob) -> None:
        """Leave the browser to another crawl, as pages do that wait for the budget."""
        if self.pages.get(id(job)) is job and job.is_paused:
            job.yielded = True
            del self.pages[id(job)]
            assert self.session.rendering.put_back(job)

    def _finish(self, job: RenderJob) -> None:
        if self.pages.pop(id(job), None) is None:
            return  # it was given up
        html = self.site.document(job.page.url).decode() if job.page.url in self.site.links else ""
        shown = Rendered((DocumentState(job.page.url, html),), seconds=0.5)
        failed = Rendered(error="stopped after 20 s")
        rendered = failed if self.rng.random() < 0.1 and not self.site.healed else shown
        rendering = self.session.rendering
        if not rendering.put_back(job):
            links = rendering.read(job, rendered)
            self.session.conclude(job.life, *rendering.finish(job, rendered, links))

    # --- what disturbs it -------------------------------------------------------------------------

    def _halt(self) -> None:
        """As the event loop does it: the second time, what is in flight is given up."""
        self.aborted = self.session.halted
        self.session.halt()
        self.ends_by = self.now + SLOW + MARGIN
        self.session.rendering.drop()
        self.pages.clear()

    def _kill(self) -> None:
        self.killed = True

    def _grant(self) -> None:
        """Grant more of a shared budget; end the session once it is spent."""
        granted = self.crawl.holds.get(GRANT)
        assert self.plan.grants is not None
        assert granted is not None
        total = self.plan.grants[1]
        if granted < total:
            self.crawl.hold(GRANT, after=min(total, granted + self.rng.randint(1, 10)))
        elif self.crawl.is_held and self.crawl.requests:
            self.crawl.close_budget()
            self.crawl.release(GRANT)
            self.session.woke()
            return
        self._at(self.now + 2, self._grant)
