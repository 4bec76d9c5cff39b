"""A live crawl without its network: what to ask for next, and what to make of what came.

The crawl decides the order. The session adds politeness (robots.txt, delays, back-off,
retries) and journals each answer after the crawl has learned from it. It knows no sockets:
the event loop asks ``next_task`` and reports to ``receive``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from lodehound.assembly.ending import Tally
from lodehound.core.crawl import Crawl
from lodehound.core.errors import ContractError
from lodehound.core.holds import EXPECTING, HALT
from lodehound.core.link import Link
from lodehound.core.lives import Event, Life, State
from lodehound.core.messages import WAIT, Answer, Ask, Page, Step, Stop, Verdict
from lodehound.core.target import judge_answer
from lodehound.core.urls import host_of, origin_of
from lodehound.drivers.live.admission import Admission
from lodehound.drivers.live.failures import is_hosts_fault, note_reply, worth_a_retry
from lodehound.drivers.live.politeness import Politeness
from lodehound.drivers.live.recorded import ReplicaReplies
from lodehound.drivers.live.recorder import Recorder
from lodehound.drivers.live.rendering import Rendering
from lodehound.drivers.live.responses import Responses
from lodehound.drivers.live.robots import RobotsBook
from lodehound.drivers.live.tasks import Reply, answer_of, links_of, obstacle_of
from lodehound.shortcuts.sitemap import Sitemaps
from lodehound.stores.catalogue.find_rows import FindRow

# A page, and what the target says of it.
Seen = tuple[Page, Verdict]

# The states of requests that will be made or are under way.
BUSY = (State.BUDGET, State.RULES, State.ROBOTS, State.HOST, State.SENT, State.BROWSER,
        State.RENDERED)  # fmt: skip
CHOICES = 50  # at most, in one turn of the event loop
PAUSE = 0.5  # seconds between two looks at whether a paused crawl may go on


class Session:
    """Runs one crawl, request by request.

    Args:
        crawl: Decides.
        recorder: Writes down.
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
        recorder: Recorder,
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
        self.recorder = recorder
        self.politeness = politeness
        self.robots = robots
        self.clock = clock
        self.concurrency = concurrency
        self.retries = retries
        self.sitemaps = sitemaps
        self.replica = replica
        self.responses = responses or Responses()
        self.rendering = rendering or Rendering(crawl, recorder)
        self.tally = Tally()
        self.estimates = recorder.estimates
        self.stop: Stop | None = None
        self.choosing = False  # next_task returned None only to let the event loop run
        self.on_step: Callable[[Step], None] | None = None
        self.on_wait: Callable[[], None] = lambda: None
        self.on_change: Callable[[], None] = lambda: None  # something may be asked for that waited
        self.export: Callable[[Sequence[Link]], None] = lambda _: None  # sees all links
        self._lives = crawl.lives
        self._admission = Admission(
            crawl,
            politeness=politeness,
            robots=robots,
            resources=self.rendering.resources,
            tally=self.tally,
            finish=self._finish,
            offer=self._offer_sitemaps,
            sitemaps=sitemaps,
        )
        self.rendering.resources.reserve = self._reserve
        self._looked = 0.0  # when next_task was last called
        self._nothing_to_choose = False  # the crawl has nothing to ask for until something changes

    # --- how it stands --------------------------------------------------------------------------

    def halt(self) -> None:
        """Ask for nothing more: the user wants the crawl to stop."""
        self.crawl.hold(HALT)

    @property
    def halted(self) -> bool:
        """Whether the user wants no new requests."""
        return HALT in self.crawl.holds

    @property
    def finished(self) -> bool:
        """Whether nothing more will be asked and nothing is on its way."""
        if self.halted:
            return not self._lives.by_state[State.SENT]  # pages in the browser are given up
        return self.stop is not None and not self.in_flight

    @property
    def asks_no_more(self) -> bool:
        """Whether nothing more is asked for, not even what was chosen already."""
        return self.halted or self._overspent(self.clock()) is not None

    @property
    def waiting(self) -> int:
        """How many chosen requests wait for their host."""
        waiting = self._lives.take(State.BUDGET, State.RULES, State.HOST)
        return sum(life.kind == "page" for life in waiting)

    @property
    def obstacle(self) -> str:
        """What the crawl waits for, in words: a host that is slow or fails, or the browser."""
        return obstacle_of(self._lives, self.clock()) or self.rendering.under_way

    @property
    def last_find(self) -> FindRow | None:
        """The find of the last step, if it was one."""
        return self.recorder.last_find

    @property
    def in_flight(self) -> int:
        """Requests without an answer, and pages that are rendered or wait for it."""
        return self._lives.count(State.SENT, State.BROWSER, State.RENDERED)

    @property
    def expects_links(self) -> bool:
        """Whether links may come from elsewhere: the crawl does not end without."""
        return EXPECTING in self.crawl.holds

    @property
    def idle(self) -> bool:
        """Whether nothing will be asked for unless links come from elsewhere."""
        busy = self.crawl.is_held or self._lives.count(*BUSY)
        return self._nothing_to_choose and not busy and self.politeness.only_given_up(self.clock())

    def resend(self) -> None:
        """Ask again for what had no answer when the crawl was last stopped."""
        for life in self._lives.take(State.CHOSEN):
            if life.choice is not None:
                self._admission.admit_page(life, life.choice.link, self.clock())

    # --- asking ---------------------------------------------------------------------------------

    def next_task(self) -> Life | None:
        """Return the next request to make now, or None.

        Choices that need no request are taken a few at a time: while ``choosing`` is true
        after the call, ask again as soon as the event loop has had its turn.
        """
        self.choosing = False
        now = self._looked = self.clock()
        overspent = self._overspent(now)
        self.stop = self.stop or overspent
        if overspent or self.halted:
            self._admission.give_up_waiting()
            self.rendering.end()
            return None
        if self.crawl.lanes.is_learning:
            self.crawl.lanes.learn_slice()
            self.choosing = True
            return None
        if len(self._lives.by_state[State.SENT]) >= self.concurrency:
            return None
        if self._lives.by_state[State.BUDGET]:
            self._admission.admit_waiting(now)
        self.rendering.load_next()  # before the crawl is asked: it may think that nothing is left
        life = self._choose_until_ready(now)
        if life is not None:
            self._send(life, now)
        elif self._nothing_to_choose and self._only_given_up_hosts_left(now):
            self._probe_given_up_hosts(now)
            return self.next_task()
        return life

    def _choose_until_ready(self, now: float) -> Life | None:
        life, choices = self._admission.next_ready(now), 0
        while not (life or self.stop or self._nothing_to_choose or self.rendering.taking_up):
            if choices == CHOICES:  # Ctrl-C, replies and the budget of time have their turn
                self.choosing = True
                break
            self._choose(now)
            choices += 1
            life = self._admission.next_ready(now)
        return life

    def _send(self, life: Life, now: float) -> None:
        self._lives.move(life, Event.SEND)
        life.asked_at = now
        life.recorded = self.replica is not None and self.replica.holds(life.url)
        if life.kind == "robots":
            self.tally.side_requests += 1
        elif life.kind != "page":
            self.rendering.resources.sent(life)
        if life.recorded:
            self.politeness.hold(life.host)
        else:
            self.politeness.sent(life.host, now)

    def _reserve(self) -> None:
        self._admission.admit_waiting(self.clock())

    def sending(self, life: Life) -> None:
        """Take note that a request goes out only now: connecting took time."""
        self.politeness.sending(life.host, self.clock())

    def next_waking(self) -> float | None:
        """Return when asking again makes sense, if it is a matter of time."""
        # Not a later time: what became due since the last look would be slept through.
        now = self._looked
        if self.choosing:
            return now
        # One that could go already waits for its host, whose waking is among the others.
        waiting = self._lives.take(State.ROBOTS, State.HOST)
        times = [life.ready_at for life in waiting if life.ready_at > now]
        self.politeness.asleep(now)  # forgets the wakings until then
        if (waking := self.politeness.next_waking()) is not None:
            times.append(waking)
        end = self.crawl.budget.seconds
        if end is not None and end > now:
            times.append(end)  # a host may sleep longer than the crawl has time
        if self.crawl.is_held:
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
                self.recorder.waited(asleep)  # the policy was asked, and may have changed by that
        else:
            self._admit(ask, asleep, now)

    def _admit(self, ask: Ask, asleep: Collection[str], now: float) -> None:
        """Write down what the crawl has chosen; it waits, or is answered unsent."""
        life = self._lives.rows[ask.number]
        if life.choice is not None:
            self.recorder.asked(ask, life.choice, asleep)
            self._admission.admit_page(life, life.choice.link, now)

    def _only_given_up_hosts_left(self, now: float) -> bool:
        """Say whether everything that could still be asked for lies on hosts without an answer."""
        if self.expects_links or self.crawl.is_held or self.stop or self._lives.count(*BUSY):
            return False
        if self._lives.by_state[State.HELD] and (self.crawl.stopped or self.crawl.spent(now)):
            return True
        return self.politeness.only_given_up(now)

    def _probe_given_up_hosts(self, now: float) -> None:
        """Believe the last failures; see whether anything waits on hosts that were given up.

        The one request that shows it is set aside, unless it goes to another scheme
        of the host, which may well answer.
        """
        self._nothing_to_choose = False
        for host in {life.host: life for life in self._lives.by_state[State.HELD].values()}:
            self._accept_held_failures(host)
        ask, aside = self.crawl.next((), now), self._lives.aside
        if isinstance(ask, Stop):
            self._end(ask)
            return
        if isinstance(ask, Ask):
            host = host_of(ask.url)
            if not self.politeness.suspended(host) and not self.robots.given_up(origin_of(ask.url)):
                self.politeness.reopen(host, now)
            self._admit(ask, (), now)
        if (ask is WAIT or self._lives.aside > aside) and self._only_given_up_hosts_left(now):
            self._end(Stop("exhausted"))

    def _end(self, stop: Stop) -> None:
        """Stop; what was set aside is asked for when the crawl is resumed."""
        if stop.reason == "exhausted" and self._lives.aside:
            stop = Stop("unreachable", f"no answer from {self.tally.silent_hosts}")
        self.stop = stop

    # --- receiving ------------------------------------------------------------------------------

    def give_up(self, life: Life) -> None:
        """Wait no longer for a request; it is made again when the crawl is resumed."""
        if life.state is State.SENT:
            self._lives.move(life, Event.SET_ASIDE if life.kind == "page" else Event.REFUSE)

    def read(self, life: Life, reply: Reply) -> Seen:
        """Read and judge what a page brought; it changes nothing, so a thread may do it."""
        if life.ask is None or life.choice is None:
            raise ContractError(f"{life.url} is no page that the crawl has chosen.")
        page = self.crawl.read(answer_of(life.ask, reply, life.tries), life.choice.link)
        return page, judge_answer(self.crawl.target, page, life.choice.link)

    def receive(self, life: Life, reply: Reply, seen: Seen | None = None) -> None:
        """Take in what a request brought, and what it was read and judged as, if it was."""
        now, host = self.clock(), life.host  # a robots.txt may lead to another one
        self._nothing_to_choose = False
        fault = is_hosts_fault(reply)
        rest = note_reply(self.politeness, life, reply, now, fault=fault)
        if rest:
            self._admission.set_aside_for(life.api, "told to wait", rest)
        again = not rest and worth_a_retry(life, reply, self.retries)
        if again and self.crawl.has_room and not self.halted:
            self.tally.retries += 1
            life.ready_at = self.politeness.retry_at(life.api or host, now, life.tries)
            life.tries += 1
            self._lives.move(life, Event.RETRY)
            self._reserve()
        else:
            fault_of_host = fault and not life.recorded
            self._take_in(life, reply, now, fault=fault_of_host, rest=rest, seen=seen)
        if fault and self.politeness.suspended(host):
            self._admission.close(host)

    def _take_in(
        self, life: Life, reply: Reply, now: float, *, fault: bool, rest: str, seen: Seen | None
    ) -> None:
        self.responses.keep(
            life.url, life.method, reply, side=life.kind != "page", recorded=life.recorded
        )
        if life.kind == "robots":
            self._admission.receive_robots(life, reply, now)
        elif life.ask is None:
            self.rendering.resources.receive(life, reply)
        elif rest:
            self._admission.set_aside(life, "told to wait", rest)
        elif fault:
            life.answer = answer_of(life.ask, reply, life.tries)
            self._lives.move(life, Event.HOLD)
        else:
            host = life.host
            self._finish(life, answer_of(life.ask, reply, life.tries), seen)
            self._accept_held_failures(host)

    def _accept_held_failures(self, host: str) -> None:
        """Take failures as what they are: their host does answer, or nothing else is left."""
        for life in self._lives.held(host):
            if life.answer is not None:
                self._finish(life, life.answer)

    def _offer(self, source: str, links: Sequence[Link]) -> None:
        """Offer links that no page showed, those of sitemaps for example."""
        self.recorder.offered(source, links)
        self.crawl.offer(links)

    def _offer_sitemaps(self, source: str, links: Sequence[Link]) -> None:
        self.export(links)
        self._offer(source, links)

    def _finish(self, life: Life, answer: Answer, seen: Seen | None = None) -> None:
        """Read an answer; a page that is rendered comes back later."""
        if life.choice is None:
            return
        page, verdict = seen or (self.crawl.read(answer, life.choice.link), None)
        if (rendered := self.rendering.admit(life, answer, page)) is not None:
            self.conclude(life, answer, rendered, verdict if rendered is page else None)

    def conclude(
        self, life: Life, answer: Answer, page: Page, verdict: Verdict | None = None
    ) -> None:
        """Let the crawl learn, and write everything down in one stroke."""
        self._nothing_to_choose = False
        if (choice := life.choice) is None:  # it has its answer: only its links are news
            self._lives.move(life, Event.ANSWER)
            self._offer(page.url, page.links)
            return
        step = self.crawl.receive(answer, page, verdict)
        self.export(links_of(choice.link, answer, page))
        self.recorder.answered(answer, choice, page, step, at=self.clock())
        self.tally.count(step, answer)
        self.tally.count_api(choice.link, answer, page)
        self.rendering.stepped(step)
        if self.on_step is not None:
            self.on_step(step)
