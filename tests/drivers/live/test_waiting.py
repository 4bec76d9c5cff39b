"""Requests that wait: in which order they are sent, and what the screen says of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lodehound.core.errors import ContractError
from lodehound.core.link import Link
from lodehound.core.lives import Event, State
from lodehound.core.stop import Budget
from lodehound.drivers.live.politeness import Politeness
from lodehound.drivers.live.replies import Reply
from lodehound.stores.catalogue.renders import RenderRow, UnrenderedPage
from tests.drivers.live.test_rendering import SHELL, rendering_world
from tests.drivers.live.test_session import ROOT, World, page

AWAY = "https://away.s.example/"


def states(world: World) -> dict[str, State]:
    return {life.url: life.state for life in world.session.crawl.lives.rows.values()}


def test_a_request_goes_through_the_states_of_the_table() -> None:
    world = World({ROOT: page("a")}, politeness=Politeness(delay=0.0))
    session, seen = world.session, []
    robots = session.next_task()
    assert robots is not None
    seen.append(states(world))
    session.receive(robots, Reply(404))
    seen.append(states(world))
    task = session.next_task()
    assert task is not None
    seen.append(states(world))
    session.receive(task, Reply(500))

    assert seen == [
        {ROOT: State.RULES, ROOT + "robots.txt": State.SENT},
        {ROOT: State.HOST},
        {ROOT: State.SENT},
    ]
    assert (states(world), task.tries) == ({ROOT: State.HOST}, 2)  # once it is charged


def test_what_a_page_in_the_browser_loads_comes_before_pages_that_wait() -> None:
    world, job = rendering_world({})
    lives = world.session.crawl.lives
    waiting = lives.make(ROOT + "page", state=State.BUDGET)
    for event in (Event.ROOM, Event.WAIT_FOR_HOST):
        lives.move(waiting, event)
    world.session.rendering.resources.load(job, ROOT + "data", "fetch", lambda _: None)
    world.now += 10
    task = world.session.next_task()

    assert task is not None
    assert (task.url, waiting.state) == (ROOT + "data", State.HOST)


def test_the_screen_says_which_try_it_waits_for_and_for_how_long() -> None:
    world = World({ROOT: Reply(503)}, retries=1)
    world.run(until=1.5)
    before = world.session.obstacle
    world.now += 60

    assert before == "s.example failed to answer; try 2 in 1 s"
    assert world.session.obstacle == "s.example failed to answer; try 2 in 0 s"
    assert world.session.tally.retries == 1


def test_a_failure_that_no_budget_can_mend_is_the_answer() -> None:
    """It is not left for later: a larger budget would ask for other links first."""
    world = World({ROOT: Reply(500)}, retries=9, requests=2).run()

    assert world.notes.events[-1] == ("answered", f"500 {ROOT}")
    assert (world.session.crawl.requests, world.session.crawl.lives.aside) == (2, 0)


class Earlier:
    """The journal of a run without a browser."""

    def __iter__(self) -> Iterator[RenderRow]:
        return iter(())

    def followed(self) -> dict[str, tuple[int, int]]:
        return {}

    def unrendered(self) -> list[UnrenderedPage]:
        return [UnrenderedPage(1, Link(ROOT + str(number)), ("empty",)) for number in (1, 2)]


@pytest.mark.parametrize("late", [False, True])
def test_a_page_that_an_earlier_run_left_is_rendered_unless_the_time_is_up(late: bool) -> None:
    world = World({}, politeness=Politeness(delay=0.0))
    session, rendering = world.session, world.session.rendering
    rendering.obstacle = None
    rendering.restore(Earlier())  # type: ignore[arg-type]
    session.crawl.budget = Budget(seconds=60.0)
    robots = session.next_task()
    assert robots is not None
    session.receive(robots, Reply(404))
    page = session.next_task()
    assert page is not None
    world.now += 100 * late
    none = session.next_task()
    session.receive(page, SHELL)
    job = rendering.next_job(session.conclude)

    assert (page.url, page.kind, none) == (ROOT + "1", "document", None)
    assert (job is not None, rendering.load_next(), session.finished) == (not late, not late, late)


def test_a_host_that_is_slow_is_named() -> None:
    world = World({})
    assert world.session.next_task() is not None
    world.now += 5

    assert world.session.obstacle == "s.example has not answered for 5 s"


def test_a_failure_waits_for_the_next_answer_of_its_own_host() -> None:
    web = {ROOT: page("a", AWAY + "b", "c"), AWAY + "robots.txt": Reply(404)}
    web |= {ROOT + "a": Reply(0, error="timeout"), AWAY + "b": page()}
    world = World(web, retries=0, politeness=Politeness(delay=0.0, backoff=9.0))
    while f"200 {AWAY}b" not in [text for _, text in world.notes.events]:
        world.run(until=world.now + 0.1)
    held = states(world)[ROOT + "a"]
    world.run()

    assert held is State.HELD
    answered = [text for kind, text in world.notes.events if kind == "answered"]
    assert answered[2:] == [f"404 {ROOT}c", f"0 {ROOT}a timeout"]


def test_a_reply_to_a_request_that_is_not_on_its_way_is_a_mistake() -> None:
    world = World({}, politeness=Politeness(delay=0.0))
    task = world.session.next_task()
    assert task is not None
    world.session.receive(task, Reply(404))
    with pytest.raises(ContractError, match="is DONE: it cannot"):
        world.session.receive(task, Reply(404))
