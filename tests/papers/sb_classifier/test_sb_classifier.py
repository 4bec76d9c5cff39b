"""SB-CLASSIFIER by hand: the algorithms, and both readings where paper and code disagree."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from lodehound.core.errors import ConfigError
from lodehound.core.messages import Choice
from lodehound.core.truth import Kind
from lodehound.papers.sb_classifier.sb_classifier import SbClassifier, Visit
from tests.helpers import (
    as_failure,
    as_file,
    as_page,
    chosen,
    crawled,
    file,
    links,
    page,
    place,
    recorded,
    started,
)

# --- visits, with a classifier that is told ----------------------------------------------------


class Told(SbClassifier):
    """Takes for a target what ends in csv, whatever it is."""

    def _kind(self, visit: Visit) -> Kind | None:
        return "target" if visit.links[visit.at].url.endswith(".csv") else "html"

    def stands(self, group: int) -> tuple[int, float]:
        """Return pulls and mean reward of a group."""
        return self._groups.bandit.pulls(group), self._groups.bandit.mean(group)


def test_the_papers_values() -> None:
    """Table of Section 4.4: n, m, w, the prime, theta, alpha, b; the code's epsilon."""
    made = SbClassifier()

    assert (made.n, made.m, made.w, made.pi) == (2, 12, 15, 766_245_317)
    assert (made.theta, made.alpha, made.epsilon) == (0.75, 2 * 2**0.5, 1e-6)
    assert (made.b, made.model, made.features, made.time) == (10, "lr", "url", "requests")
    assert (made.reward, made.compat, made.seed) == ("found", "", 0)


def test_the_readings_reach_the_parts() -> None:
    """Term frequencies and the empty symbol; the classifier's seed, case and lateness."""
    parts = []
    for policy in (SbClassifier(seed=7), SbClassifier(seed=7, compat="kit")):
        vectors, classifier = policy._groups.vectors, policy.classifier
        parts.append((vectors.tf, vectors.empty, classifier.late, classifier.fold_case))

    assert parts == [(False,) * 4, (True,) * 4]


START = started()
FIRST = Choice(START.links[0])


def trained(**options: Any) -> Told:
    """A policy that has got its start page, which shows nothing."""
    policy = Told(**options)
    policy.learn(START)
    policy.learn(as_page(chosen(policy)))
    return policy


def pull(policy: Told, written: str) -> Choice:
    """Show one link on a page without reward, and have it chosen from its group."""
    policy._groups.push(as_page(FIRST, written).links[0])
    choice = chosen(policy)
    assert choice.why.startswith("group")
    return choice


def visit(policy: Told, written: str, *shown: str) -> list[Choice]:
    """Pull one link, which brings a page; return the expected targets chosen at once."""
    policy.learn(as_page(pull(policy, written), *shown))
    expected = [chosen(policy) for to in shown if to.endswith(".csv")]
    assert [choice.why for choice in expected] == ["taken for a target"] * len(expected)
    return expected


def test_expected_targets_are_fetched_at_once() -> None:
    """In document order, before anything in the groups; pages before and between them wait."""
    policy = Told()
    policy.learn(START)
    policy.learn(as_page(chosen(policy), "nav:a", "list:x.csv", "nav:b", "list:y.csv", "nav:c"))

    order = [place(chosen(policy).link.url) for _ in range(5)]

    assert order[:2] == ["x.csv", "y.csv"]
    assert set(order[2:]) == {"a", "b", "c"}
    assert policy.choose(()) is None


def test_files_that_a_file_lists_are_fetched_too() -> None:
    """A JSON document that is a target may show others; nobody is credited for them."""
    policy = Told()
    policy.learn(START)
    policy.learn(as_page(chosen(policy), "list.csv"))

    policy.learn(replace(as_file(chosen(policy)), links=links("x.csv", "nav:a")))

    assert [place(chosen(policy).link.url) for _ in range(2)] == ["x.csv", "a"]


def test_the_newest_page_goes_first() -> None:
    """A page taken for a target is visited before the rest of the page that showed it."""
    policy = Told()
    policy.learn(START)
    policy.learn(as_page(chosen(policy), "x.csv", "y.csv"))

    policy.learn(as_page(chosen(policy), "z.csv"))

    assert [place(chosen(policy).link.url) for _ in range(2)] == ["z.csv", "y.csv"]


@pytest.mark.parametrize(("reward", "mean"), [("found", 1.0), ("predicted", 3.0)])
def test_rewards_are_found_or_predicted(reward: str, mean: float) -> None:
    """Three links taken for targets, one of which is one: reward 1, or 3 as Algorithm 4 has it."""
    policy = trained(reward=reward)
    x, y, z = visit(policy, "nav:a", "x.csv", "y.csv", "z.csv")

    policy.learn(as_file(x))
    policy.learn(as_failure(y))
    assert policy.stands(0) == (1, 0.0)  # credited when all answers are there
    policy.learn(as_page(z))

    assert policy.stands(0) == (1, mean)


def test_the_mean_of_a_group() -> None:
    """Rewards 2, 0 and 1: mean 1 over 3 pulls. The other group is not touched."""
    policy = trained()
    for number, finds in enumerate([2, 0, 1]):
        for choice in visit(policy, f"nav:a{number}", *(f"{number}-{i}.csv" for i in range(finds))):
            policy.learn(as_file(choice))
        policy.choose(())  # the page is sorted to its end
    pull(policy, "list:b")

    assert policy.stands(0) == (3, 1.0)
    assert policy.stands(1) == (1, 0.0)


def test_the_start_page_rewards_nobody() -> None:
    """It belongs to no group; what it shows is no one's reward."""
    policy = Told()
    policy.learn(START)
    policy.learn(as_page(chosen(policy), "nav:a", "x.csv"))
    policy.learn(as_file(chosen(policy)))

    chosen(policy)

    assert policy.stands(0) == (1, 0.0)
    assert policy._groups.bandit.arms == 1


@pytest.mark.parametrize("compat", ["", "kit"])
def test_a_page_taken_for_a_target_visits_its_own_group(compat: str) -> None:
    """It is a pull of the group of its tag path, with the targets it shows as reward."""
    policy = trained(compat=compat)
    (x,) = visit(policy, "nav:a", "list:x.csv")

    policy.learn(as_page(x, "y.csv", "z.csv"))
    for _ in range(2):
        policy.learn(as_file(chosen(policy)))
    policy.choose(())

    assert policy.stands(0) == (1, 0.0)
    assert policy.stands(1) == (1, 2.0)
    assert policy._groups.examples == ["html/body/p.nav/a", "html/body/p.list/a"]


@pytest.mark.parametrize(("compat", "stands"), [("", (1, 0.0)), ("kit", (0, 0.0))])
def test_a_target_taken_for_a_page_rewards_nobody(compat: str, stands: tuple[int, float]) -> None:
    """Its group has one pull without reward, or none in the released code; its parent nothing."""
    policy = trained(compat=compat)

    policy.learn(as_file(pull(policy, "nav:a")))

    assert policy.choose(()) is None
    assert policy.stands(0) == stands


@pytest.mark.parametrize(("compat", "mean"), [("", 1.0), ("kit", 0.0)])
def test_a_target_behind_a_redirect(compat: str, mean: float) -> None:
    """It is a reward; not in the released code, which looks at the first answer only."""
    policy = trained(compat=compat)
    (x,) = visit(policy, "nav:a", "x.csv")

    policy.learn(as_file(x, redirected="elsewhere"))
    policy.choose(())

    assert policy.stands(0) == (1, mean)


@pytest.mark.parametrize(("compat", "pulls"), [("", 2), ("kit", 0)])
@pytest.mark.parametrize("status", [404, 500, 0, 301])
def test_a_pull_that_fails(compat: str, pulls: int, status: int) -> None:
    """Counts as selected (paper), or leaves its group as if it had never been tried (code)."""
    policy = trained(compat=compat)

    for to in ("nav:a", "nav:b"):
        policy.learn(as_failure(pull(policy, to), status))

    assert policy.stands(0) == (pulls, 0.0)


def test_the_released_code_counts_a_pull_when_its_page_is_done() -> None:
    """Pull and reward come together there; the paper counts at selection."""
    policy = trained(compat="kit")
    (x,) = visit(policy, "nav:a", "x.csv")
    before = policy.stands(0)

    policy.learn(as_file(x))
    policy.choose(())

    assert (before, policy.stands(0)) == ((0, 0.0), (1, 1.0))


def test_a_redirected_prediction_is_no_label_in_the_released_code() -> None:
    """A link that was moved teaches its class in the paper's reading only."""
    counts = {}
    for compat in ("", "kit"):
        policy = trained(compat=compat)
        policy.classifier._labels.clear()
        policy._predicted.add(pull(policy, "nav:a").link.url)
        policy.learn(as_file(Choice(as_page(FIRST, "a").links[0]), redirected="b.csv"))
        counts[compat] = len(policy.classifier._labels)

    assert counts == {"": 1, "kit": 0}


# --- choosing a group --------------------------------------------------------------------------


@pytest.mark.parametrize(("time", "times"), [("requests", [1, 3]), ("pulls", [0, 1])])
def test_what_time_is(time: str, times: list[int]) -> None:
    """Time counts the requests made before, or the pulls made before."""
    policy, seen = trained(time=time), []
    best = policy._groups.bandit.best
    policy._groups.bandit.best = lambda t: (seen.append(t), best(t))[1]  # type: ignore[method-assign,func-returns-value]

    visit(policy, "nav:a", "x.csv")
    pull(policy, "nav:b")

    assert seen == times


def test_the_better_group_is_chosen() -> None:
    """After one visit each, 3 targets against none decide; a group never tried goes before both."""
    policy = trained()
    for written, finds in (("nav:a", 0), ("list:b", 3)):
        for choice in visit(policy, written, *(f"{finds}-{i}.csv" for i in range(finds))):
            policy.learn(as_file(choice))
        policy.choose(())
    for link in as_page(FIRST, "nav:c", "list:d", "new:e").links:
        policy._groups.push(link)

    order = [chosen(policy) for _ in range(3)]

    assert [place(choice.link.url) for choice in order] == ["e", "d", "c"]
    assert (
        order[1].why
        == "group 1 like html/body/p.list/a: 3.00 targets a page over 1 visits; one of 1 links"
    )


def test_links_of_a_group_are_drawn_with_equal_odds() -> None:
    """Three links of one group: 1/3, then 1/2, then 1; the other group's link is alone."""
    policy = Told(seed=3)
    policy.learn(START)
    policy.learn(as_page(chosen(policy), "nav:a", "nav:b", "nav:c", "list:d"))

    odds = [chosen(policy).probability for _ in range(4)]

    assert sorted(odds) == [1 / 3, 1 / 2, 1.0, 1.0]


def test_equal_paths_are_one_group() -> None:
    """Similar ones too: theta 1 parts what 0.75 joins."""
    written = ("nav:a", "nav:b", "list:c")
    counts = {}
    for theta in (0.1, 0.75, 1.0):
        policy = trained(theta=theta)
        policy.learn(as_page(pull(policy, "nav:z"), *written))
        policy.choose(())
        counts[theta] = policy._groups.bandit.arms

    assert counts == {0.1: 1, 0.75: 2, 1.0: 2}


# --- sleeping hosts ----------------------------------------------------------------------------


def test_sleeping_hosts_in_every_line() -> None:
    """A expected target, a group's link and a HEAD wait for their host; others go meanwhile."""
    policy = Told()
    policy.learn(START)
    policy.learn(
        as_page(chosen(policy), "https://t.example/x.csv", "nav:https://t.example/a", "list:b")
    )

    awake = [policy.choose({"t.example"}) for _ in range(2)]

    assert [choice and place(choice.link.url) for choice in awake] == ["b", None]
    assert {chosen(policy).link.host for _ in range(2)} == {"t.example"}
    assert policy.choose(()) is None


def test_a_group_out_of_reach_is_not_forgotten() -> None:
    """The best group sleeps with its host and is the best again when that wakes."""
    policy = trained()
    for link in as_page(FIRST, "nav:https://t.example/a", "list:b").links:
        policy._groups.push(link)

    assert place(chosen(policy, {"t.example"}).link.url) == "b"
    assert chosen(policy).link.host == "t.example"


def test_a_head_waits_for_its_host() -> None:
    """A HEAD is a request like any other."""
    policy = SbClassifier(b=3)
    policy.learn(started())
    policy.learn(as_page(chosen(policy), "https://t.example/a", "b"))

    assert policy.choose({"t.example"}) is None
    assert (chosen(policy).method, chosen(policy).method) == ("HEAD", "HEAD")


# --- the whole ---------------------------------------------------------------------------------

MIXED = recorded(
    {"": page(*(f"nav:p/{i}" for i in range(12)), *(f"list:d/{i}.csv" for i in range(12))),
     **{f"p/{i}": page(f"list:e/{i}.csv") for i in range(12)},
     **{f"{folder}/{i}.csv": file() for folder in "de" for i in range(12)}}
)  # fmt: skip


def test_the_same_seed_makes_the_same_crawl() -> None:
    """Draws within a group depend on the seed alone; the set of requests may not."""
    runs = [crawled(MIXED, SbClassifier(b=5, seed=seed)) for seed in (1, 1, 2)]

    assert runs[0] == runs[1]
    assert runs[0] != runs[2]


def test_it_finds_everything_that_is_there() -> None:
    """Every page and file of a site without dead links is asked for once."""
    order = crawled(MIXED, SbClassifier(b=5))

    assert len([step for step in order if not step.startswith("HEAD")]) == 37


def test_it_learns_where_the_data_is() -> None:
    """On 40 menu pages of nothing and 40 lists of two files each, lists are visited first."""
    site = recorded(
        {"": page(*(f"nav:p/{i}" for i in range(40)), *(f"list:l/{i}" for i in range(40))),
         **{f"p/{i}": page() for i in range(40)},
         **{f"l/{i}": page(f"file:d/{i}a.csv", f"file:d/{i}b.csv") for i in range(40)},
         **{f"d/{i}{x}.csv": file() for i in range(40) for x in "ab"}}
    )  # fmt: skip

    half = crawled(site, SbClassifier(alpha=0.5))[:120]

    lists, menus = (sum(step.startswith(kind) for step in half) for kind in ("l/", "p/"))
    assert lists > 2 * menus


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"m": 0}, "0 < m < w"),
        ({"m": 15, "w": 15}, "0 < m < w"),
        ({"b": 0}, "b >= 1"),
        ({"n": 0}, "n=0"),
    ],
)
def test_wrong_parameters(wrong: dict[str, int], message: str) -> None:
    """What cannot be run is said at once."""
    with pytest.raises(ConfigError, match=message):
        SbClassifier(**wrong)  # type: ignore[arg-type]
