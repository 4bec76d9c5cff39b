"""The machine, one message at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection

import pytest

from lodehound.core.crawl import Crawl
from lodehound.core.errors import ConfigError, ContractError
from lodehound.core.holds import EXPECTING
from lodehound.core.link import Link
from lodehound.core.messages import WAIT, Answer, Ask, Choice, Outcome, Step, Stop
from lodehound.core.policy import Policy
from lodehound.core.scope import Scope
from lodehound.core.stop import Budget, StopRule
from lodehound.policies.bfs import Bfs
from lodehound.targets.files import Files
from tests.helpers import (
    ROOT,
    Listening,
    ask_of,
    crawl_from,
    csv,
    html,
    place,
    read_places,
    redirect,
    url,
)

# --- the start ---------------------------------------------------------------------------------


def test_the_start_is_asked_first() -> None:
    """A start URL is made canonical and offered once, however often it is named."""
    told = Listening()

    crawl = crawl_from("HTTPS://S.example", ROOT + "#top", policy=told)

    assert told.outcomes[0].links == (Link(ROOT, kind=""),)
    assert told.outcomes[0].choice is None
    assert crawl.next() == Ask(1, ROOT, "GET", "")


def test_start_urls_are_let_in_whatever_the_scope_says() -> None:
    """The user named them: block list, traps and sites are for links."""
    start = "https://other.example/a/a/a/photo.jpg"

    crawl = crawl_from(start)

    assert ask_of(crawl).url == start
    assert crawl.refused == Counter()


@pytest.mark.parametrize(
    "start", ["", "example.org", "mailto:a@b.c", "ftp://e.org/", "http://a b/"]
)
def test_a_start_that_is_no_address(start: str) -> None:
    """The message repeats what was written and says what is wanted."""
    with pytest.raises(ConfigError, match="is no web address: give http"):
        crawl_from(start)


def test_no_start() -> None:
    """A crawl begins somewhere."""
    with pytest.raises(ConfigError, match="There is no start URL"):
        Crawl([], policy=Bfs(), target=Files(), read=read_places, scope=Scope())


# --- one request -------------------------------------------------------------------------------


def test_one_request_from_choice_to_step() -> None:
    """The step says what was asked, why, and what came of it."""
    crawl = crawl_from()
    crawl.receive(html(ask_of(crawl), "data.csv"))

    step = crawl.receive(csv(ask_of(crawl), size=7))

    assert step == Step(
        number=2,
        url=url("data.csv"),
        method="GET",
        source=ROOT,
        depth=1,
        why="first come, depth 1",
        probability=1.0,
        status=200,
        mime="text/csv",
        size=7,
        found=True,
        value=1.0,
        label="text/csv",
        new_links=0,
    )
    assert (crawl.requests, crawl.finds, crawl.bytes) == (2, 1, 7)


def test_new_links_and_links_seen_again() -> None:
    """A URL is new at its first sighting; later ones, on the same page too, are seen again."""
    told = Listening()
    crawl = crawl_from(policy=told)

    crawl.receive(html(ask_of(crawl), "a b a https://other.example/x " + ROOT))
    crawl.receive(html(ask_of(crawl), "b c a https://other.example/x"))

    sightings = [(places(told.links), places(told.again)) for told in told.outcomes[1:]]
    assert sightings == [(["a", "b"], ["a", ""]), (["c"], ["b", "a"])]
    assert told.outcomes[2].again[0].source == url("a")
    assert crawl.refused == Counter({"other site": 1})
    assert crawl.known == 4


def places(links: tuple[Link, ...]) -> list[str]:
    return [place(link.url) for link in links]


def test_a_failure_is_an_outcome() -> None:
    """Status 0 with an error is no exception: the policy learns it and the crawl goes on."""
    told = Listening()
    crawl = crawl_from(policy=told)

    step = crawl.receive(Answer(ask_of(crawl), 0, error="timed out"))

    assert (step.status, step.error, step.found, step.new_links) == (0, "timed out", False, 0)
    assert (told.outcomes[1].status, told.outcomes[1].links) == (0, ())
    assert crawl.next() == Stop("exhausted")


# --- waiting and stopping ----------------------------------------------------------------------


def test_it_waits_while_an_answer_is_on_its_way() -> None:
    """WAIT as long as something is in flight; then Stop, for ever."""
    crawl = crawl_from()
    ask = ask_of(crawl)

    assert crawl.next() is WAIT
    assert crawl.stopped == ""
    crawl.receive(html(ask))
    assert [crawl.next(), crawl.next()] == [Stop("exhausted")] * 2
    assert crawl.stopped == "exhausted"


def test_it_waits_for_sleeping_hosts() -> None:
    """A crawl whose links all sleep is not at its end."""
    crawl = crawl_from()

    assert crawl.next({"s.example"}) is WAIT
    assert ask_of(crawl, {"t.example"}).url == ROOT


def test_a_rule_stops_the_crawl() -> None:
    """What a rule says at a step counts from the next request on; the first rule wins."""

    class After(StopRule):
        def __init__(self, detail: str) -> None:
            self.detail = detail

        def watch(self, step: Step) -> Stop | None:
            return Stop("early-stop", self.detail) if step.number >= 2 else None

    crawl = crawl_from(rules=[After("first"), After("second")])
    crawl.receive(html(ask_of(crawl), "a b c"))
    second, third = ask_of(crawl), ask_of(crawl)
    crawl.receive(html(second))

    assert crawl.next() is WAIT
    crawl.receive(html(third))
    assert crawl.next() == Stop("early-stop", "first")


def test_the_budget_of_requests() -> None:
    """The request that would be one too many is not made, answers or not."""
    crawl = crawl_from(budget=Budget(requests=2))
    crawl.receive(html(ask_of(crawl), "a b c"))
    ask = ask_of(crawl)

    assert crawl.next() is WAIT
    crawl.receive(html(ask))
    assert crawl.next() == Stop("requests")


def test_redirects_cost_requests() -> None:
    """Every hop is charged, and a chain may end with the budget."""
    crawl = crawl_from(budget=Budget(requests=2))
    crawl.receive(redirect(ask_of(crawl), "a"))
    crawl.receive(redirect(ask_of(crawl), "b"))

    assert crawl.next() == Stop("requests")
    assert crawl.requests == 2


def test_the_budget_of_finds() -> None:
    """No more is in flight than may still be found, so there is never one find too many."""
    crawl = crawl_from(budget=Budget(finds=2))
    crawl.receive(html(ask_of(crawl), "a b c d"))
    first, second = ask_of(crawl), ask_of(crawl)

    assert crawl.next() is WAIT
    crawl.receive(csv(first))
    assert crawl.next() is WAIT
    crawl.receive(html(second))
    crawl.receive(csv(ask_of(crawl)))
    assert crawl.next() == Stop("finds")
    assert crawl.finds == 2


def test_a_paused_crawl_follows_no_redirect_until_it_may() -> None:
    crawl = crawl_from(ROOT)
    crawl.hold("grant", after=1)
    crawl.receive(redirect(ask_of(crawl), "a"))
    assert crawl.next() is WAIT
    crawl.hold("grant", after=2)
    assert ask_of(crawl).url == url("a")


def test_a_crawl_that_expects_links_waits_for_them() -> None:
    """Links of another part of a divided crawl, say."""
    crawl = crawl_from(ROOT)
    crawl.hold(EXPECTING)
    crawl.receive(html(ask_of(crawl)))
    assert crawl.next() is WAIT
    crawl.offer([Link(url("a"), kind="a")])
    crawl.receive(html(ask_of(crawl)))
    crawl.release(EXPECTING)
    assert crawl.next() == Stop("exhausted")


def test_a_redirect_may_bring_the_last_find() -> None:
    """A chain on its way counts against the finds, and is followed to its end."""
    crawl = crawl_from(budget=Budget(finds=1))
    crawl.receive(redirect(ask_of(crawl), "https://t.s.example/a"))

    assert crawl.next({"t.s.example"}) is WAIT
    crawl.receive(csv(ask_of(crawl)))
    assert crawl.next() == Stop("finds")


def test_the_budget_of_bytes() -> None:
    """No request starts once the bytes are spent; redirects weigh too."""
    crawl = crawl_from(budget=Budget(bytes=10))
    crawl.receive(html(ask_of(crawl), "a b", size=9))
    crawl.receive(Answer(ask_of(crawl), 301, size=1, location="c"))

    assert crawl.next() == Stop("bytes")
    assert crawl.bytes == 10


def test_the_budget_of_seconds() -> None:
    """The driver's clock decides."""
    crawl = crawl_from(budget=Budget(seconds=1.5))

    assert isinstance(crawl.next(now=1.4), Ask)
    assert crawl.next(now=1.5) is WAIT
    crawl.receive(html(Ask(1, ROOT)))
    assert crawl.next(now=0.0) == Stop("seconds")


# --- HEAD --------------------------------------------------------------------------------------


class Scripted(Policy):
    """Makes the choices it is given, one after another."""

    needs_truth = True  # what it is told to choose, no page need have shown
    uses_head = True

    def __init__(self, *script: str) -> None:
        self.script = list(script)
        self.outcomes: list[Outcome] = []

    def choose(self, asleep: Collection[str]) -> Choice | None:
        if not self.script:
            return None
        *head, to = self.script.pop(0).split(" ")
        return Choice(Link(url(to)), "HEAD" if head else "GET", why="as told")

    def learn(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)


def test_a_head_finds_nothing_but_is_judged() -> None:
    """A verdict on a HEAD reaches the policy; only the GET is a find."""
    policy = Scripted("HEAD a", "a")
    crawl = crawl_from(policy=policy)

    steps = [crawl.receive(csv(ask_of(crawl))) for _ in range(2)]

    assert [(step.method, step.found, step.value) for step in steps] == [
        ("HEAD", False, 0.0),
        ("GET", True, 1.0),
    ]
    assert [outcome.verdict.found for outcome in policy.outcomes] == [False, True, True]
    assert (crawl.finds, crawl.requests) == (1, 2)


def test_a_head_is_not_followed() -> None:
    """The redirect is the answer to a HEAD; the GET that comes after will be followed."""
    policy = Scripted("HEAD a", "a")
    crawl = crawl_from(policy=policy)

    crawl.receive(redirect(ask_of(crawl), "b"))
    crawl.receive(redirect(ask_of(crawl), "b"))

    assert policy.outcomes[1].status == 301
    assert crawl.next() == Ask(3, url("b"))


# --- broken contracts --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "script", [("a", "a"), ("HEAD a", "HEAD a"), ("a", "HEAD a"), ("HEAD a", "a", "a")]
)
def test_a_policy_may_not_choose_twice(script: tuple[str, ...]) -> None:
    """Nor ask a HEAD after the GET; the message names the policy and the URL."""
    crawl = crawl_from(policy=Scripted(*script))
    for _ in script[:-1]:
        crawl.next()

    with pytest.raises(ContractError, match=f"Scripted chose {url('a')} a second time"):
        crawl.next()


def test_a_policy_may_not_wake_a_host() -> None:
    """Politeness is not its to decide."""

    class Waking(Bfs):
        def choose(self, asleep: Collection[str]) -> Choice | None:
            return super().choose(())

    crawl = crawl_from(policy=Waking())

    with pytest.raises(ContractError, match=f"Waking chose {ROOT}, whose host is asleep"):
        crawl.next({"s.example"})


def test_a_policy_may_not_leave_the_scope() -> None:
    """It chooses among the links it was given, unless it is told the truth."""

    class Straying(Bfs):
        def learn(self, outcome: Outcome) -> None:
            self._links.push(Link("https://other.example/"))

    crawl = crawl_from(policy=Straying())

    with pytest.raises(
        ContractError, match=r"Straying chose https://other.example/, which it was not"
    ):
        crawl.next()


@pytest.mark.parametrize(
    "answers",
    [lambda ask: [html(ask), html(ask)], lambda ask: [html(Ask(99, ask.url))]],
    ids=["twice", "never asked"],
)
def test_an_answer_belongs_to_one_ask(answers: Callable[[Ask], list[Answer]]) -> None:
    """A second answer, or one to a question never asked, is the driver's bug."""
    crawl = crawl_from()
    *good, bad = answers(ask_of(crawl))
    for answer in good:
        crawl.receive(answer)

    with pytest.raises(ContractError, match="never asked for, or came twice"):
        crawl.receive(bad)
