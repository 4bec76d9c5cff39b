"""A further round knows what earlier ones saw, and loses none of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from lodehound.core.errors import ContractError
from lodehound.core.history import Content, History
from lodehound.core.link import Link
from lodehound.core.messages import Ask, Choice
from lodehound.core.stop import Budget
from lodehound.drivers.replay import replay
from lodehound.policies.bfs import Bfs
from lodehound.policies.revisit_all import RevisitAll
from lodehound.read.conditions import not_modified
from lodehound.stores.records import Record
from lodehound.stores.timeline import Timeline
from lodehound.targets.files import Files
from tests.helpers import ROOT, crawl_from, failed, file, html, moved, page, place, timeline, url


def version(number: int, mime: str = "text/csv") -> Record:
    """A version of a file, with its validators."""
    return Record("", 200, mime, b"%d" % number, etag=f'"{number}"')


def rounds(site: Timeline, *budgets: int | None, policy: type = RevisitAll) -> list[list[str]]:
    """Run one round at each snapshot; return status, place and change of each request."""
    return [[text for text, _ in one] for one in played(site, History(), *budgets, policy=policy)]


def played(
    site: Timeline, history: History, *budgets: int | None, policy: type = RevisitAll
) -> list[list[tuple[str, bool]]]:
    found = []
    for number, budget in enumerate(budgets or [None] * len(site.dates)):
        history.begin_round(float(number))
        _, steps = replay(
            site.at(number),
            policy=policy(),
            target=Files(),
            budget=Budget(requests=budget),
            history=history,
        )
        found.append(
            [(f"{step.status} {place(step.url)} {step.change}", step.found) for step in steps]
        )
    return found


def test_a_round_tells_what_is_new_changed_and_gone() -> None:
    """Only new and changed files are finds."""
    site = timeline(
        {"": page("a", "b", "c"), "a": version(1), "b": version(1), "c": version(1)},
        {"": page("a", "b", "c", "d"), "b": version(2), "c": failed(404), "d": version(1)},
    )

    assert played(site, History())[1] == [
        ("200  changed", False),
        ("200 d new", True),
        ("304 a same", False),
        ("200 b changed", True),
        ("404 c gone", False),
    ]


def test_failures_erase_nothing() -> None:
    """A site that answers 503 everywhere is the same site when it is back."""
    first: Mapping[str, Record] = {"": page("a"), "a": version(1)}
    broken = dict.fromkeys(first, failed(503))

    assert rounds(timeline(first, broken, first))[1:] == [
        ["503  failed", "503 a failed"],
        ["200  same", "304 a same"],
    ]


@pytest.mark.parametrize("between", [failed(410), page("b")])
def test_a_file_that_comes_back_unchanged_is_no_find(between: Record) -> None:
    first: Mapping[str, Record] = {"": page("a"), "a": version(1)}
    site = timeline(first, {"a": between}, first, first)

    visits = [one for later in played(site, History())[2:] for one in later if " a " in one[0]]
    assert visits == [("200 a same", False), ("304 a same", False)]


def test_new_validators_alone_are_no_change() -> None:
    """Bytes may differ on every visit: links and text decide."""
    bodies = [b"<!-- %d --><p>Text <a href=/a>a</a>" % number for number in range(2)]
    site = timeline(
        *({"": Record("", 200, "text/html", body, etag=f'"{n}"')} for n, body in enumerate(bodies))
    )

    assert rounds(site)[1][0] == "200  same"


def test_what_a_budget_left_out_waits_for_the_next_round() -> None:
    first: Mapping[str, Record] = {"": page("a.csv", "b.csv"), "a.csv": file(), "b.csv": file()}
    site = timeline(first, {}, {})

    assert rounds(site, 2, 1) == [["200  new", "200 a.csv new"], ["200 b.csv new"]]


def test_a_policy_that_does_not_revisit_crawls_from_the_start() -> None:
    """Nothing is conditional then, and what is known still decides what is a find."""
    site = timeline({"": page("a"), "a": version(1)}, {})

    assert played(site, History(), policy=Bfs)[1] == [("200  same", False), ("200 a same", False)]


def test_a_redirect_is_followed_to_what_is_new_only() -> None:
    """The place of a redirect is asked for once in a round, by whatever way."""
    site = timeline({"": page("a", "b"), "a": moved("b"), "b": version(1)}, {"a": moved("c")})

    assert rounds(site)[0] == ["200  new", "301 a new", "200 b new"]
    assert rounds(timeline({"": page("a"), "a": moved("b"), "b": version(1)}, {}))[1] == [
        "200  same",
        "304 b same",
        "301 a same",
    ]


def test_finds_are_credited_to_the_visits_that_led_to_them() -> None:
    """The list showed a new page, and that page a file."""
    site = timeline(
        {"": page("list"), "list": page()}, {"list": page("new"), "new": page("a"), "a": file()}
    )
    history = History()
    played(site, history)

    credit = {place(one.link.url): one.visits[-1].finds for one in history}
    assert credit == {"": 0, "list": 1, "new": 1, "a": 1}


def test_no_url_is_asked_for_twice_in_a_round() -> None:
    class Twice(RevisitAll):
        def choose(self, asleep: object) -> Choice | None:
            return Choice(Link(ROOT), why="again")

    history = History()
    history.offer([Link(ROOT)])
    crawl = crawl_from(policy=Twice(), history=history)
    ask = crawl.next()
    assert isinstance(ask, Ask)
    crawl.receive(html(ask))

    with pytest.raises(ContractError, match="a second time"):
        crawl.next()


def test_a_round_keeps_to_its_scope() -> None:
    """What is out of scope by now is neither told nor asked for."""
    history = History()
    history.offer([Link(ROOT), Link("https://elsewhere.example/")])
    crawl = crawl_from(policy=RevisitAll(), history=history)

    assert crawl.known == 1


def test_a_clock_that_runs_backwards_is_not_followed() -> None:
    history = History()
    history.begin_round(5.0)
    history.begin_round(3.0)

    assert history.time == 5.0


MONDAY, TUESDAY = "Mon, 05 Feb 2024 10:00:00 GMT", "Tue, 06 Feb 2024 10:00:00 GMT"


@pytest.mark.parametrize(
    ("etag", "modified", "headers", "answer"),
    [
        ('"1"', "", {"etag": '"1"'}, True),
        ('W/"1"', "", {"etag": '"1"'}, True),
        ('"1"', TUESDAY, {"etag": '"2"', "last-modified": MONDAY}, False),  # the ETag decides
        ("", MONDAY, {"last-modified": MONDAY}, True),
        ("", TUESDAY, {"last-modified": MONDAY}, True),
        ("", MONDAY, {"last-modified": TUESDAY}, False),
        ("", "yesterday", {"last-modified": MONDAY}, False),
        ("", "", {"etag": '"1"'}, False),
    ],
)
def test_replay_answers_conditional_requests_truthfully(
    etag: str, modified: str, headers: dict[str, str], answer: bool
) -> None:
    assert not_modified(Ask(1, url("a"), etag=etag, modified=modified), headers) is answer


def test_a_redirect_does_not_erase_what_was_there() -> None:
    """A site that sends every reader to a login is the same site when it is back."""
    first: Mapping[str, Record] = {"": page("a"), "a": version(1)}
    login = dict.fromkeys(first, moved("login")) | {"login": page()}

    told = rounds(timeline(first, login, {"other": page()}, first))

    assert list(map(sorted, told[1:])) == [
        ["200 login new", "301  gone", "301 a gone"],
        ["200 login same", "301  same", "301 a same"],
        ["200  same", "200 a same", "200 login same"],
    ]


def test_pages_that_show_each_other_are_credited_once() -> None:
    """As in a journal that has lost the answer which showed the first of them."""
    history = History()
    history.begin_round(1.0)
    seen = Content(200, "text/html", "", "", "", "", False, ())
    history.visit(Link(url("a"), url("b")), seen, ())
    history.visit(Link(url("b"), url("a")), seen, ())
    history.visit(Link(url("c"), url("b")), replace(seen, found=True), ())

    known = [history.get(url(name)) for name in "abc"]
    assert [one.visits[-1].finds for one in known if one] == [1, 1, 1]
