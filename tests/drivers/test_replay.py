"""A recorded site answers."""

from __future__ import annotations

import pytest

from lodehound.core.crawl import Crawl
from lodehound.core.link import Link
from lodehound.core.messages import Answer, Ask, Page, Stop
from lodehound.core.scope import Scope
from lodehound.core.stop import Budget, EarlyStop
from lodehound.drivers.replay import answerer, reader, replay, run, scope_of
from lodehound.papers.sb_classifier.sb_classifier import SbClassifier
from lodehound.policies.bfs import Bfs
from lodehound.stores.records import Record
from lodehound.stores.site import build_site
from lodehound.targets.files import Files
from tests.helpers import ROOT, crawled, failed, file, moved, page, recorded, url, written

SITE = recorded(
    {
        "": page(
            "a", "x.csv", "gone", "old", "https://sub.s.example/", "https://o.example/", "i.png"
        ),
        "a": page(""),
        "x.csv": file(size=70),
        "old": moved("y.csv"),
        "y.csv": file(size=7),
        "down": failed(500),
        "photo": Record("", 200, "image/png", b"...", 5000, 40),
    }
)
ANSWER = answerer(SITE, Scope())


@pytest.mark.parametrize(
    ("at", "status", "mime", "location"),
    [
        ("", 200, "text/html", ""),
        ("x.csv", 200, "text/csv", ""),
        ("old", 301, "text/html", url("y.csv")),
        ("down", 500, "text/html", ""),
        ("never", 404, "", ""),
    ],
)
def test_answers(at: str, status: int, mime: str, location: str) -> None:
    """What was recorded; what was not is a 404."""
    ask = Ask(7, url(at))
    answer = ANSWER(ask)

    assert (answer.ask, answer.status, answer.mime, answer.location) == (
        ask,
        status,
        mime,
        location,
    )
    assert (answer.body, answer.error) == (b"", "")


def test_what_answers_weigh() -> None:
    """A GET its content, a HEAD its headers, a blocked type its headers too, a 404 nothing."""
    site = build_site(
        "s",
        [
            Record(ROOT, 200, "image/png", b"", 5000, 40),
            Record(url("a"), 200, "text/csv", b"", 9, 30),
        ],
    )
    open_to_all, blocking = Scope.around([ROOT], block=False), Scope.around([ROOT])

    def weigh(scope: Scope, at: str, method: str = "GET") -> int:
        return answerer(site, scope)(Ask(1, url(at), method)).size  # type: ignore[arg-type]

    assert [weigh(open_to_all, ""), weigh(open_to_all, "", "HEAD")] == [5000, 40]
    assert [weigh(blocking, ""), weigh(blocking, "a"), weigh(blocking, "a", "HEAD")] == [40, 9, 30]
    assert weigh(blocking, "gone") == 0


def test_pages_are_read_one_deeper_than_their_link() -> None:
    """The links of a GET, from where the redirects ended; none of a HEAD or a failure."""
    read, link = reader(SITE), Link(url("old"), depth=4)
    got = read(ANSWER(Ask(1, ROOT)), link)

    assert [(found.depth, found.source) for found in got.links] == [(5, ROOT)] * 7
    assert read(ANSWER(Ask(1, ROOT, "HEAD")), link) == Page(ROOT, "HEAD", 200, "text/html")
    assert read(ANSWER(Ask(1, url("down"))), link).links == ()
    assert read(Answer(Ask(1, url("never")), 404), link).links == ()


def test_the_scope_of_a_replica() -> None:
    """Its hosts, the site of the start, the block list, and the guards against traps."""
    _, steps = replay(SITE, policy=Bfs(), target=Files())

    assert list(written(steps)) == ["", "a", "x.csv", "gone", "old", "y.csv"]
    scope = scope_of(SITE, [ROOT], block=False, traps=False)
    assert scope.refusal(Link("https://sub.s.example/")) == "host not recorded"
    assert scope.refusal(Link("https://o.example/")) == "other site"
    assert scope.refusal(Link(url("i.png"))) == ""
    assert scope.refusal(Link(url("a/b/a/b/a"))) == ""
    assert scope_of(SITE, [ROOT]).refusal(Link(url("a/b/a/b/a"))) == "trap: repeated parts"


def test_a_start_of_ones_own() -> None:
    """Any address of the replica, in any writing; the root is only the usual one."""
    crawl, steps = replay(SITE, policy=Bfs(), target=Files(), starts=["HTTPS://S.EXAMPLE/old"])

    assert list(written(steps)) == ["old", "y.csv"]
    assert (crawl.requests, crawl.finds, crawl.stopped) == (2, 1, "exhausted")


def test_budgets_and_rules() -> None:
    """They end a replay as they end a crawl."""
    assert crawled(SITE, Bfs(), budget=Budget(requests=2)) == ["", "a"]
    assert crawled(SITE, Bfs(), budget=Budget(finds=1)) == ["", "a", "x.csv"]
    assert crawled(SITE, Bfs(), rules=(EarlyStop(nu=2, kappa=1),)) == ["", "a"]


def test_nothing_happens_before_the_first_step() -> None:
    """Steps come one by one, as they are asked for."""
    crawl, steps = replay(SITE, policy=Bfs(), target=Files())

    before = crawl.requests
    next(steps)

    assert (before, crawl.requests) == (0, 1)


def test_a_crawl_that_waits_for_nothing_is_an_error() -> None:
    """In a replay every answer is given at once: waiting would be for ever."""

    class Waiting(Bfs):
        pass

    crawl = Crawl([Link(ROOT)], policy=Waiting(), target=Files(), read=reader(SITE), scope=Scope())
    crawl.next()

    with pytest.raises(RuntimeError, match="The crawl waits although every answer was given"):
        next(run(crawl, ANSWER))


def test_a_replay_is_the_same_every_time() -> None:
    """Step by step, reasons and odds included."""
    runs = [
        list(replay(SITE, policy=SbClassifier(b=2, seed=4), target=Files())[1]) for _ in range(2)
    ]

    assert runs[0] == runs[1]
    assert runs[0][0].why == "start URL"


def test_the_end_stays_the_end() -> None:
    """A crawl that stopped asks for nothing more, however often it is asked."""
    crawl, steps = replay(SITE, policy=Bfs(), target=Files())
    list(steps)

    assert crawl.next() == Stop("exhausted")
    assert list(steps) == []


def test_a_type_on_the_block_list_is_still_judged() -> None:
    """Only its body is not read: a crawl for images needs block=False to weigh them."""
    site = recorded({"": page("photo"), "photo": Record("", 200, "image/png", b"", 5000, 40)})
    _, steps = replay(site, policy=Bfs(), target=Files(mimes={"image/png"}))

    assert [(step.found, step.size) for step in steps] == [(False, 0), (True, 40)]
