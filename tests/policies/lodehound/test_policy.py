"""The policy lodehound: what it takes for a file, what it goes for, what it says."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from lodehound.core.errors import ConfigError
from lodehound.core.link import Link
from lodehound.core.messages import Choice, Outcome, Verdict
from lodehound.core.policy import Policy
from lodehound.drivers.replay import replay
from lodehound.papers.sb_classifier.sb_classifier import SbClassifier
from lodehound.policies.lodehound import LodehoundPolicy
from lodehound.policies.lodehound.features import LEVELS, UNKNOWN_SOURCE
from lodehound.sites import StatsOffice
from lodehound.stores.site import RecordedSite, build_site
from lodehound.targets.files import Files
from tests.read.test_subject import BIRDS

HOST = "https://e.org"
FOUND, NOTHING = Verdict(found=True, value=1.0), Verdict(found=False)
OFFICE = StatsOffice(pages=200, files=40, seed=5)


def link(place: str, path: str = "html/body/a", source: str = "/") -> Link:
    return Link(HOST + place, HOST + source, path, place, "", "a", 1)


def begun(**params: float) -> LodehoundPolicy:
    """Return a policy that has asked for its start page."""
    policy = LodehoundPolicy(**{"explore": 0.0, **params})  # type: ignore[arg-type]
    policy.learn(Outcome(None, "", 0, "", NOTHING, (Link(HOST + "/", kind=""),)))
    return policy


def show(policy: Policy, *links: Link, status: int = 200) -> Choice:
    """Let the next choice bring a page with these links; return the choice."""
    choice = policy.choose(())
    assert choice is not None
    policy.learn(Outcome(choice, choice.link.url, status, "text/html", NOTHING, links))
    return choice


def find(policy: Policy) -> Choice:
    """Let the next choice bring a file."""
    choice = policy.choose(())
    assert choice is not None
    policy.learn(Outcome(choice, choice.link.url, 200, "text/csv", FOUND, ()))
    return choice


def place(choice: Choice) -> str:
    return choice.link.url.removeprefix(HOST)


def test_files_by_their_ending_come_first_and_without_a_head() -> None:
    policy = begun()
    show(policy, link("/a.html"), link("/data.csv"), link("/b.html"))

    choice = find(policy)

    assert (place(choice), choice.method) == ("/data.csv", "GET")
    assert choice.why.startswith("expected files: ")


def test_what_is_a_file_is_learned() -> None:
    """Addresses that tell nothing: the tag path does, after a few."""
    policy = begun()
    files = [link(f"/get/{word}", "html/body/ul.files/li/a") for word in "abcdefgh"]
    show(policy, *files[:6], link("/x/", "html/body/nav/a"))
    for _ in range(6):
        choice = policy.choose(())
        assert choice is not None
        found = "/get/" in choice.link.url
        verdict = FOUND if found else NOTHING
        policy.learn(Outcome(choice, choice.link.url, 200, "text/html", verdict, ()))
    show(policy, *files[6:], link("/y/", "html/body/nav/a"))

    assert {place(find(policy)) for _ in range(2)} == {"/get/g", "/get/h"}


def test_finds_that_are_pages_are_learned_in_larger_steps() -> None:
    """As with structured data: nothing but the crawl itself tells which pages are finds."""

    def expected_beside(mime: str) -> float:
        policy = begun()
        show(policy, link("/x/a"), link("/x/b"))
        choice = policy.choose(())
        assert choice is not None
        policy.learn(Outcome(choice, choice.link.url, 200, mime, FOUND, ()))
        rows = policy._frontier.rows(policy._frontier.places()[:1])
        return float(policy._model.predict(rows).find[0])

    assert expected_beside("text/html") > expected_beside("text/csv") + 0.05


def test_finds_lead_on_even_if_all_their_links_are_known() -> None:
    """As RDF documents do that link to each other; files show no links at all."""
    policy = begun()
    show(policy, link("/a.rdf"), link("/b.rdf"))
    choice = policy.choose(())
    assert choice is not None
    outcome = Outcome(choice, choice.link.url, 200, "text/turtle", FOUND, ())
    policy.learn(replace(outcome, again=(link("/"),)))

    assert policy._model.finds_show_links


def test_pages_like_those_that_brought_files_come_first() -> None:
    policy = begun()
    good = [link(f"/archive/{i}.html", "html/body/ul/li/a") for i in range(6)]
    poor = [link(f"/news/{i}.html", "html/body/nav/a") for i in range(6)]
    show(policy, *good, *poor)
    order = []
    while (choice := policy.choose(())) is not None:
        order.append(place(choice))
        if choice.link.url.endswith("csv"):
            policy.learn(Outcome(choice, choice.link.url, 200, "text/csv", FOUND, ()))
            continue
        links = [link(f"{place(choice)}/{i}.csv") for i in range(3)]
        shown = tuple(links) if "/archive/" in choice.link.url else ()
        policy.learn(Outcome(choice, choice.link.url, 200, "text/html", NOTHING, shown))

    pages = [url for url in order if not url.endswith("csv")]
    last_good = max(i for i, url in enumerate(pages) if "/archive/" in url)
    assert last_good <= 8
    assert len(order) == 12 + 18


def test_a_page_is_worth_half_of_the_best_it_leads_to() -> None:
    """Two values: log(1 + files) of the page itself, and gamma times the best new link's."""
    plain, backed = begun(gamma=0.0), begun(gamma=0.5)
    for policy in (plain, backed):
        show(policy, link("/list.html"))
        show(policy, link("/deeper.html"))

    assert backed._model.means.total[0] > plain._model.means.total[0]


def test_a_visit_counts_while_it_is_on_its_way() -> None:
    """Eight choices without an outcome lower the mean of their group."""
    policy = begun()
    show(policy, *[link(f"/p/{i}.html") for i in range(20)])
    features = policy._frontier.rows(policy._frontier.best(()) or 0)

    def mean() -> float:
        model = policy._model
        return float(model.means.predict(model.table.find(features[LEVELS]))[0])

    before = mean()

    choices = [policy.choose(()) for _ in range(8)]

    assert all(choices)
    assert mean() < before


def test_a_find_asked_for_as_a_page_is_no_visit() -> None:
    policy = begun()
    show(policy, link("/what"))
    visits = policy._model.means.total[-1]

    find(policy)

    assert policy._model.means.total[-1] == pytest.approx(visits, abs=0.02)


def test_an_expected_file_that_is_a_page_is_a_visit() -> None:
    policy = begun()
    show(policy, link("/a.csv"))
    visits = policy._model.means.total[-1]

    show(policy)

    assert policy._model.means.total[-1] == pytest.approx(0.99 * visits + 1)


def test_dead_links_count() -> None:
    """Their group loses worth; nothing is asked for twice."""
    policy = begun()
    show(policy, *[link(f"/old/{i}.html", "html/body/p/a") for i in range(30)], link("/new.html"))
    order = []
    while (choice := policy.choose(())) is not None:
        order.append(place(choice))
        policy.learn(Outcome(choice, choice.link.url, 404, "", NOTHING, ()))

    assert order.index("/new.html") < 15
    assert len(order) == len(set(order)) == 31


def test_it_says_why_in_words() -> None:
    policy = begun()
    show(policy, *[link(f"/2024/p{i}.html", "html/body/ul#list/li/a") for i in range(3)])
    first = show(policy, link("/f/1.csv"), link("/f/2.csv"))
    find(policy), find(policy)
    second = show(policy)

    assert "none visited yet" in first.why
    name = "pages like /*/*.html linked at ul#list/li/a"
    assert second.why.startswith(f"{name}: 2 files in 1 visit, ")
    assert any(line.startswith("1.00 files a page over 2 visits") for line in policy.insights())


def test_groups_count_what_their_visits_brought() -> None:
    policy = begun()
    show(policy, *[link(f"/p/{i}.html", "html/body/ul/li/a") for i in range(3)])
    show(policy, *[link(f"/f/{i}.csv") for i in range(3)])
    find(policy), find(policy)

    expected, pages = policy.groups()

    assert (expected.visits, expected.finds, expected.waiting) == (2, 2.0, 1)
    assert 0.5 < expected.score <= 1
    assert (pages.visits, pages.finds, pages.waiting) == (1, 3.0, 2)


def test_an_expected_file_is_no_gain_for_the_page_that_shows_it() -> None:
    """It has counted since the page was visited."""
    policy = begun()
    show(policy, link("/page.html"))
    page = show(policy, link("/a.csv", source="/page.html"))

    find(policy)

    assert policy._visits._pages[page.link.url].worth.files == 1


def test_links_of_a_sitemap_wait_like_others() -> None:
    policy = begun()
    show(policy)
    listed = (Link(HOST + "/data.csv", kind="sitemap"), Link(HOST + "/p.html", kind="sitemap"))
    policy.learn(Outcome(None, "", 0, "", NOTHING, listed))

    assert place(find(policy)) == "/data.csv"


@pytest.mark.parametrize(
    "wrong",
    [
        {"gamma": 1.0}, {"gamma": math.nan}, {"explore": 1.5}, {"optimism": -1.0},
        {"optimism": 1e39}, {"shrink": 0.0}, {"shrink": 1e-46}, {"shrink": 1e39},
        {"shrink": math.inf}, {"decay": 1.0}, {"seed": -1},
    ],
)  # fmt: skip
def test_wrong_parameters(wrong: dict[str, float]) -> None:
    ((name, value),) = wrong.items()
    with pytest.raises(ConfigError, match=re.escape(f"{name}={value}")):
        LodehoundPolicy(**wrong)  # type: ignore[arg-type]


# --- whole crawls ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def office() -> RecordedSite:
    return build_site("office", OFFICE.records())


def urls(site: RecordedSite, policy: Policy) -> Iterator[tuple[str, bool]]:
    for step in replay(site, policy=policy, target=Files())[1]:
        yield step.url, step.found


def needed(site: RecordedSite, policy: Policy, share: float = 0.9) -> int:
    found = 0
    for number, (_, hit) in enumerate(urls(site, policy), 1):
        found += hit
        if found >= share * OFFICE.files:
            return number
    return 10**9


def test_the_same_seed_makes_the_same_crawl(office: RecordedSite) -> None:
    first, again = (list(urls(office, LodehoundPolicy(seed=3))) for _ in range(2))

    assert first == again
    assert first != list(urls(office, LodehoundPolicy(seed=4)))


def test_it_needs_fewer_requests_than_sb_classifier(office: RecordedSite) -> None:
    """By a fifth at least, over five seeds: it is why this policy is there."""
    ours = sum(needed(office, LodehoundPolicy(seed=seed)) for seed in range(5))
    theirs = sum(needed(office, SbClassifier(seed=seed)) for seed in range(5))

    assert ours < theirs * 4 / 5


def test_numbers_stay_finite() -> None:
    """On a page of hostile size, with texts of every kind."""
    odd = ["", "%", "%ff", "\ud800", "日本語", "a" * 5000, "?" * 50, "a.b" * 300, "\x00"]
    links = [replace_url(link("/x"), f"{HOST}/{text}/{i}") for i in range(300) for text in odd]
    policy = begun()
    show(policy, *links)
    for _ in range(200):
        show(policy)

    assert np.isfinite(policy._model.weights).all()
    assert math.isfinite(policy.remaining_yield().high)


def replace_url(sighting: Link, url: str) -> Link:
    return sighting._replace(url=url, anchor=url, tag_path=url)


def test_a_list_of_many_good_pages_is_worth_more_than_one() -> None:
    """Pages like those listed brought two files each."""
    values = []
    for listed in (1, 20):
        policy = begun()
        show(policy, *[link(f"/p/{i}.html", "html/body/ul/li/a") for i in range(8)])
        for page in range(8):
            show(policy, link(f"/f/{page}-a.csv"), link(f"/f/{page}-b.csv"))
            find(policy), find(policy)
        more = [link(f"/p/{8 + i}.html", "html/body/ul/li/a") for i in range(listed)]
        values.append(policy._add(tuple(more), UNKNOWN_SOURCE).value(0.5))

    assert values[1] > values[0] + 0.5


def test_a_find_counts_for_the_page_that_shows_it() -> None:
    """Its address does not say that it is a file."""
    policy = begun()
    show(policy, link("/page.html"))
    page = show(policy, link("/get/a", source="/page.html"))

    find(policy)

    assert policy._visits._pages[page.link.url].worth.files == 1


def test_words_near_to_the_subject_lead_to_finds() -> None:
    """Only the words of the links tell pages about birds from others."""
    policy = LodehoundPolicy(explore=0.0, subject=BIRDS)
    policy.learn(Outcome(None, "", 0, "", NOTHING, (Link(HOST + "/", kind=""),)))
    pairs = [(f"/w/{i}", ("bird", "war")[i % 2]) for i in range(40)]
    show(policy, *[Link(HOST + url, HOST + "/", "html/a", word) for url, word in pairs])
    about = dict(pairs)
    order = []
    while (choice := policy.choose(())) is not None:
        word = about[place(choice)]
        order.append(word)
        verdict = FOUND if word == "bird" else NOTHING
        policy.learn(Outcome(choice, choice.link.url, 200, "text/html", verdict, ()))

    assert order[:25].count("bird") >= 18


def test_after_a_refresh_picks_made_before_it_do_not_count() -> None:
    """There are more links than are scored before a choice, and what is known has changed."""
    links = [link(f"/{kind}/{i}", f"html/body/{kind}/a") for i in range(3000) for kind in "pqr"]

    def choices_after_refresh(picks: int) -> list[str]:
        policy = begun(explore=0.2)
        show(policy, *links)
        for number in range(30):
            for _ in range(picks):
                policy.pick(())
            taken = Choice(links[number])
            policy.take(taken)
            files = tuple(link(f"/{number}-{i}.csv") for i in range(number % 3))
            policy.learn(Outcome(taken, taken.link.url, 200, "text/html", NOTHING, files))
        policy.refresh(1)
        return [place(show(policy)) for _ in range(60)]

    assert choices_after_refresh(picks=0) == choices_after_refresh(picks=1)
