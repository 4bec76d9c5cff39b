"""What a request that was chosen waits for: the robots.txt of its host, or the host itself.

It also knows the hosts that were given up. It knows no sockets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from lodehound.assembly.ending import Tally
from lodehound.core.crawl import Crawl
from lodehound.core.link import Link
from lodehound.core.listing import API, api_of
from lodehound.core.lives import Event, Life, State
from lodehound.core.messages import Answer
from lodehound.core.urls import host_of, origin_of, resolve
from lodehound.drivers.live.politeness import Politeness
from lodehound.drivers.live.replies import FINAL_ERRORS, Reply
from lodehound.drivers.live.resources import SPENT, Resources
from lodehound.drivers.live.robots_book import MAX_HOPS, RobotsBook
from lodehound.shortcuts.sitemap import Sitemaps, sitemap_links


class Admission:
    """Lets requests wait, sends them on, or leaves them without an answer.

    Args:
        crawl: The crawl whose requests they are.
        politeness: When a host may be asked.
        robots: What may be asked.
        resources: Gets what pages wait for and do not get.
        tally: Counts what is not asked for.
        sitemaps: Which sitemaps of a robots.txt are offered.

    Attributes:
        finish: Takes the answer to a request that is not made.
        offer: Takes the sitemaps.
    """

    finish: Callable[[Life, Answer], object]
    offer: Callable[[str, Sequence[Link]], None]

    def __init__(
        self,
        crawl: Crawl,
        *,
        politeness: Politeness,
        robots: RobotsBook,
        resources: Resources,
        tally: Tally,
        sitemaps: Sitemaps,
    ) -> None:
        self.crawl = crawl
        self.lives = crawl.lives
        self.politeness = politeness
        self.robots = robots
        self.resources = resources
        self.tally = tally
        self.sitemaps = sitemaps

    # --- waiting ------------------------------------------------------------------------------

    def admit_page(self, life: Life, link: Link, now: float) -> None:
        """Admit the request for a link that the crawl has chosen."""
        life.host = host_of(life.url)
        life.api = api_of(link) if link.kind == API else ""
        self.admit(life, now)

    def admit(self, life: Life, now: float) -> None:
        """Queue a request for its host or for the host's robots.txt, or answer it unsent."""
        if self.politeness.suspended(life.host):
            self.set_aside(life, "host suspended")
            return
        origin = origin_of(life.url)
        rules = self.robots.rules_for(origin, life.url, now)
        if rules == "given up":
            self._without_rules(life, origin)
        elif rules == "unknown":
            self._wait_for_rules(life, origin)
        elif rules == "disallow":
            self._unsent(life, "robots.txt disallows")
        elif life.api and (rest := self.politeness.long_rest(life.api, now)):
            self.set_aside(life, "told to wait", rest)
        else:
            self.lives.move(life, Event.WAIT_FOR_HOST)

    def admit_waiting(self, now: float) -> None:
        """Admit what waits for the budget, as far as it has room; without any, nothing waits."""
        for life in self.lives.take(State.BUDGET):
            if not self.crawl.has_room:
                self.give_up_waiting()
                return
            if self.crawl.is_held:
                return
            if life.state is State.BUDGET:
                self.lives.move(life, Event.ROOM)
                self.admit(life, now)

    def give_up_waiting(self) -> None:
        """Refuse what pages wait for; the rest is asked for when the crawl is resumed."""
        for life in self.lives.take(State.BUDGET):
            if life.state is not State.BUDGET:
                continue  # refusing another one has ended it
            if life.kind == "page":
                self.lives.move(life, Event.SET_ASIDE)
            else:
                self.resources.refuse(life, SPENT, cut_short=True)

    def next_ready(self, now: float) -> Life | None:
        """Return the first request that may be made now."""
        for life in self.lives.by_state[State.ROBOTS].values():
            # Its host is held until it is there.
            if life.ready_at <= now and self.politeness.allows(life.host, now, held=True):
                return life
        rows: Iterable[Life] = self.lives.by_state[State.HOST].values()
        if self.lives.kinds["resource"] or self.lives.kinds["document"]:
            rows = sorted(rows, key=lambda life: life.kind == "page")  # the browser waits for these
        asleep = self.politeness.asleep(now)
        for life in rows:
            if life.ready_at > now or life.host in asleep:
                continue
            if not life.api or life.api not in asleep:
                return life
        return None

    # --- leaving requests without an answer -----------------------------------------------------

    def set_aside(self, life: Life, reason: str, detail: str = "") -> None:
        """Leave a request for when the crawl is resumed; a page in the browser does without."""
        if life.kind != "page":
            self.resources.refuse(life, reason)
            return
        self.tally.set_aside(host_of(life.url), reason, detail)
        self.lives.move(life, Event.SET_ASIDE)

    def _unsent(self, life: Life, reason: str, detail: str = "") -> None:
        if life.ask is None:
            self.resources.refuse(life, reason)
            return
        self.tally.unsent[reason] += 1
        error = f"{reason}: {detail}" if detail else reason
        self.tally.note(error)
        self.finish(life, Answer(life.ask, 0, error=error, sent=False))

    def close(self, host: str) -> None:
        """Ask a host for nothing more; what was chosen for it waits until the crawl is resumed."""
        self.politeness.close(host)
        self.set_aside_for(host, "host suspended")
        for life in self.lives.held(host):
            self.set_aside(life, "host suspended")

    def set_aside_for(self, name: str, reason: str, detail: str = "") -> None:
        """Leave everything that waits for a host, or for an API of it."""
        for life in self.lives.take(State.HOST):
            if life.is_for(name) and life.state is State.HOST:
                self.set_aside(life, reason, detail)

    # --- robots.txt -----------------------------------------------------------------------------

    def _wait_for_rules(self, life: Life, origin: str) -> None:
        first = not any(
            other.origin == origin for other in self.lives.by_state[State.RULES].values()
        )
        life.origin = origin
        self.lives.move(life, Event.WAIT_FOR_RULES)
        if first:
            self.politeness.hold(life.host)
            url = f"{origin}/robots.txt"
            self.lives.make(url, kind="robots", state=State.ROBOTS, origin=origin)

    def _without_rules(self, life: Life, origin: str) -> None:
        """Leave a host alone whose robots.txt cannot be had (RFC 9309, 2.3.1.4)."""
        obstacle = self.robots.obstacle(origin)
        if obstacle.startswith(FINAL_ERRORS):
            self._unsent(life, "robots.txt unreachable", obstacle)
            return
        if not self.robots.knows_another(origin):
            self.close(life.host)
        self.set_aside(life, "robots.txt unreachable", obstacle)

    def receive_robots(self, life: Life, reply: Reply, now: float) -> None:
        """Follow a robots.txt, learn its rules, and admit what waits for them."""
        place = resolve(life.url, reply.headers.get("location", ""))
        if 300 <= reply.status < 400 and place and life.hops < MAX_HOPS:
            life.url, life.host, life.hops = place, host_of(place), life.hops + 1
            self.lives.move(life, Event.AGAIN)
            return
        origin = life.origin
        self.robots.learn(origin, reply, now)
        host = host_of(origin + "/")
        if not self.robots.knows_rules(origin) and not self.robots.given_up(origin):
            life.ready_at = self.politeness.retry_at(host, now, life.tries)
            life.url, life.host, life.hops = f"{origin}/robots.txt", host, 0
            life.tries += 1
            self.lives.move(life, Event.AGAIN)
            return
        self.lives.move(life, Event.ANSWER)
        self.politeness.release(host, now)
        self.politeness.at_least(host, self.robots.delay(origin))
        if links := sitemap_links(origin, self.robots.sitemaps(origin), self.sitemaps):
            self.offer(f"{origin}/robots.txt", links)
        waiting = [life for life in self.lives.take(State.RULES) if life.origin == origin]
        for one in waiting:
            self.lives.move(one, Event.RULES_KNOWN)
        for one in waiting:
            if one.state is State.CHOSEN:
                self.admit(one, now)
