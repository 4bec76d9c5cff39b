"""A host that was given up is not asked again in this session; its links are kept."""

from __future__ import annotations

from lodehound.core.messages import Stop
from lodehound.drivers.live.fetch import Reply
from lodehound.drivers.live.politeness import Politeness
from tests.drivers.live.test_session import CSV, ROOT, World, page

AWAY = "https://away.s.example/"


def closed() -> Politeness:
    politeness = Politeness(delay=1.0, jitter=0.0)
    politeness.sent("a", 0.0)
    politeness.close("a")
    return politeness


def test_a_closed_host_sleeps_at_once_and_beyond_its_delay() -> None:
    politeness = closed()
    politeness.came_back("a", 0.5, failed=True)
    politeness.close("never asked")

    assert set(politeness.asleep(0.5)) == set(politeness.asleep(1e9)) == {"a", "never asked"}


def test_a_late_answer_opens_a_closed_host() -> None:
    politeness = closed()
    politeness.came_back("a", 0.5, failed=False)

    assert (politeness.closed, set(politeness.asleep(1.0))) == (set(), set())


def test_a_closed_host_can_be_reopened() -> None:
    politeness = closed()
    politeness.came_back("a", 0.5, failed=True)
    politeness.reopen("a", 1e9)

    assert (politeness.closed, set(politeness.asleep(1e9))) == (set(), set())


def test_a_closed_host_is_not_asked_while_the_others_go_on() -> None:
    """Its links are answered neither with success nor with an error: resume asks for them."""
    web = {ROOT + "robots.txt": Reply(404), AWAY + "robots.txt": Reply(404)}
    web |= {ROOT: page(AWAY + "a", AWAY + "b", AWAY + "c", "1")}
    web |= {f"{ROOT}{n}": page(f"{AWAY}{n}", f"{n + 1}") for n in range(1, 9)}
    web |= {AWAY + at: Reply(0, error="timeout") for at in "abc12345678"}
    politeness = Politeness(delay=0.0, backoff=0.1, suspend_after=2)
    world = World(web, politeness=politeness, retries=1).run()

    sent = [url.removeprefix(AWAY) for _, url in world.sent if url.startswith(AWAY)]
    assert sent == ["robots.txt", "a", "a", "b"]
    assert world.urls.count("9") == 1
    assert [text for kind, text in world.notes.events if kind == "answered" and AWAY in text] == []
    # Sent and failed (a), waiting for its second attempt (b), and the one that showed more waits.
    assert (world.session.crawl.lives.aside, world.session.crawl.unanswered) == (3, [])
    assert world.session.stop == Stop("unreachable", "no answer from away.s.example")


def test_a_host_without_robots_txt_is_closed_with_its_links_unchosen() -> None:
    """One request waited for robots.txt, one more shows that links are left; six stay unchosen."""
    web = {ROOT: page(*(AWAY + at for at in "abcdefgh")), AWAY + "robots.txt": Reply(500)}
    world = World(web).run()

    assert [url for _, url in world.sent if AWAY in url] == [AWAY + "robots.txt"] * 3
    assert world.session.tally.unsent == {"robots.txt unreachable": 2}


def test_a_scheme_without_robots_txt_does_not_delay_the_other() -> None:
    """The host is not closed: its page comes before those of another host that are found later."""
    insecure = "http://s.example/"
    web = {insecure + "robots.txt": Reply(500), ROOT: page(insecure + "a", "b", AWAY + "1")}
    web |= {f"{AWAY}{n}": page(f"{AWAY}{n + 1}") for n in range(1, 50)}
    urls = [url for _, url in World(web).run().sent]

    assert ROOT + "b" in urls[: urls.index(AWAY + "49")]


def test_the_other_scheme_of_a_closed_host_is_tried_in_the_end() -> None:
    insecure = AWAY.replace("https", "http")
    web = {ROOT: page(insecure + "a", AWAY + "b"), insecure + "robots.txt": Reply(500)}
    world = World(web | {AWAY + "b": CSV}).run()

    assert world.session.crawl.finds == 1
