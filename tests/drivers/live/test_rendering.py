"""Rendered pages in a session without a browser: their requests are requests like all others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lodehound.core.messages import Answer, Page, Stop
from lodehound.core.stop import Budget
from lodehound.drivers.live.politeness import Politeness
from lodehound.drivers.live.rendered import DocumentState, Rendered, RenderJob
from lodehound.drivers.live.replies import Reply
from lodehound.drivers.live.resources import MAX_REQUESTS, SPENT
from tests.drivers.live.test_session import CSV, HTML, ROOT, World, page

SHELL = Reply(200, HTML, b"<div id=app></div><script src=app.js></script>", 50)
JSON = Reply(200, {"content-type": "application/json"}, b'{"url": "/from-api.csv"}', 24)
SHOWN = DocumentState(ROOT, "<title>Shown</title><a href=/shown.csv>file</a>")


def rendering_world(web: dict[str, Reply], **options: Any) -> tuple[World, RenderJob]:
    """Return a session whose start page is in the browser."""
    world = World({ROOT: SHELL, **web}, **options)
    world.session.rendering.obstacle = None
    world.run()
    job = world.session.rendering.next_job(world.session.conclude)
    assert job is not None
    return world, job


def loaded(world: World, job: RenderJob, *paths: str) -> list[Reply]:
    """Let the page ask for something, and return what it gets."""
    replies: list[Reply] = []
    for path in paths:
        world.session.rendering.resources.load(job, ROOT + path, "fetch", replies.append)
    world.run()
    return replies


def finish(world: World, job: RenderJob, rendered: Rendered) -> None:
    world.session.conclude(job.life, *finished(world, job, rendered))


def finished(world: World, job: RenderJob, rendered: Rendered) -> tuple[Answer, Page]:
    rendering = world.session.rendering
    return rendering.finish(job, rendered, rendering.read(job, rendered))


def test_requests_of_a_page_keep_the_delay_and_are_charged() -> None:
    world, job = rendering_world({ROOT + "a": JSON, ROOT + "b": JSON})
    replies = loaded(world, job, "a", "b")

    assert [reply.status for reply in replies] == [200, 200]
    assert world.sent == [
        (0.0, ROOT + "robots.txt"),
        (1.0, ROOT),
        (2.0, ROOT + "a"),
        (3.0, ROOT + "b"),
    ]
    assert (world.session.crawl.requests, world.session.crawl.bytes) == (3, 2 * 24)
    noted = [url for name, url in world.notes.events if name == "loaded"]
    assert noted == [ROOT + "a", ROOT + "b"]


def test_the_links_that_a_page_shows_and_loads_are_followed() -> None:
    world, job = rendering_world({ROOT + "api": JSON, ROOT + "shown.csv": CSV})
    loaded(world, job, "api")
    finish(world, job, Rendered((SHOWN,)))
    world.run()

    assert set(world.urls) == {"robots.txt", "", "api", "shown.csv", "from-api.csv"}
    assert ("rendered", ROOT) in world.notes.events


def test_the_screen_says_which_page_is_rendered() -> None:
    world, job = rendering_world({})
    during = world.session.obstacle
    finish(world, job, Rendered((SHOWN,)))

    assert (during, world.session.obstacle) == (f"rendering {ROOT}", "")


def test_nothing_is_loaded_twice() -> None:
    world, job = rendering_world({ROOT + "a": JSON})
    replies = loaded(world, job, "a") + loaded(world, job, "a")

    assert (len(replies), world.urls.count("a")) == (2, 1)


def test_a_page_asks_for_a_hundred_things_at_most() -> None:
    world, job = rendering_world({})
    replies = loaded(world, job, *(f"x{number}" for number in range(MAX_REQUESTS + 5)))
    refused = [reply.error for reply in replies if reply.error]

    assert (len(world.urls), len(refused)) == (2 + MAX_REQUESTS, 5)
    assert set(refused) == {"more than 100 requests of one page"}


def test_what_robots_txt_forbids_is_not_loaded() -> None:
    rules = Reply(200, {}, b"User-agent: *\nDisallow: /private\n")
    world, job = rendering_world({ROOT + "robots.txt": rules})
    [reply] = loaded(world, job, "private/api")

    assert (reply.status, reply.error) == (0, "robots.txt disallows")
    assert world.urls == ["robots.txt", ""]


def test_a_page_that_failed_in_the_browser_counts_as_it_came() -> None:
    world, job = rendering_world({})
    finish(world, job, Rendered(error="browser: gone"))
    world.run()

    assert (world.session.stop is not None, world.session.crawl.unanswered) == (True, [])
    assert ("failed", ROOT) in world.notes.events


def test_waiting_for_politeness_costs_a_page_no_time() -> None:
    world, job = rendering_world({})
    world.session.rendering.resources.load(job, ROOT + "a", "fetch", lambda reply: None)
    waits = job.waits
    world.now += 1
    assert world.session.next_task() is not None

    assert (waits, job.waits) == (True, False)


def test_what_a_page_shows_is_not_taken_for_unchanged_because_its_html_is() -> None:
    """Its validators are those of the plain page: an update would get a 304, and not render it."""
    shell = replace(SHELL, headers={**HTML, "etag": '"1"', "last-modified": "yesterday"})
    world, job = rendering_world({ROOT: shell})
    answer, page = finished(world, job, Rendered((SHOWN,)))

    assert (answer.headers, page.title) == (HTML, "Shown")


def test_a_page_that_only_sends_the_browser_elsewhere_needs_none() -> None:
    stub = Reply(200, HTML, b"<script>location.replace('next.csv')</script>", 40)
    world = World({ROOT: stub, ROOT + "next.csv": CSV}).run()

    assert (world.urls, world.session.crawl.finds) == (["robots.txt", "", "next.csv"], 1)
    assert world.session.rendering.outcomes == {}


def test_requests_that_wait_for_the_delay_count_towards_the_budget() -> None:
    world, job = rendering_world({}, requests=3)
    replies = loaded(world, job, "a", "b", "c", "d")

    assert world.urls == ["robots.txt", "", "a", "b"]
    assert [reply.error for reply in replies] == [SPENT, SPENT, "", ""]
    assert world.session.crawl.requests == 3


def test_requests_of_a_page_wait_while_the_budget_is_paused() -> None:
    world, job = rendering_world({})
    world.session.crawl.hold("grant", after=2)
    replies: list[Reply] = []
    for path in ("a", "b", "c"):
        world.session.rendering.resources.load(job, ROOT + path, "fetch", replies.append)
    world.run(until=60)
    before = (world.urls[2:], job.is_paused, world.session.idle, world.session.finished)
    world.session.crawl.budget = Budget(requests=3)
    world.session.crawl.hold("grant", after=3)
    world.run(until=120)

    assert before == (["a"], True, False, False)
    assert world.urls[2:] == ["a", "b"]
    assert [reply.error for reply in replies] == ["", SPENT, ""]
    assert (job.cut_short, world.session.crawl.requests) == (True, 3)


def test_a_page_that_leaves_the_browser_comes_back_when_the_budget_has_room() -> None:
    world, job = rendering_world({})
    rendering = world.session.rendering
    world.session.crawl.hold("grant", after=2)
    loaded_urls: list[Reply] = []
    for path in ("a", "b"):
        rendering.resources.load(job, ROOT + path, "fetch", loaded_urls.append)
    world.run(until=60)
    job.yielded = True
    put_back, none = rendering.put_back(job), rendering.next_job(world.session.conclude)
    world.session.crawl.release("grant")
    world.run(until=120)

    assert (put_back, none) == (True, None)
    assert rendering.next_job(world.session.conclude) is job
    assert world.urls[2:] == ["a", "b"]


def test_a_page_that_asks_for_the_same_twice_at_once_is_served_once() -> None:
    world, job = rendering_world({ROOT + "a": JSON})
    replies: list[Reply] = []
    for _ in range(3):
        world.session.rendering.resources.load(job, ROOT + "a", "fetch", replies.append)
    world.run()

    assert (replies, world.urls.count("a"), job.requests) == ([JSON] * 3, 1, 1)


def test_a_crawl_that_is_halted_while_its_first_page_is_on_its_way_ends() -> None:
    """The page needs a browser: it is kept as it came, and rendered later."""
    world = World({ROOT: SHELL}, politeness=Politeness(delay=0))
    world.session.rendering.obstacle = None
    robots = world.session.next_task()
    assert robots is not None
    world.session.receive(robots, Reply(404))
    page = world.session.next_task()
    assert page is not None
    world.session.halt()
    during = world.session.finished
    world.session.receive(page, SHELL)

    assert (during, world.session.next_task(), world.session.finished) == (False, None, True)
    assert (world.notes.events[-2:], world.session.crawl.unanswered) == (
        [("left", ROOT), ("answered", f"200 {ROOT}")],
        [],
    )


def test_only_what_pages_fetch_rests_when_an_api_asks_for_a_day() -> None:
    """The page gets its refusals at once, and the pages of the host go on at its delay."""
    world, job = rendering_world({ROOT + "shown.csv": CSV})
    replies: list[Reply] = []
    for path in ("api/1", "api/2"):
        world.session.rendering.resources.load(job, ROOT + path, "fetch", replies.append)
    world.now = 2.0
    task = world.session.next_task()
    assert task is not None
    world.session.receive(task, Reply(429, {"retry-after": "86400"}))
    assert [(reply.status, reply.error) for reply in replies] == [(0, "told to wait"), (429, "")]

    finish(world, job, Rendered((SHOWN,)))
    world.run()
    assert world.sent[2:] == [(3.0, ROOT + "shown.csv")]
    assert world.session.stop == Stop("exhausted")


def test_pages_that_wait_when_the_budget_is_spent_are_answered_and_rendered_later() -> None:
    """They were sent, so they count; the next session renders them."""
    web = {ROOT: page("a", "b", "c"), **{ROOT + name: SHELL for name in "abc"}}
    world = World(web, requests=4)
    world.session.rendering.obstacle = None
    world.run()
    while world.session.rendering.next_job(world.session.conclude) is not None:
        world.run()

    answered = [url for kind, url in world.notes.events if kind == "answered"]
    left = [url for kind, url in world.notes.events if kind == "left"]
    assert (len(answered), world.session.crawl.requests) == (4, 4)
    assert left == [ROOT + name for name in "abc"]
    assert world.session.crawl.unanswered == []
