"""The event loop: it ends, in order, whatever a request brings."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Any

import pytest

from lodehound.core import lanes
from lodehound.core.link import Link
from lodehound.core.messages import Answer, Choice, Outcome, Page, Step
from lodehound.core.stop import Budget
from lodehound.drivers.live import engine
from lodehound.drivers.live.choosing import CHOICES
from lodehound.drivers.live.engine import Live
from lodehound.drivers.live.fetch import Reply
from lodehound.policies.bfs import Bfs
from tests.drivers.live.test_session import CSV, HTML, ROOT, World, page


class Hand:
    """A fetcher that answers from a dictionary, after a moment."""

    def __init__(self, web: dict[str, Reply], *, before: Callable[[str], None]) -> None:
        self.web = web
        self.before = before
        self.closed = False
        self.halt: Callable[[], None] = lambda: None

    async def fetch(self, url: str, **_: Any) -> Reply:
        await asyncio.sleep(0)
        self.before(url)
        return self.web.get(url, Reply(404))

    async def close(self) -> None:
        self.closed = True


class Silent(Hand):
    """A fetcher that never answers."""

    async def fetch(self, url: str, **_: Any) -> Reply:
        self.before(url)
        await asyncio.Event().wait()
        return Reply(0)


class Halted(Silent):
    """A user who stops the crawl at its first request."""

    async def fetch(self, url: str, **_: Any) -> Reply:
        self.halt()
        return await super().fetch(url)


def crawl(
    world: World, before: Callable[[str], None] = lambda _: None, *, kind: type[Hand] = Hand
) -> tuple[Live, Hand]:
    """Run a crawl in a loop, its network in our hand."""
    world.session.politeness.delay = 0.0
    hand = kind(world.web, before=before)

    async def run() -> Live:
        live = Live(
            world.session,
            fetcher=hand,  # type: ignore[arg-type]
            headers={},
            secrets={},
            secret_origins=(),
            blocks=lambda _: False,
        )
        hand.halt = live.halt
        with suppress(ZeroDivisionError):
            await live.run()
        return live

    world.notes.inspector = None  # type: ignore[attr-defined]
    return asyncio.run(asyncio.wait_for(run(), 20)), hand


def test_a_crawl_runs_until_every_link_is_followed() -> None:
    world = World({ROOT: page("a.csv", "b"), ROOT + "a.csv": CSV})
    live, hand = crawl(world)
    assert (live.failure, world.session.stop and world.session.stop.reason) == (None, "exhausted")
    assert world.session.crawl.finds == 1
    assert hand.closed


def test_an_unexpected_error_ends_the_crawl_and_is_raised() -> None:
    """A request whose fetch fails in a way nobody foresaw must not be waited for for ever."""

    def fail(url: str) -> None:
        if url.endswith("b"):
            raise ZeroDivisionError

    live, hand = crawl(World({ROOT: page("b", "a.csv"), ROOT + "a.csv": CSV}), fail)
    assert isinstance(live.failure, ZeroDivisionError)
    assert hand.closed


def test_a_session_that_waits_for_nothing_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not a crawl that hangs."""
    world = World({})
    monkeypatch.setattr(world.session, "next_task", lambda: None)
    with pytest.raises(RuntimeError, match="no request is in flight"):
        crawl(world)


@pytest.mark.parametrize("end", ["time", "halt"])
def test_nobody_waits_for_robots_txt_once_the_crawl_ends(
    end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What waits for its rules is asked for when the crawl is resumed."""
    world = World({})
    world.session.crawl.budget = Budget(seconds=5)
    monkeypatch.setattr(engine, "REDRAW", 0.01)

    def pass_time(url: str) -> None:
        assert url == ROOT + "robots.txt"
        world.now = 6.0

    live, hand = crawl(world, pass_time, kind=Silent if end == "time" else Halted)
    assert (live.failure, hand.closed, world.session.in_flight) == (None, True, 0)
    assert [ask.url for ask in world.session.crawl.unanswered] == [ROOT]


@pytest.mark.parametrize(("halts", "unsent"), [(True, CHOICES), (False, 3 * CHOICES)])
def test_the_loop_runs_between_links_that_are_answered_unsent(halts: bool, unsent: int) -> None:
    """Ctrl-C ends the crawl there; without it the crawl goes on, and waits for no clock."""
    rules = Reply(200, {}, b"User-agent: *\nDisallow: /private\n")
    links = [f"private/{number}" for number in range(3 * CHOICES)]
    world = World({ROOT + "robots.txt": rules, ROOT: page(*links)})

    def halt(_: Step) -> None:
        if halts and world.session.tally.unsent:
            asyncio.get_running_loop().call_soon(world.session.halt)

    world.session.receiving.on_step = halt
    live, _ = crawl(world)
    assert (live.failure, world.session.tally.unsent) == (None, {"robots.txt disallows": unsent})


def test_the_loop_runs_between_the_slices_of_a_long_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is chosen and nothing else received before the policy has learned from all links."""
    monkeypatch.setattr(lanes, "SLICE", 10)
    world = World({ROOT: page(*(f"{number}.csv" for number in range(50))), ROOT + "1.csv": CSV})
    events: list[str] = []
    learn, choose = Bfs.learn, Bfs.pick

    def noted(policy: Bfs, outcome: Outcome) -> None:
        events.append(f"learn {len(outcome.links)}")
        asyncio.get_running_loop().call_soon(events.append, "turn")
        learn(policy, outcome)

    def picked(policy: Bfs, asleep: Collection[str]) -> Choice | None:
        events.append("pick")
        return choose(policy, asleep)

    monkeypatch.setattr(Bfs, "learn", noted)
    monkeypatch.setattr(Bfs, "pick", picked)
    crawl(world)

    first, last = events.index("learn 10"), events.index("pick", events.index("learn 10"))
    slices = [event for event in events[first:last] if event != "turn"]
    assert slices == ["learn 10"] * 5
    # The loop and the answer itself may each take a slice in one turn.
    turns = "".join(event[0] for event in events[first:last])
    assert "lll" not in turns
    assert world.session.crawl.finds == 1


def test_a_long_page_is_read_in_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "LONG_PAGE", 100)
    long = Reply(200, HTML, page("a.csv").body + b" " * 100)
    world = World({ROOT: page("long"), ROOT + "long": long, ROOT + "a.csv": CSV})
    threads: dict[str, bool] = {}
    read = world.session.crawl.read

    def noted(answer: Answer, link: Link | None = None) -> Page:
        threads[answer.ask.url] = threading.current_thread() is threading.main_thread()
        return read(answer, link)

    monkeypatch.setattr(world.session.crawl, "read", noted)
    crawl(world)

    assert threads == {ROOT: True, ROOT + "long": False, ROOT + "a.csv": True}
    assert world.session.crawl.finds == 1
