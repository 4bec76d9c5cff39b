"""Takes in what requests bring: another try, a page for the browser, or an answer.

The crawl learns from an answer first; then the answer is committed in one transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lodehound.core.crawl import Crawl
from lodehound.core.errors import ContractError
from lodehound.core.holds import HALT
from lodehound.core.link import Link
from lodehound.core.lives import Event, Life, State
from lodehound.core.messages import Answer, Page, Step, Verdict
from lodehound.core.target import judge_answer
from lodehound.drivers.live.choosing import Choosing
from lodehound.drivers.live.replies import (
    RETRIED,
    TOO_MUCH,
    Reply,
    answer_of,
    is_hosts_fault,
    links_of,
    retry_after,
    worth_a_retry,
)
from lodehound.drivers.live.responses import Responses

# A page, and what the target says of it.
Seen = tuple[Page, Verdict]


class Receiving:
    """Takes in replies.

    Args:
        crawl: Learns from them.
        choosing: What is chosen next; it goes on with every reply.
        responses: The WARC files that the crawl writes.
        retries: Further tries of a request that failed.
        clock: Seconds since the round began.

    Attributes:
        on_step: Sees every step.
        export: Sees all links of all pages; of a crawl without other parts, nobody does.
    """

    def __init__(
        self,
        crawl: Crawl,
        choosing: Choosing,
        *,
        responses: Responses,
        retries: int,
        clock: Callable[[], float],
    ) -> None:
        self.crawl = crawl
        self.lives = crawl.lives
        self.choosing = choosing
        self.recorder = choosing.recorder
        self.rendering = choosing.rendering
        self.admission = choosing.admission
        self.politeness = self.admission.politeness
        self.tally = self.admission.tally
        self.responses = responses
        self.retries = retries
        self.clock = clock
        self.on_step: Callable[[Step], None] | None = None
        self.export: Callable[[Sequence[Link]], None] | None = None
        choosing.accept_failures = self.accept_held_failures
        self.admission.finish = self.finish
        self.admission.offer = self.offer_sitemaps

    def read(self, life: Life, reply: Reply) -> Seen:
        """Read and judge what a page brought; it changes nothing, so a thread may do it."""
        if life.ask is None or life.choice is None:
            raise ContractError(f"{life.url} is no page that the crawl has chosen.")
        page = self.crawl.read(answer_of(life.ask, reply, life.tries), life.choice.link)
        return page, judge_answer(self.crawl.target, page, life.choice.link)

    def receive(self, life: Life, reply: Reply, seen: Seen | None = None) -> None:
        """Take in what a request brought, and what it was read and judged as, if it was."""
        now, host = self.clock(), life.host  # a robots.txt may lead to another one
        self.choosing.is_done = False
        fault = is_hosts_fault(reply)
        rest = self._note_host(life, reply, now, fault=fault)
        if rest:
            self.admission.set_aside_for(life.api, "told to wait", rest)
        again = reply.status in RETRIED and not rest and worth_a_retry(life, reply, self.retries)
        if again and self.crawl.has_room and HALT not in self.crawl.holds:
            self._try_again(life, now)
        else:
            self._take_in(life, reply, now, fault=fault and not life.recorded, rest=rest, seen=seen)
        if fault and self.politeness.suspended(host):
            self.admission.close(host)

    def _note_host(self, life: Life, reply: Reply, now: float, *, fault: bool) -> str:
        """Note what a reply means for its host; return why its API is not waited for, or ""."""
        politeness = self.politeness
        if life.recorded:
            politeness.release(life.host, now)
            return ""
        pause = retry_after(reply) if fault else 0.0
        api_is_tired = bool(life.api) and reply.status in TOO_MUCH
        if life.api:
            politeness.rest_api(life.api, now, failed=api_is_tired, seconds=pause)
        politeness.came_back(
            life.host,
            now,
            failed=fault and not api_is_tired,
            retry_after=pause,
            asked_at=life.asked_at,
            again=life.tries > 1,
        )
        return politeness.long_rest(life.api, now) if fault and life.api else ""

    def _try_again(self, life: Life, now: float) -> None:
        self.tally.retries += 1
        life.ready_at = self.politeness.retry_at(life.api or life.host, now, life.tries)
        life.tries += 1
        self.lives.move(life, Event.RETRY)
        self.admission.admit_waiting(now)

    def _take_in(
        self, life: Life, reply: Reply, now: float, *, fault: bool, rest: str, seen: Seen | None
    ) -> None:
        if self.responses.shelves:
            self.responses.keep(life, reply)
        if life.kind == "robots":
            self.admission.receive_robots(life, reply, now)
        elif life.ask is None:
            self.rendering.resources.receive(life, reply)
        elif rest:
            self.admission.set_aside(life, "told to wait", rest)
        elif fault:
            life.answer = answer_of(life.ask, reply, life.tries)
            self.lives.move(life, Event.HOLD)
        else:
            self.finish(life, answer_of(life.ask, reply, life.tries), seen)
            if self.lives.by_state[State.HELD]:
                self.accept_held_failures(life.host)

    def accept_held_failures(self, host: str) -> None:
        """Take failures as what they are: their host does answer, or nothing else is left."""
        for life in self.lives.held(host):
            if life.answer is not None:
                self.finish(life, life.answer)

    def finish(self, life: Life, answer: Answer, seen: Seen | None = None) -> None:
        """Read an answer; a page that is rendered comes back later."""
        if life.choice is None:
            return
        page, verdict = seen or (self.crawl.read(answer, life.choice.link), None)
        if (rendered := self.rendering.admit(life, answer, page)) is not None:
            self.conclude(life, answer, rendered, verdict if rendered is page else None)

    def conclude(
        self, life: Life, answer: Answer, page: Page, verdict: Verdict | None = None
    ) -> None:
        """Learn from an answer, then commit the answer and its find in one transaction."""
        self.choosing.is_done = False
        if (choice := life.choice) is None:  # it has its answer: only its links are news
            self.lives.move(life, Event.ANSWER)
            self._offer(page.url, page.links)
            return
        step = self.crawl.receive(answer, page, verdict)
        if self.export is not None:
            self.export(links_of(choice.link, answer, page))
        self.recorder.answered(answer, choice, page, step, at=self.clock())
        self.tally.count(choice.link, answer, page)
        self.rendering.stepped(step)
        if self.on_step is not None:
            self.on_step(step)

    def offer_sitemaps(self, source: str, links: Sequence[Link]) -> None:
        """Offer the sitemaps that a robots.txt names."""
        if self.export is not None:
            self.export(links)
        self._offer(source, links)

    def _offer(self, source: str, links: Sequence[Link]) -> None:
        """Offer links that no page showed."""
        self.recorder.offered(source, links)
        self.crawl.offer(links)
