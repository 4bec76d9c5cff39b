"""The scheduler between a hand-made engine and policies that listen: who decides, who is told."""

from __future__ import annotations

from scrapy import Request

from lodehound.papers.sb_classifier.sb_classifier import SbClassifier
from tests.helpers import Listening, url
from tests.scrapy.engine import HandEngine, LastFirst, get, names, told

# --- who decides ------------------------------------------------------------------------------


def test_the_policy_decides_the_order() -> None:
    """Start first, then what the policy chooses; each outcome has its links."""
    policy = LastFirst()
    engine = HandEngine(policy)
    engine.start("")

    assert engine.run({"": "a b", "b": "c d"}) == ["", "b", "d", "c", "a"]
    assert told(policy) == [
        ("-", 0, [""]),
        ("", 200, ["a", "b"]),
        ("b", 200, ["c", "d"]),
        ("d", 200, []),
        ("c", 200, []),
        ("a", 200, []),
    ]


def test_a_policy_sees_where_a_link_stands() -> None:
    """Tag path, words and depth, as the page shows them; finds are judged by the target."""
    policy = Listening()
    engine = HandEngine(policy)
    engine.start("")
    engine.run({"": "files:x.csv"})

    (link,) = policy.outcomes[1].links
    assert (link.tag_path, link.anchor, link.depth) == ("html/body/p.files/a", "x.csv", 1)
    assert [outcome.verdict.found for outcome in policy.outcomes] == [False, False, True]
    assert engine.stats["lodehound/finds"] == 1


def test_urls_no_page_shows_are_learned_too() -> None:
    """The spider made it up: it has a source and a depth but stands nowhere."""
    policy = Listening()
    engine = HandEngine(policy)
    engine.start("")
    start = engine.take_one()
    response = engine.arrive(start, "a")
    engine.follow(response, get("a"), get("api?q=1"))
    engine.done(start)
    engine.take()

    a, api = policy.outcomes[1].links
    assert (a.tag_path, a.source) == ("html/body/p/a", url(""))
    assert (api.tag_path, api.source, api.depth) == ("", url(""), 1)
    assert engine.stats["lodehound/unmatched"] == 1


def test_sightings_of_known_urls_are_told() -> None:
    """Again: the home page on every page, and a second link on the same page."""
    policy = Listening()
    engine = HandEngine(policy)
    engine.start("")
    start = engine.take_one()
    response = engine.arrive(start, "menu:a list:a")
    assert engine.follow(response, get("a"), get("a")) == [True, False]
    engine.done(start)
    engine.answer(engine.take_one(), "top:a")
    engine.take()

    again = [[link.tag_path for link in outcome.again] for outcome in policy.outcomes]
    assert again == [[], ["html/body/p.list/a"], ["html/body/p.top/a"]]


# --- what goes first --------------------------------------------------------------------------


def test_priority_above_zero_goes_first_and_is_learned_once() -> None:
    """Higher first, then older first; the policy gets its outcome when it chooses it."""
    policy = LastFirst()
    engine = HandEngine(policy)
    engine.start("")
    start = engine.take_one()
    response = engine.arrive(start, "a b c d")
    engine.follow(response, get("a"), get("b", priority=1), get("c", priority=5), get("d"))
    engine.done(start)

    assert engine.run({}) == ["c", "b", "d", "a"]
    assert told(policy) == [
        ("-", 0, [""]),
        ("", 200, ["a", "b", "c", "d"]),
        ("d", 200, []),
        ("c", 200, []),
        ("b", 200, []),
        ("a", 200, []),
    ]


def test_other_methods_and_bodies_pass_in_their_order() -> None:
    """A policy knows GETs only; the links of what a POST brings are learned all the same."""
    policy = LastFirst()
    engine = HandEngine(policy)
    engine.start("")
    start = engine.take_one()
    response = engine.arrive(start, "a")
    posts = [get("search", method="POST", body="q=1"), get("b", body="x"), get("c", method="PUT")]
    engine.follow(response, get("a"), *posts)
    engine.done(start)

    assert engine.run({"search": "found"}) == ["POST search", "b", "PUT c", "found", "a"]
    assert ("search", 200, ["found"]) in told(policy)


def test_a_page_asked_for_again_is_not_learned_twice() -> None:
    """With dont_filter a spider may ask twice; the policy hears of it once."""
    policy = Listening()
    engine = HandEngine(policy)
    engine.start("")
    start = engine.take_one()
    response = engine.arrive(start, "a")
    engine.follow(response, get("a"), get("a", dont_filter=True))
    engine.done(start)

    assert sorted(engine.run({"a": "b"})) == ["a", "a", "b"]
    assert [choice for choice, _, _ in told(policy)].count("a") == 1


def test_duplicates_are_filtered_by_the_projects_filter() -> None:
    """As Scrapy's own scheduler does: dont_filter neither asks nor tells the filter."""
    engine = HandEngine(Listening())

    requests = [get("a"), get("a"), get("a", dont_filter=True), get("a#top")]
    assert engine.hand_in(*requests) == [True, False, True, False]
    assert engine.stats["dupefilter/filtered"] == 2
    assert engine.stats["scheduler/enqueued"] == 2


def test_requests_out_of_nowhere_pass() -> None:
    """An extension's, or an errback's: nobody knows their page."""
    engine = HandEngine(Listening())
    engine.start("")
    engine.fail(engine.take_one(), get("mirror"))

    assert engine.run({"mirror": "a"}) == ["mirror", "a"]


# --- what comes back --------------------------------------------------------------------------


def test_failures_are_outcomes_of_status_zero() -> None:
    policy = Listening()
    engine = HandEngine(policy)
    engine.start("")
    engine.answer(engine.take_one(), "a")
    engine.fail(engine.take_one())

    assert engine.take() is None
    assert told(policy)[-1] == ("a", 0, [])
    assert engine.stats["lodehound/unanswered"] == 1
    assert not engine.scheduler.has_pending_requests()


def test_a_retry_is_the_same_choice() -> None:
    """It goes before learned requests, and is one outcome: the last answer."""
    policy = LastFirst()
    engine = HandEngine(policy)
    engine.start("")
    engine.answer(engine.take_one(), "a b")
    b = engine.take_one()
    assert engine.go_on(b, b.replace(dont_filter=True, priority=-1))

    assert engine.run({"b": "c"}) == ["b", "c", "a"]
    assert told(policy)[2:] == [("b", 200, ["c"]), ("c", 200, []), ("a", 200, [])]


def test_a_redirect_is_the_same_choice() -> None:
    """The outcome of the link is what stands where it leads."""
    policy = Listening()
    engine = HandEngine(policy)
    engine.start("")
    engine.answer(engine.take_one(), "a")
    a = engine.take_one()
    engine.go_on(a, a.replace(url=url("moved")))

    assert engine.run({}) == ["moved"]
    outcome = policy.outcomes[-1]
    assert (told(policy)[-1], outcome.url) == (("a", 200, []), url("moved"))
    assert outcome.verdict.found


def test_a_redirect_to_what_is_known_ends_there() -> None:
    """Scrapy filters it as a duplicate; the choice still gets its outcome."""
    policy = Listening()
    engine = HandEngine(policy)
    engine.start("")
    engine.answer(engine.take_one(), "a b")
    a = engine.take_one()

    assert not engine.go_on(a, a.replace(url=url("b")))
    assert engine.run({}) == ["b"]
    assert told(policy)[2:] == [("a", 0, []), ("b", 200, [])]


def test_many_in_flight_answered_in_any_order() -> None:
    """Each answer goes to its own choice."""
    policy = Listening()
    engine = HandEngine(policy)
    engine.start("")
    engine.answer(engine.take_one(), "a b c")
    a, b, c = (engine.take_one() for _ in range(3))
    assert engine.take() is None
    engine.answer(c, "d")
    engine.fail(a)
    engine.answer(b, mime="text/csv")

    assert engine.run({}) == ["d"]
    assert sorted(told(policy)[2:5]) == [("a", 0, []), ("b", 200, []), ("c", 200, ["d"])]


# --- HEAD -------------------------------------------------------------------------------------


def test_heads_do_not_reach_the_spider_and_nothing_is_dropped() -> None:
    """The policy drops what its HEAD says is neither page nor file; the spider still gets it."""
    engine = HandEngine(SbClassifier(b=3))  # the start page is the first label
    engine.start("")
    engine.answer(engine.take_one(), "a gone x.csv")
    heads = [engine.take_one(), engine.take_one()]
    assert names(heads) == ["HEAD a", "HEAD gone"]
    assert all(head.callback and head.errback for head in heads)
    engine.answer(heads[0])
    engine.answer(heads[1], status=404, mime="text/plain")

    order = engine.run({"a": " "})
    assert order[-1] == "gone"
    assert sorted(at for at in order if "HEAD" not in at) == ["a", "gone", "x.csv"]
    assert engine.stats["lodehound/left"] == 1


def test_a_head_for_what_went_first_is_answered_by_the_get() -> None:
    """No second request for what is known."""
    engine = HandEngine(SbClassifier(b=3))  # the start page is the first label
    engine.start("")
    start = engine.take_one()
    response = engine.arrive(start, "a b")
    engine.follow(response, get("a", priority=1), get("b"))
    engine.done(start)

    assert engine.run({"a": " ", "b": " "}) == ["a", "HEAD b", "b"]


def test_heads_keep_what_the_request_needs() -> None:
    """Headers, cookies and proxy as the GET will have them; the answer as it is."""
    engine = HandEngine(SbClassifier())
    engine.start("")
    start = engine.take_one()
    response = engine.arrive(start, "a")
    asked = Request(url("a"), headers={"X-Key": "1"}, cookies={"c": "2"}, meta={"proxy": "p"})
    engine.follow(response, asked)
    engine.done(start)
    head = engine.take_one()

    assert (head.method, head.headers["X-Key"], head.cookies) == ("HEAD", b"1", {"c": "2"})
    assert head.meta == {"proxy": "p", "handle_httpstatus_all": True, "dont_redirect": True}
    assert asked.meta == {"proxy": "p"}
