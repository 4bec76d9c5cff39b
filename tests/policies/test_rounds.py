"""A further round goes where news is expected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from lodehound.core.history import KnownUrl, PastVisit
from lodehound.core.lanes import Lanes
from lodehound.core.link import Link
from lodehound.core.messages import Choice, Outcome, YieldEstimate
from lodehound.core.policy import Policy
from lodehound.learn.revisits import Revisits
from lodehound.learn.url_families import address_of
from lodehound.policies.further_round import Round
from lodehound.policies.lodehound import LodehoundPolicy
from lodehound.policies.lodehound.new_links import NewLinks
from tests.helpers import FOUND, NOTHING, ROOT, place, url

OLD = [PastVisit(float(time), "same") for time in range(1, 5)]


def known(at: str, *visits: PastVisit, file: bool = False, links: tuple[str, ...] = ()) -> KnownUrl:
    """A URL of the first round, visited again every day."""
    mime = "text/csv" if file else "text/html"
    seen = [PastVisit(0.0, "new"), *(visits or OLD)]
    link = Link(url(at), ROOT, "html/body/p/a", at, "", "a", 1)
    return KnownUrl(link, 200, mime, file, "1", links=tuple(map(url, links)), visits=seen)


def news(finds: int = 1, *, links: int = 0) -> list[PastVisit]:
    return [PastVisit(float(time), "changed", links, finds) for time in range(1, 5)]


def same(choice: Choice) -> Outcome:
    return Outcome(choice, choice.link.url, 304, "", NOTHING, (), change="same")


def begun(known: Sequence[KnownUrl], time: float = 5.0) -> Lanes:
    """The policy at the beginning of a round."""
    lanes = Lanes(LodehoundPolicy())
    lanes.begin_round(known, time)
    return lanes


def order(one: Policy | Lanes) -> list[str]:
    """Answer every choice with 304; return the places in the order of the choices."""
    places = []
    while (choice := one.choose(())) is not None:
        places.append(place(choice.link.url))
        one.learn(same(choice))
    return places


def test_the_page_that_brought_news_comes_first() -> None:
    one = begun([known("a/x"), known("b/y", *news(3, links=3)), known("c/z")])

    assert order(one)[0] == "b/y"


def test_gamma_counts_in_further_rounds_too() -> None:
    """It is the share of a page that leads to files for the page before it."""
    before = [known("a", links=("b",)), known("b"), known("c.csv", file=True)]
    before[1] = replace(before[1], link=before[1].link._replace(source=url("a")))
    before[2] = replace(before[2], link=before[2].link._replace(source=url("b")))
    new = [before[0].link]
    values = []
    for gamma in (0.0, 0.9):
        one = LodehoundPolicy(gamma=gamma).begin_round(before, 5.0)
        assert isinstance(one, Round)
        values.append(float(one._judge.judge(new)[1][0]))

    assert values[1] > values[0] + 0.01


def test_a_new_page_like_one_with_files_behind_it_is_worth_more() -> None:
    """The first page of a talk has no files, but the slides behind it have."""

    def shown(at: str, on: str, *, file: bool = False) -> KnownUrl:
        one = known(at, file=file)
        return replace(one, link=one.link._replace(source=url(on)))

    before = [
        *[shown(f"{kind}/{n}/", "") for n in range(4) for kind in ("talk", "person")],
        *[shown(f"slides/{n}.htm", f"talk/{n}/") for n in range(4)],
        *[shown(f"data/{n}.txt", f"slides/{n}.htm", file=True) for n in range(4)],
    ]
    new = [shown("talk/5/", "").link, shown("person/5/", "").link]
    _, (talk, person) = NewLinks(before, shrink=2.0, gamma=0.5).judge(new)

    assert talk > person + 0.2


def test_a_change_without_finds_is_no_news() -> None:
    """A news page changes every day; the list brought a file now and then."""
    busy = [PastVisit(float(time), "changed") for time in range(1, 5)]
    some = [
        PastVisit(1.0, "same"),
        PastVisit(2.0, "changed", 1, 1),
        PastVisit(3.0, "same"),
        PastVisit(4.0, "same"),
    ]
    one = begun([known("news/x", *busy), known("list/y", *some)])

    assert order(one) == ["list/y", "news/x"]


def test_a_file_that_changes_is_visited_before_those_that_do_not() -> None:
    one = begun([known(f"f/{n}.csv", file=True) for n in range(5)] + [
        known("g/x.csv", *news(), file=True)
    ])  # fmt: skip

    assert order(one)[0] == "g/x.csv"


def test_translations_change_together() -> None:
    """Both were changed in the same rounds; so what one shows says of the other at once."""
    files = [known(f"{lang}/gdp.csv", *news(), file=True) for lang in ("en", "fr")]
    one = begun([*files, *(known(f"x{n}/y.csv", *news(), file=True) for n in range(3))])
    first = chosen_first(one, "en/gdp.csv")
    one.learn(Outcome(first, first.link.url, 200, "text/csv", FOUND, (), change="changed"))
    choice = one.choose(())

    assert choice is not None
    assert place(choice.link.url) == "fr/gdp.csv"
    assert "another form of it had news" in choice.why


def test_files_of_a_changed_page_are_left_when_they_disappoint() -> None:
    """Nothing is known of the past; other pages come before the last of 40 files."""
    files = [f"f/{n}.csv" for n in range(40)]
    first_round = [
        known("p/list", links=tuple(files)),
        *(known(at, file=True) for at in files),
        *(known(f"q/{letter}") for letter in "abc"),
    ]
    for one in first_round:
        del one.visits[1:]
    policy = begun(first_round)
    choice = chosen_first(policy, "p/list")
    policy.learn(Outcome(choice, choice.link.url, 200, "text/html", NOTHING, (), change="changed"))

    places = order(policy)
    assert places[0].startswith("f/")
    assert {"q/a", "q/b", "q/c"} <= set(places[:20])


def chosen_first(one: Policy | Lanes, at: str) -> Choice:
    while (choice := one.choose(())) is not None:
        if place(choice.link.url) == at:
            return choice
        one.learn(same(choice))
    raise AssertionError(f"{at} was not chosen")


def test_a_new_file_is_fetched_at_once() -> None:
    one = begun([known("list/a", *news(2, links=2)), known("list/b", *news(2, links=2))])
    first = one.choose(())
    assert first is not None
    new = Link(url("data/2024.csv"), first.link.url, "html/body/ul/li/a", "2024", "", "a", 2)
    one.learn(Outcome(first, first.link.url, 200, "text/html", NOTHING, (new,), change="changed"))
    choice = one.choose(())

    assert choice is not None
    assert choice.link == new


@pytest.mark.parametrize("form", ["posts/{}", "posts/{}/about/"])
def test_new_links_are_valued_anew_as_they_disappoint(form: str) -> None:
    """Posts had files before; of 50 new ones, none has any, whether in one folder or in many."""
    posts = [known(f"posts/{n}", *OLD) for n in range(20)]
    files = [one_of_a_post(f"posts/{n}.csv", f"posts/{n}") for n in range(20)]
    one = begun([known("list", *news(3, links=3)), *posts, *files])
    first = chosen_first(one, "list")
    new = tuple(
        Link(
            url(form.format(n, "abcdefghij"[n % 10] * (n // 10))),
            url("list"),
            "html/body/p/a",
            "post",
            "",
            "a",
            2,
        )
        for n in range(100, 150)
    )
    one.learn(Outcome(first, first.link.url, 200, "text/html", NOTHING, new, change="changed"))
    values = []
    while (choice := one.choose(())) is not None:
        if choice.link in new:
            values.append(float(choice.why.split()[2]))
        one.learn(same(choice))

    assert values[0] > 2 * values[20]


def one_of_a_post(at: str, source: str) -> KnownUrl:
    """A file of the first round that another page than the root showed."""
    one = known(at, file=True)
    one.link = one.link._replace(source=url(source))
    return one


def test_a_kind_without_a_past_is_judged_by_its_ending() -> None:
    """Feeds have changed, PDFs have not; both are now elsewhere for the first time."""
    past = [known("a/x.xml", *news(), file=True), known("b/x.pdf", file=True)]
    born = [PastVisit(4.0, "new")]
    young = [known("c/1.pdf", file=True), known("d/1.xml", file=True)]
    for one in young:
        one.visits = born

    assert order(begun([*past, *young]))[:2] == ["a/x.xml", "d/1.xml"]


def test_usual_is_the_time_between_rounds_not_between_visits() -> None:
    """Most URLs are visited every fourth round; one visited two rounds ago has waited long."""
    seldom = [
        known(f"a/{n}", *(PastVisit(float(time), "same") for time in range(n % 4, 20, 4) if time))
        for n in range(20)
    ]
    model = Revisits(seldom, 20.0)

    assert model.usual == 1.0
    assert {seldom[number].visits[-1].time for number in model.waiting_long()} == {16.0, 17.0, 18.0}


def test_a_url_that_waited_long_is_not_forgotten() -> None:
    """It never brought anything; after a fifth revisit its turn has come."""
    stale = KnownUrl(
        known("old/x").link, 200, "text/html", digest="1", visits=[PastVisit(0.0, "new")]
    )
    lively = [known(f"list/{n}", *news(3, links=3)) for n in range(20)]

    assert "old/x" in order(begun([stale, *lively]))[:5]


def test_the_same_page_under_another_name_is_left_to_the_end() -> None:
    pages = [known(at, *news(3, links=3)) for at in ("m/", "m/index.html", "k/x", "k/y")]

    assert {order(begun(pages))[-1]} <= {"m/", "m/index.html"}


def test_addresses_tell_relatives() -> None:
    one = address_of("https://www.e.org/stat/gdp_en.csv")

    assert one.stem == address_of("http://e.org/stat/gdp_fr.xlsx").stem
    assert one.twin == address_of("http://e.org/stat/gdp_en.csv").twin
    assert address_of("https://e.org/a/index.html").alias == "https://e.org/a/"
    assert (
        address_of("https://e.org/2024/t3.csv").pattern
        == address_of("https://e.org/2023/t12.csv").pattern
    )


def listing(*places: str, modified: str) -> Outcome:
    """A sitemap that says when known pages changed."""
    links = tuple(Link(url(at), around=modified, kind="listed") for at in places)
    return Outcome(None, "", 0, "", NOTHING, (), links)


PAGES = [f"{name}/{number}" for name in "abcd" for number in "xyz"]


def test_a_page_that_changed_by_its_sitemap_comes_first() -> None:
    """A date before the last visit says nothing."""
    one = begun([known(at) for at in PAGES])
    one.learn(Outcome(None, "", 0, "", NOTHING, (), (
        Link(url("d/z"), around="1970-01-05T12:00:00Z", kind="listed"),
        *(Link(url(at), around="1970-01-02", kind="listed") for at in PAGES[:-1]),
    )))  # fmt: skip

    assert order(one)[0] == "d/z"


def test_one_date_for_all_pages_says_nothing() -> None:
    plain, told = (begun([known(at) for at in PAGES]) for _ in range(2))
    told.learn(listing(*PAGES, modified="1970-01-05T12:00:00Z"))

    assert order(told) == order(plain)


def test_a_sitemap_that_was_wrong_is_not_believed() -> None:
    """In earlier rounds nothing had changed where it said so."""
    wrong = [PastVisit(float(time), "same", claimed=True) for time in range(1, 5)]
    list_ = known("list", *OLD[:3], PastVisit(4.0, "changed", 1, 1))
    dates = ("1970-01-02", "1970-01-05T12:00:00Z")
    said = tuple(Link(url(at), around=dates[at == "a/x"], kind="listed") for at in PAGES)
    first = []
    for visits in (OLD, wrong):
        one = begun([list_, *(known(at, *visits) for at in PAGES)])
        one.learn(Outcome(None, "", 0, "", NOTHING, (), said))
        first.append(order(one)[0])

    assert first == ["a/x", "list"]


def test_what_is_left_falls_as_the_round_goes_on() -> None:
    """--early-stop auto needs an estimate of the round, not of a whole crawl."""
    one = begun([known("a/x"), known("b/y", *news(3, links=3))])
    before = one.remaining_yield()
    order(one)
    after = one.remaining_yield()

    assert before is not None
    assert after == YieldEstimate(0.0, 0.0, 0.0)
    assert before.low < before.left < before.high
    assert before.left > 1


def test_a_url_taken_while_its_host_sleeps_is_not_chosen_again() -> None:
    """As when a journal is replayed whose notes on sleeping hosts are lost."""
    one = begun([known("a", *news()), known("b", *news())])
    choice = one.pick(())
    assert choice is not None
    assert one.pick({choice.link.host}) is None
    one.take(choice)
    one.learn(same(choice))
    assert order(one) == [{"a": "b", "b": "a"}[place(choice.link.url)]]
