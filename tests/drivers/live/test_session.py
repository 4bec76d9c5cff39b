"""A live crawl without its network: replies are given, the clock is set by hand."""

from __future__ import annotations

from collections.abc import Callable, Collection
from itertools import pairwise
from typing import Any

import pytest

from lodehound.core.crawl import Crawl
from lodehound.core.link import Link
from lodehound.core.messages import Answer, Ask, Choice, Page, Step, Stop
from lodehound.core.scope import Scope
from lodehound.core.stop import Budget
from lodehound.drivers.live.choosing import CHOICES
from lodehound.drivers.live.fetch import Reply
from lodehound.drivers.live.politeness import Politeness
from lodehound.drivers.live.replies import retry_after
from lodehound.drivers.live.robots_book import RobotsBook
from lodehound.drivers.live.session import Session
from lodehound.policies.bfs import Bfs
from lodehound.read.page import read_page
from lodehound.stores.catalogue.renders import RenderRow
from lodehound.stores.log.events import EstimateRow, PageRequestRow
from lodehound.targets.files import Files

ROOT = "https://s.example/"
HTML = {"content-type": "text/html; charset=utf-8"}


class Notes:
    """Keeps in memory what a recorder keeps on disk."""

    last_find = None

    def __init__(self) -> None:
        self.events: list[tuple[str, str]] = []
        self.estimates: list[EstimateRow] = []

    def asked(self, ask: Ask, choice: Choice, asleep: Collection[str]) -> None:
        self.events.append(("asked", ask.url))

    def waited(self, asleep: Collection[str]) -> None:
        self.events.append(("waited", ",".join(sorted(asleep))))

    def offered(self, source: str, links: Collection[Link]) -> None:
        self.events.append(("offered", source))

    def rendered(self, row: RenderRow) -> None:
        self.events.append((row.outcome, row.url))

    def page_requested(self, row: PageRequestRow) -> None:
        self.events.append(("loaded" if row.sent else "refused", row.url))

    def answered(
        self, answer: Answer, choice: Choice, page: Page, step: Step, *, at: float
    ) -> None:
        self.events.append(("answered", f"{answer.status} {answer.ask.url} {answer.error}".strip()))


class World:
    """A session, a clock, and a web that is a dictionary."""

    def __init__(self, web: dict[str, Reply], **options: Any) -> None:
        self.now = 0.0
        self.web = web
        self.sent: list[tuple[float, str]] = []
        self.notes = Notes()
        crawl = Crawl(
            [Link(ROOT)],
            policy=Bfs(),
            target=Files(),
            read=read_page,
            scope=Scope.around([ROOT]),
            budget=Budget(requests=options.pop("requests", None)),
        )
        polite = options.pop("politeness", None) or Politeness(delay=1.0, jitter=0.0, backoff=2.0)
        robots = options.pop("robots", None) or RobotsBook("lodehound")
        clock: Callable[[], float] = lambda: self.now  # noqa: E731 - it reads the clock each time
        self.session = Session(
            crawl,
            recorder=self.notes,  # type: ignore[arg-type]
            politeness=polite,
            robots=robots,
            clock=clock,
            **options,
        )

    def run(self, *, until: float = 1e6) -> World:
        """Answer every request at once; when there is none, let time pass to the next waking."""
        while not self.session.finished and self.now < until:
            task = self.session.next_task()
            if task is not None:
                self.sent.append((self.now, task.url))
                reply = self.web.get(task.url, Reply(404))
                self.session.receive(task, reply)
                continue
            waking = self.session.next_waking()
            if waking is None or self.session.finished:
                break
            self.now = max(self.now, waking)
            self.session.woke()
        return self

    @property
    def urls(self) -> list[str]:
        return [url.removeprefix(ROOT) for _, url in self.sent]


def page(*links: str) -> Reply:
    body = "".join(f'<a href="{link}">x</a>' for link in links).encode()
    return Reply(200, HTML, body, len(body))


CSV = Reply(200, {"content-type": "text/csv"}, b"a,b\n", 4)


def test_robots_txt_comes_first_and_costs_no_budget() -> None:
    world = World({ROOT: page("a.csv"), ROOT + "a.csv": CSV}, requests=2).run()

    assert world.urls == ["robots.txt", "", "a.csv"]
    assert (world.session.crawl.requests, world.session.tally.side_requests) == (2, 1)
    assert world.session.crawl.finds == 1


def test_one_request_a_second_to_a_host() -> None:
    world = World({ROOT: page("a", "b", "c")}).run()

    assert [time for time, _ in world.sent] == [0.0, 1.0, 2.0, 3.0, 4.0]


def test_what_robots_txt_forbids_is_never_asked_and_never_charged() -> None:
    rules = Reply(200, {}, b"User-agent: *\nDisallow: /private\n")
    world = World({ROOT + "robots.txt": rules, ROOT: page("private/x", "b")}).run()

    assert world.urls == ["robots.txt", "", "b"]
    assert world.session.crawl.requests == 2
    assert world.session.tally.unsent == {"robots.txt disallows": 1}


def test_crawl_delay_is_honoured_up_to_the_cap() -> None:
    rules = Reply(200, {}, b"User-agent: *\nCrawl-delay: 99\n")
    book = RobotsBook("lodehound", max_delay=5.0)
    world = World({ROOT + "robots.txt": rules, ROOT: page("a")}, robots=book).run()

    times = [time for time, _ in world.sent]
    assert times[2] - times[1] == 5.0


@pytest.mark.parametrize("reply", [Reply(500), Reply(0, error="timeout"), Reply(429)])
def test_an_unreachable_robots_txt_closes_the_host_after_three_tries(reply: Reply) -> None:
    world = World({ROOT + "robots.txt": reply, ROOT: page("a")}).run()

    assert world.urls == ["robots.txt"] * 3
    assert world.session.tally.unsent == {"robots.txt unreachable": 1}
    assert world.session.crawl.requests == 0
    why = f"robots.txt unreachable: {reply.error or f'status {reply.status}'}"
    assert world.session.stop == Stop("unreachable", f"no answer from s.example ({why})")


def test_an_unreachable_robots_txt_may_come_back() -> None:
    web = {ROOT + "robots.txt": Reply(500), ROOT: page()}
    world = World(web).run(until=1.5)
    web[ROOT + "robots.txt"] = Reply(404)
    world.run()

    assert world.urls == ["robots.txt", "robots.txt", ""]


def test_a_robots_txt_that_moved_is_followed_five_times() -> None:
    hops = {ROOT + "robots.txt": Reply(301, {"location": "/r1"})}
    hops |= {f"{ROOT}r{i}": Reply(302, {"location": f"/r{i + 1}"}) for i in range(1, 9)}
    world = World({**hops, ROOT: page()}).run()

    assert world.urls == ["robots.txt", "r1", "r2", "r3", "r4", "r5", ""]


def test_failures_are_tried_again_and_charged() -> None:
    world = World({ROOT: Reply(503)}, retries=2).run()

    assert world.urls == ["robots.txt", "", "", ""]
    assert world.session.crawl.requests == 3
    assert ("answered", f"503 {ROOT}") in world.notes.events


def test_retries_keep_to_the_budget() -> None:
    world = World({ROOT: Reply(503)}, retries=9, requests=2).run()

    assert world.session.crawl.requests == 2


def test_the_host_rests_longer_after_each_failure() -> None:
    world = World({ROOT: Reply(503)}, retries=2).run()

    times = [time for time, _ in world.sent[1:]]
    assert [later - earlier for earlier, later in pairwise(times)] == [2.0, 4.0]


def test_retry_after_is_waited_for() -> None:
    world = World({ROOT: Reply(429, {"retry-after": "30"})}, retries=1).run()

    times = [time for time, _ in world.sent[1:]]
    assert times[1] - times[0] == 30.0


@pytest.mark.parametrize("error", ["private address: x", "TLS: bad", "ValueError: encoding"])
def test_what_another_try_will_not_mend_is_not_tried_again(error: str) -> None:
    world = World({ROOT: Reply(0, error=error)}, retries=5).run()

    assert world.urls == ["robots.txt", ""]


def silent_after(good: int, retries: int = 0) -> World:
    """A host that answers for a few pages, and then for no other."""
    polite = Politeness(delay=0.0, backoff=0.1, suspend_after=4)
    web = {ROOT + "robots.txt": Reply(404), ROOT: page(*(f"p{i}" for i in range(20)))}
    web |= {f"{ROOT}p{i}": Reply(0, error="timeout") for i in range(good, 20)}
    return World(web, politeness=polite, retries=retries).run()


@pytest.mark.parametrize("retries", [0, 2])
def test_a_host_that_falls_silent_is_left_alone_with_all_its_links(retries: int) -> None:
    """Neither the requests that failed nor those that wait are answered: resume asks again."""
    world = silent_after(3, retries)

    assert len(set(world.urls)) == 2 + 3 + 4
    assert [event for event in world.notes.events if "timeout" in event[1]] == []
    assert world.session.stop == Stop("unreachable", "no answer from s.example")
    assert world.session.crawl.requests == len(world.urls) - 1


def test_failures_count_when_their_host_answers_for_others() -> None:
    web = {ROOT: page("a", "b", "c"), ROOT + "a": Reply(0, error="timeout"), ROOT + "b": CSV}
    world = World(web | {ROOT + "c": Reply(0, error="timeout")}, retries=0).run()

    assert [event for event in world.notes.events if event[0] == "answered"] == [
        ("answered", f"200 {ROOT}"),
        ("answered", f"200 {ROOT}b"),
        ("answered", f"0 {ROOT}a timeout"),
        ("answered", f"0 {ROOT}c timeout"),
    ]
    assert world.session.stop == Stop("exhausted")


def test_a_spent_budget_does_not_wait_for_a_host_that_rests() -> None:
    web = {ROOT: page("a"), ROOT + "a": Reply(0, error="timeout")}
    polite = Politeness(delay=0.0, backoff=100.0)
    world = World(web, requests=2, retries=0, politeness=polite).run()

    assert world.session.stop == Stop("requests")
    assert world.now == 0.0
    assert ("answered", f"0 {ROOT}a timeout") in world.notes.events


def test_one_scheme_without_an_answer_does_not_close_the_other() -> None:
    web = {"http://s.example/robots.txt": Reply(500), ROOT: page("http://s.example/a", "b", "c")}
    world = World(web).run()

    assert [url for _, url in world.sent if "robots" not in url] == [ROOT, ROOT + "b", ROOT + "c"]
    assert world.session.tally.silent == {"s.example": 1}
    assert world.session.stop is not None
    assert world.session.stop.reason == "unreachable"


def test_every_step_is_written_down_in_order() -> None:
    world = World({ROOT: page("a")}, politeness=Politeness(delay=0.0)).run()

    assert [event for event in world.notes.events if event[0] != "waited"] == [
        ("asked", ROOT),
        ("answered", f"200 {ROOT}"),
        ("asked", ROOT + "a"),
        ("answered", f"404 {ROOT}a"),
    ]


def test_no_new_request_once_halted() -> None:
    world = World({ROOT: page("a", "b")}, politeness=Politeness(delay=0.0))
    task = world.session.next_task()
    world.session.halt()

    assert task is not None
    assert world.session.next_task() is None
    assert not world.session.finished
    world.session.receive(task, Reply(404))
    assert world.session.finished


def test_sitemaps_of_robots_txt_are_offered_as_requests() -> None:
    web = {
        ROOT + "robots.txt": Reply(200, {}, f"Sitemap: {ROOT}map.xml\n".encode()),
        ROOT: page(),
    }
    world = World(web, sitemaps="usual").run()

    assert world.urls[2:] == ["map.xml", "sitemap.xml"]
    assert world.session.crawl.requests == 3  # the start page and both sitemaps
    assert ("offered", ROOT + "robots.txt") in world.notes.events


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("17", 17.0),
        ("Wed, 21 Oct 2026 07:28:30 GMT", 30.0),
        ("Wed, 21 Oct 2026 07:27:00 GMT", 0.0),
        ("soon", 0.0),
        ("", 0.0),
        ("-5", 0.0),
    ],
)
def test_retry_after_is_read(header: str, seconds: float) -> None:
    headers = {"retry-after": header, "date": "Wed, 21 Oct 2026 07:28:00 GMT"}

    assert retry_after(Reply(503, headers)) == seconds


def test_what_becomes_due_between_two_looks_at_the_clock_is_not_slept_through() -> None:
    world = World({ROOT: page("a", "b")}, politeness=Politeness(delay=100.0, jitter=0.0))
    world.run(until=1.0)
    world.session.crawl.budget = Budget(seconds=150.0)
    world.now = 149.9
    while (task := world.session.next_task()) is not None:
        world.session.receive(task, Reply(404))
    world.now = 150.1
    assert world.session.next_waking() == 150.0


def test_a_further_try_waits_while_the_budget_is_paused() -> None:
    world = World({ROOT: Reply(500)}, retries=1)
    world.session.crawl.hold("grant", after=1)
    world.run(until=60)
    before = (world.urls, world.session.waiting, world.session.crawl.requests)
    world.session.crawl.hold("grant", after=2)
    world.run()

    assert before == (["robots.txt", ""], 1, 1)
    assert (world.urls, world.session.crawl.requests) == (["robots.txt", "", ""], 2)


def test_a_look_after_a_host_woke_does_not_end_the_crawl() -> None:
    """It chose nothing while the host slept; then a forbidden URL, answered unsent, is not all."""
    rules = Reply(200, {}, b"User-agent: *\nDisallow: /private\n")
    world = World({ROOT + "robots.txt": rules, ROOT: page("private/x", "b")})
    world.run(until=1.0)
    task = world.session.next_task()
    assert task is not None
    world.session.receive(task, world.web[ROOT])
    asleep = world.session.next_task()
    world.now += 5

    awake = world.session.next_task()
    assert (asleep, awake and awake.url, world.session.stop) == (None, ROOT + "b", None)


def many_forbidden_links() -> World:
    """A session that has read a page of links that robots.txt disallows, all but the last."""
    rules = Reply(200, {}, b"User-agent: *\nDisallow: /private\n")
    links = [f"private/{number}" for number in range(2 * CHOICES + 10)]
    web = {ROOT + "robots.txt": rules, ROOT: page(*links, "b")}
    world = World(web, politeness=Politeness(delay=0.0))
    for _ in web:
        task = world.session.next_task()
        assert task is not None
        world.session.receive(task, web[task.url])
    return world


def test_links_that_are_answered_unsent_do_not_hold_the_event_loop() -> None:
    world = many_forbidden_links()
    session = world.session
    turns = []
    while (task := session.next_task()) is None:
        waits = session.next_waking() != world.now
        turns.append(
            (session.tally.unsent["robots.txt disallows"], session.choosing.needs_turn, waits)
        )

    assert turns == [(CHOICES, True, False), (2 * CHOICES, True, False)]
    assert (task.url, session.choosing.needs_turn) == (ROOT + "b", False)


@pytest.mark.parametrize("ending", ["halt", "time"])
def test_links_that_are_answered_unsent_do_not_outlast_the_end(ending: str) -> None:
    world = many_forbidden_links()
    session = world.session
    session.crawl.budget = Budget(seconds=5.0)
    session.next_task()
    if ending == "halt":
        session.halt()
    else:
        world.now = 6.0

    assert (session.next_task(), session.choosing.needs_turn, session.finished) == (
        None,
        False,
        True,
    )
    assert session.tally.unsent == {"robots.txt disallows": CHOICES}
