"""A live crawl without its network: what to ask for next, and what to make of what came.

The crawl decides the order. The session adds politeness (robots.txt, delays, back-off,
retries) and journals each answer after the crawl has learned from it. It knows no sockets:
the event loop asks ``next_task`` and reports to ``receive``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from lodehound.assembly.endings import Tally
from lodehound.core.crawl import Crawl
from lodehound.core.link import Link
from lodehound.core.messages import WAIT, Answer, Ask, Page, Step, Stop
from lodehound.core.urls import host_of, origin_of, resolve
from lodehound.drivers.live.failures import FINAL_ERRORS, is_hosts_fault, note_reply, worth_a_retry
from lodehound.drivers.live.keeper import Keeper
from lodehound.drivers.live.politeness import Politeness
from lodehound.drivers.live.queue import Queue
from lodehound.drivers.live.recorded import ReplicaReplies
from lodehound.drivers.live.rendering import Rendering
from lodehound.drivers.live.responses import Responses
from lodehound.drivers.live.robots import MAX_HOPS, RobotsBook
from lodehound.drivers.live.tasks import Reply, Task, answer_of, links_of, obstacle_of
from lodehound.shortcuts.sitemap import Sitemaps, sitemap_links
from lodehound.stores.crawl_dir import FindRow

PAUSE = 0.5  # seconds between two looks at whether a paused crawl may go on


class Session:
    """Runs one crawl, request by request.

    Args:
        crawl: Decides.
        keeper: Writes down.
        politeness: When a host may be asked.
        robots: What may be asked.
        clock: Seconds since the round began, those of earlier sessions included.
        concurrency: Requests in flight, over all hosts.
        retries: Further tries of a request that failed.
        sitemaps: Which are offered when the robots.txt of a host has come.
        replica: Answers what it holds; such requests need no delays.
        responses: The WARC files that the crawl writes.
        rendering: Which pages are rendered; none unless given.
    """

    def __init__(
        self,
        crawl: Crawl,
        *,
        keeper: Keeper,
        politeness: Politeness,
        robots: RobotsBook,
        clock: Callable[[], float],
        concurrency: int = 8,
        retries: int = 2,
        sitemaps: Sitemaps = "none",
        replica: ReplicaReplies | None = None,
        responses: Responses | None = None,
        rendering: Rendering | None = None,
    ) -> None:
        self.crawl = crawl
        self.keeper = keeper
        self.politeness = politeness
        self.robots = robots
        self.clock = clock
        self.concurrency = concurrency
        self.retries = retries
        self.sitemaps = sitemaps
        self.replica = replica
        self.responses = responses or Responses()
        self.rendering = rendering or Rendering(crawl, keeper)
        self.tally = Tally()
        self.estimates = keeper.estimates
        self.stop: Stop | None = None
        self.halted = False  # the user wants no new requests
        self.on_step: Callable[[Step], None] | None = None
        self.on_wait: Callable[[], None] = lambda: None
        self.on_change: Callable[[], None] = lambda: None  # something may be asked for that waited
        self.export: Callable[[Sequence[Link]], None] = lambda _: None  # sees all links
        self._flying: dict[int, Task] = {}
        self._queue = Queue()
        self.rendering.resources.attach(self._queue, lambda task: self._admit(task, self.clock()))
        # Failures that say nothing of their URL unless their host answers for another one.
        self._held_failures: dict[str, list[tuple[Task, Reply]]] = {}
        self._looked = 0.0  # when next_task was last called
        self._nothing_to_choose = False  # the crawl has nothing to ask for until something changes

    @property
    def finished(self) -> bool:
        """Say whether nothing more will be asked and nothing is on its way."""
        if self.in_flight:
            return False
        return self.halted or self.stop is not None

    @property
    def asks_no_more(self) -> bool:
        """Say whether nothing more is asked for, not even what was chosen already."""
        return self.halted or self._overspent(self.clock()) is not None

    @property
    def waiting(self) -> int:
        """How many chosen requests wait for their host."""
        return self._queue.asks

    @property
    def obstacle(self) -> str:
        """What the crawl waits for, in words: a host that is slow or fails, or the browser."""
        slow = obstacle_of(self._queue, self._flying.values(), self.clock())
        return slow or self.rendering.under_way

    @property
    def last_find(self) -> FindRow | None:
        """The find of the last step, if it was one."""
        return self.keeper.last_find

    @property
    def in_flight(self) -> int:
        """Requests without an answer, and pages that are rendered or wait for it."""
        return len(self._flying) + self.rendering.busy

    @property
    def idle(self) -> bool:
        """Say whether nothing will be asked for unless links come from elsewhere."""
        paused = self.crawl.budget.is_paused(self.crawl.requests)
        if paused or not self._nothing_to_choose or self.in_flight or self._queue:
            return False
        return self.politeness.closed.issuperset(self.politeness.asleep(self.clock()))

    def take_up(self) -> None:
        """Ask again for what had no answer when the crawl was last stopped."""
        for ask in self.crawl.unanswered:
            self._admit(self._queue.of(ask), self.clock())

    # --- asking ---------------------------------------------------------------------------------

    def next_task(self) -> Task | None:
        """Return the next request to make now, or None."""
        now = self._looked = self.clock()
        self.stop = self.stop or self._overspent(now)
        if self.halted or self._overspent(now):
            self.rendering.end()
            return None
        if len(self._flying) >= self.concurrency:
            return None
        self.rendering.take_up()  # before the crawl is asked: it may think that nothing is left
        task = self._queue.take(now, self.politeness)
        while task is None and self.stop is None and not self._may_not_choose:
            self._choose(now)
            task = self._queue.take(now, self.politeness)
        if task is None and self._nothing_to_choose and self._only_given_up_hosts_left(now):
            self._probe_given_up_hosts(now)
            return self.next_task()
        if task is None:
            return None
        recorded = self.replica is not None and self.replica.holds(task.url)
        task = replace(task, asked_at=now, recorded=recorded)
        self._flying[task.number] = task
        if task.kind == "resource":
            self.rendering.resources.sent(task)
        elif task.kind != "page":
            self.tally.side_requests += 1
        if recorded:
            self.politeness.hold(host_of(task.url))
        else:
            self.politeness.sent(host_of(task.url), now)
        return task

    @property
    def _may_not_choose(self) -> bool:
        return self._nothing_to_choose or self.rendering.taking_up

    def sending(self, task: Task) -> None:
        """Take note that a request goes out only now: connecting took time."""
        self.politeness.sending(host_of(task.url), self.clock())

    def next_waking(self) -> float | None:
        """Return when asking again makes sense, if it is a matter of time."""
        # Not a later time: what became due since the last look would be slept through.
        now = self._looked
        # One that could go already waits for its host, whose waking is among the others.
        times = [task.ready_at for task in self._queue if task.ready_at > now]
        if (waking := self.politeness.next_waking()) is not None:
            times.append(waking)
        end = self.crawl.budget.seconds
        if end is not None and end > now:
            times.append(end)  # a host may sleep longer than the crawl has time
        if self.crawl.budget.is_paused(self.crawl.requests):
            times.append(now + PAUSE)
        return min(times, default=None)

    def _overspent(self, now: float) -> Stop | None:
        """Say whether no request may start any more, not even one that was chosen already.

        What waits then is asked for when the crawl is resumed with more.
        """
        return self.crawl.budget.spent(bytes=self.crawl.bytes, seconds=now)

    def woke(self) -> None:
        """Take note that time has passed, or that something changed: look for work again."""
        self._nothing_to_choose = False
        self.on_change()

    def _choose(self, now: float) -> None:
        """Let the crawl choose; what it chooses waits, is parked, or is answered unsent."""
        asleep = self.politeness.asleep(now)
        ask = self.crawl.next(asleep, now)
        if isinstance(ask, Stop):
            self._end(ask)
        elif ask is WAIT:
            self._nothing_to_choose = True
            if not self.crawl.is_held_back(now):
                self.keeper.waited(asleep)  # the policy was asked, and may have changed by that
        else:
            self.keeper.asked(ask, self.crawl.choice_of(ask.number), asleep)
            self._admit(self._queue.of(ask), now)

    def _only_given_up_hosts_left(self, now: float) -> bool:
        """Say whether everything that could still be asked for lies on hosts without an answer."""
        if self.crawl.budget.is_paused(self.crawl.requests) or self.crawl.expecting:
            return False
        if self.stop or self.in_flight or self._queue:
            return False
        if self._held_failures and (self.crawl.stopped or self.crawl.spent(now)):
            return True
        return self.politeness.closed.issuperset(self.politeness.asleep(now))

    def _probe_given_up_hosts(self, now: float) -> None:
        """Believe the last failures; see whether anything waits on hosts that were given up.

        The one request that shows it is set aside, unless it goes to another scheme
        of the host, which may well answer.
        """
        self._nothing_to_choose = False
        for host in list(self._held_failures):
            self._accept_held_failures(host)
        ask = self.crawl.next((), now)
        if isinstance(ask, Stop):
            self._end(ask)
            return
        if isinstance(ask, Ask):
            self.keeper.asked(ask, self.crawl.choice_of(ask.number), ())
            host = host_of(ask.url)
            if not self.politeness.suspended(host) and not self.robots.given_up(origin_of(ask.url)):
                self.politeness.reopen(host, now)
            self._admit(self._queue.of(ask), now)
        if self._only_given_up_hosts_left(now):
            self._end(Stop("exhausted"))

    def _end(self, stop: Stop) -> None:
        """Stop; what was set aside is asked for when the crawl is resumed."""
        if stop.reason == "exhausted" and self.crawl.aside:
            stop = Stop("unreachable", f"no answer from {self.tally.silent_hosts}")
        self.stop = stop

    def _admit(self, task: Task, now: float) -> None:
        origin, host = origin_of(task.url), host_of(task.url)
        if self.politeness.suspended(host):
            self._set_aside(task, "host suspended")
        elif self.robots.given_up(origin):
            self._without_rules(task, origin, host)
        elif not self.robots.knows(origin, now):
            self._park(task, origin, host)
        elif not self.robots.allows(task.url):
            self._unsent(task, "robots.txt disallows")
        else:
            self._queue.put(task)

    def _park(self, task: Task, origin: str, host: str) -> None:
        if self._queue.park(task, origin):
            self.politeness.hold(host)
            self._queue.put(self._queue.make(f"{origin}/robots.txt", kind="robots", origin=origin))

    def _without_rules(self, task: Task, origin: str, host: str) -> None:
        """Leave a host alone whose robots.txt cannot be had (RFC 9309, 2.3.1.4)."""
        obstacle = self.robots.obstacle(origin)
        if obstacle.startswith(FINAL_ERRORS):
            self._unsent(task, "robots.txt unreachable", obstacle)
            return
        if not self.robots.knows_another(origin):
            self._close(host)
        self._set_aside(task, "robots.txt unreachable", obstacle)

    def _close(self, host: str) -> None:
        """Ask a host for nothing more; what was chosen for it waits until the crawl is resumed."""
        self.politeness.close(host)
        failed = [task for task, _ in self._held_failures.pop(host, [])]
        for task in self._queue.take_for(host):
            self._set_aside(task, "host suspended")
        for task in failed:
            self._set_aside(task, "host suspended", sent=True)

    def _set_aside(self, task: Task, reason: str, detail: str = "", *, sent: bool = False) -> None:
        if task.ask is None:
            self.rendering.resources.refuse(task, reason)
            return
        self.tally.unsent[reason] += 1
        self.tally.silent[host_of(task.url)] += 1
        self.tally.note(f"{reason}: {detail}" if detail else reason)
        self.crawl.set_aside(task.ask, sent=sent)

    def _unsent(self, task: Task, reason: str, detail: str = "") -> None:
        if task.ask is None:
            self.rendering.resources.refuse(task, reason)
            return
        self.tally.unsent[reason] += 1
        error = f"{reason}: {detail}" if detail else reason
        self.tally.note(error)
        self._finish(Answer(task.ask, 0, error=error, sent=False))

    # --- receiving ------------------------------------------------------------------------------

    def give_up(self, task: Task) -> None:
        """Wait no longer for a request; it is made again when the crawl is resumed."""
        self._flying.pop(task.number, None)

    def receive(self, task: Task, reply: Reply) -> None:
        """Take in what a request brought."""
        now = self.clock()
        del self._flying[task.number]
        self._nothing_to_choose = False
        note_reply(self.politeness, task, reply, now)
        may_go_on = self.crawl.may_retry and not self.halted
        if may_go_on and worth_a_retry(task, reply, self.retries):
            self.crawl.charge()
            self.tally.retries += 1
            ready = self.politeness.retry_at(host_of(task.url), now, task.tries)
            self._queue.put(replace(task, tries=task.tries + 1, ready_at=ready))
        else:
            self._take_in(task, reply, now)
        if self.politeness.suspended(host_of(task.url)):
            self._close(host_of(task.url))

    def _take_in(self, task: Task, reply: Reply, now: float) -> None:
        self.responses.keep(
            task.url, task.method, reply, side=task.kind != "page", recorded=task.recorded
        )
        if task.kind == "robots":
            self._receive_robots(task, reply, now)
        elif task.kind == "resource":
            self.rendering.resources.receive(task, reply)
        elif is_hosts_fault(reply) and not task.recorded:
            self._held_failures.setdefault(host_of(task.url), []).append((task, reply))
        elif task.ask is not None:
            self._finish(answer_of(task.ask, reply, task.tries))
            self._accept_held_failures(host_of(task.url))

    def _accept_held_failures(self, host: str) -> None:
        """Take failures as what they are: their host does answer, or nothing else is left."""
        for task, reply in self._held_failures.pop(host, []):
            if task.ask is not None:
                self._finish(answer_of(task.ask, reply, task.tries))

    def _receive_robots(self, task: Task, reply: Reply, now: float) -> None:
        place = resolve(task.url, reply.headers.get("location", ""))
        if 300 <= reply.status < 400 and place and task.hops < MAX_HOPS:
            self._queue.put(replace(task, url=place, hops=task.hops + 1))
            return
        self.robots.learn(task.origin, reply, now)
        host = host_of(task.origin + "/")
        if not self.robots.knows_rules(task.origin) and not self.robots.given_up(task.origin):
            ready = self.politeness.retry_at(host, now, task.tries)
            again = replace(task, url=task.origin + "/robots.txt", hops=0, ready_at=ready)
            self._queue.put(replace(again, tries=task.tries + 1))
            return
        self.politeness.release(host, now)
        self.politeness.at_least(host, self.robots.delay(task.origin))
        if links := sitemap_links(task.origin, self.robots.sitemaps(task.origin), self.sitemaps):
            self.export(links)
            self.keeper.offered(f"{task.origin}/robots.txt", links)
            self.crawl.offer(links)
        for parked in self._queue.unpark(task.origin):
            self._admit(parked, now)

    def _finish(self, answer: Answer) -> None:
        """Read an answer; a page that is rendered comes back later."""
        if (page := self.rendering.admit(answer, self.crawl.read(answer))) is not None:
            self.conclude(answer, page)

    def conclude(self, answer: Answer, page: Page) -> None:
        """Let the crawl learn, and write everything down in one stroke."""
        self._nothing_to_choose = False
        if self.rendering.was_answered(answer):
            self.keeper.offered(page.url, page.links)
            self.crawl.offer(page.links)
            return
        choice = self.crawl.choice_of(answer.ask.number)
        step = self.crawl.receive(answer, page)
        self.export(links_of(choice.link, answer, page))
        self.keeper.answered(answer, choice, page, step, at=self.clock())
        self.tally.count(step, answer)
        self.tally.count_api(choice.link, answer, page, self.crawl.scope)
        self.rendering.stepped(step)
        if self.on_step is not None:
            self.on_step(step)
