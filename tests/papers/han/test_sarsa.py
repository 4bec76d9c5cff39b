"""The features of Han et al. by hand, and the order they lead to."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import pytest

from lodehound.core.errors import ConfigError
from lodehound.core.link import Link
from lodehound.core.messages import Choice, Outcome, Verdict
from lodehound.papers.han.best_first import BestFirst
from lodehound.papers.han.sarsa import Parents, Sarsa, feature_names
from lodehound.read.subject import Subject
from tests.helpers import ROOT, chosen, place, started, url
from tests.read.test_subject import BIRDS
from tests.read.test_vectors import Circle


def verdict(topic: float, category: float = 0.0, *, found: bool = False) -> Verdict:
    told = {"lang": "en", "near": [topic, category], "stems": {"bird": 1}, "rest": 0}
    return Verdict(found, topic, "", json.dumps(told))


def page(choice: Choice, said: Verdict, *links: Link, again: tuple[Link, ...] = ()) -> Outcome:
    return Outcome(choice, choice.link.url, 200, "text/html", said, links, again)


def link(to: str, words: str = "") -> Link:
    return Link(url(to), ROOT, "html/a", words, "", "a", 1)


def begun(**options: object) -> Sarsa:
    policy = Sarsa(subject=BIRDS, epsilon=0.0, **options)  # type: ignore[arg-type]
    policy.learn(started())
    return policy


def test_the_papers_values() -> None:
    """Section 4, and the dimensions of Section 3.1 for two categories."""
    policy = Sarsa(subject=Subject(("bird",), categories=("animal", "science")))

    assert (policy.epsilon, policy.gamma, policy.alpha, policy.beta) == (0.1, 0.9, 0.001, 0.4)
    assert len(policy.weights) == len(feature_names(("a", "b"))) == (8 + 2 * 2) + (6 + 2 * 2)
    with pytest.raises(ConfigError):
        Sarsa(epsilon=2)


def test_the_state_of_a_start_page() -> None:
    """Relevance 0.75 and 0.35 to the category; no parents, no change, relevant itself."""
    state = begun()._state(verdict(0.75, 0.35, found=True), Parents())

    # relevance, change, category, parents, relevant parents, distance
    assert state.codes.tolist() == [3, 4, 0, 1, 2, 0, 0, 0, 0, 0]
    assert (state.smoothed, state.distance) == (0.75, 0)


def test_the_state_of_a_later_page() -> None:
    """Two parents of 0.8 (relevant) and 0.2; the larger average is smoothed with 0.4."""
    policy, parents = begun(), Parents()
    parents.add(policy._state(verdict(0.8, found=True), Parents()))
    parents.add(policy._state(verdict(0.2), Parents()))

    state = policy._state(verdict(0.3), parents)

    assert parents.means() == (0.5, 0.8)
    # 0.3 is 0.5 below 0.8; parents 0.5 and 0.8; one step from a relevant page
    assert state.codes.tolist() == [1, 2, 4, 0, 0, 2, 3, 4, 4, 1]
    assert state.smoothed == pytest.approx(0.4 * 0.3 + 0.6 * 0.8)


def test_the_distance_is_capped() -> None:
    parents = Parents(count=1, distance=9)
    assert begun()._state(verdict(0.1), parents).distance == 9


def test_the_pair_of_a_link() -> None:
    """The page's numbers, then the link's: its words, the category, its parents' means."""
    policy = begun()
    policy.learn(page(chosen(policy), verdict(0.75, 0.35, found=True), link("x", "a bird")))

    state, action = policy._pairs.rows[0][:10], policy._pairs.rows[0][10:]

    assert state.tolist() == [3, 4, 0, 1, 2, 0, 0, 0, 0, 0]
    assert action.tolist() == [4, 5, 0, 0, 3, 4, 3, 4]


def test_parents_are_added_as_pages_are_crawled() -> None:
    """A second page shows the link: it waits in a second pair too, and is asked for once."""
    policy = begun()
    policy.learn(page(chosen(policy), verdict(0.9, found=True), link("x", "war"), link("y")))
    first = chosen(policy)
    other = link("y") if place(first.link.url) == "x" else link("x", "war")
    policy.learn(page(first, verdict(0.1), again=(other,)))

    assert policy._parents[other.url].means() == (0.5, 0.9)
    assert chosen(policy).link.url == other.url
    assert policy.choose(()) is None


@pytest.mark.parametrize(
    ("said", "reward"),
    [
        (verdict(0.0, found=True), 30),
        (verdict(0.51), 30),
        (verdict(0.45), 20),
        (verdict(0.4), -1),
    ],
)
def test_rewards(said: Verdict, reward: float) -> None:
    """Section 4: relevant 30; near 30 or 20; else -1."""
    policy = begun(near=True)
    assert policy._reward(policy._state(said, Parents())) == reward


@pytest.mark.parametrize(("near", "reward"), [(0.99, 30), (0.9, 20), (0.8, -1)])
def test_near_is_what_few_pairs_of_words_are(near: float, reward: float) -> None:
    """5 % of pairs are nearer than 0.988 by these vectors, and 15.9 % than 0.878."""
    policy = Sarsa(subject=Subject(("bird",), categories=("war",), vectors=Circle()), near=True)

    assert policy._reward(policy._state(verdict(near), Parents())) == reward


def test_only_relevant_pages_are_rewarded_unless_told_otherwise() -> None:
    policy = begun()

    states = [policy._state(verdict(0.9, found=found), Parents()) for found in (True, False)]

    assert [policy._reward(state) for state in states] == [30, -1]


@pytest.mark.parametrize("update", ["synchronous", "asynchronous", "moderated"])
def test_one_step_by_hand(update: str) -> None:
    """A link that brings an irrelevant page with one link on it: Eq. 3 or 4 from w = 0.01."""
    policy = begun(update=update, weights=[0.01] * 18)
    policy.learn(page(chosen(policy), verdict(0.75, found=True), link("x", "bird")))
    taken = policy._pairs.rows[0].copy()
    policy.learn(page(chosen(policy), verdict(0.1), link("z")))
    following = policy._pairs.rows[1]

    error = -1 + 0.9 * 0.01 * following.sum() - 0.01 * taken.sum()
    step = 0.001 * (0.1 if update == "moderated" else 1)
    assert policy.weights == pytest.approx((0.01 + step * error * taken).tolist())


def test_what_each_method_values_anew() -> None:
    """After a step the pairs of other pages keep their values, unless all are valued anew."""
    values = {}
    for update in ("synchronous", "asynchronous"):
        policy = begun(update=update, weights=[0.01] * 18)
        start = page(chosen(policy), verdict(0.75, found=True), link("x", "bird"), link("y"))
        policy.learn(start)
        before = policy._pairs.values[:2].copy()
        policy.learn(page(chosen(policy), verdict(0.1), link("z")))
        assert policy._pairs.values[2] == pytest.approx(
            policy._pairs.rows[2] @ policy.learner.weights
        )
        values[update] = (before, policy._pairs.values[:2])

    assert values["asynchronous"][0].tolist() == values["asynchronous"][1].tolist()
    assert values["synchronous"][0].tolist() != values["synchronous"][1].tolist()


def test_within_a_pair_the_nearest_is_first() -> None:
    """Two links with the same numbers; the one whose words are nearer goes first."""
    policy = begun()
    east = [link("x", "bird " * 5 + "war"), link("y", "bird " * 6 + "war")]
    policy.learn(page(chosen(policy), verdict(0.5, found=True), *east))

    assert len(policy._pairs) == 1
    assert place(chosen(policy).link.url) == "y"


def test_a_pair_has_the_probability_that_it_is_drawn_with() -> None:
    """Among the pairs that are drawn at random is the best one, too."""
    policy = Sarsa(subject=BIRDS, epsilon=0.4)
    policy.learn(started())
    links = (link("a", "bird"), link("b", "owl"), link("c", "war"))
    policy.learn(page(chosen(policy), verdict(0.5), *links))

    choices = [choice for _ in range(1000) if (choice := policy.pick(()))]

    said = {(place(choice.link.url), round(choice.probability, 4)) for choice in choices}
    assert sorted(probability for _, probability in said) == [0.1333, 0.1333, 0.7333]
    counts = Counter(place(choice.link.url) for choice in choices)
    assert dict(said) == pytest.approx({name: n / 1000 for name, n in counts.items()}, abs=0.05)


def test_tfidf_counts_the_pages_seen() -> None:
    """Without vectors relevance is a cosine, by the pages so far."""
    policy = Sarsa(subject=Subject(("bird",), categories=("war",)))
    relevance, near, _ = policy._read(
        replace(verdict(0.0), details=json.dumps(
            {"lang": "en", "near": [0, 0], "stems": {"bird": 3, "tree": 4}, "rest": 0}
        ))
    )  # fmt: skip

    assert relevance == pytest.approx((0.6, 0.0))
    assert near == 0
    assert policy._tfidf.documents == 1


def test_weights_are_carried_on() -> None:
    """A second crawl begins with what the first learned."""
    policy = begun()
    policy.learn(page(chosen(policy), verdict(0.5, found=True), link("x", "bird")))
    policy.learn(page(chosen(policy), verdict(0.9, found=True)))
    assert any(policy.weights)
    assert Sarsa(subject=BIRDS, weights=policy.weights).weights == policy.weights
    assert "for each step of" in policy.insights()[0]


def test_best_first() -> None:
    """The nearest words first; seen again with nearer ones, a link moves up."""
    policy = BestFirst(subject=BIRDS)
    policy.learn(started())
    links = (link("w", "war"), link("e", "eagle"), link("n"))
    policy.learn(page(chosen(policy), verdict(0.5), *links))
    first = chosen(policy)
    assert (place(first.link.url), first.why) == ("e", "its words are 0.71 near to the topic")

    policy.learn(page(first, verdict(0.5), again=(link("n", "bird"),)))
    assert [place(chosen(policy).link.url) for _ in range(2)] == ["n", "w"]
    assert policy.choose(()) is None


def test_best_first_without_vectors() -> None:
    """The words themselves must do."""
    policy = BestFirst(subject=Subject(("bird",)))
    policy.learn(started())
    policy.learn(page(chosen(policy), verdict(0.5), link("w", "war"), link("b", "birds")))

    assert place(chosen(policy).link.url) == "b"
