"""TRES on tiny sites."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from lodehound.core.errors import ConfigError
from lodehound.core.link import Link
from lodehound.core.messages import Choice, Outcome, Verdict
from lodehound.papers.sb_classifier.tres import Trail, Tres
from lodehound.read.subject import Subject
from tests.helpers import ROOT, as_page, chosen, crawled, file, page, place, recorded, started, url
from tests.policies.test_baselines import Truth

BIRDS = Subject(("bird", "birds of prey"))


def begun(**options: object) -> Tres:
    policy = Tres(subject=BIRDS, **options)  # type: ignore[arg-type]
    policy.learn(started())
    return policy


def link(to: str, words: str = "") -> Link:
    return Link(url(to), ROOT, "html/a", words, "", "a", 1)


def test_the_numbers_of_a_link() -> None:
    """Three of the way, three of keywords, and the chance by the anchor."""
    policy = begun()
    rows = policy._rows(
        [link("Bird.htm", "x"), link("1", "some birds"), link("2", "birds of prey")],
        Trail(relevant=True, distance=2, pages=4, hits=3),
    )

    assert rows[:, :6].tolist() == [
        [1, 0.5, 0.75, 1, 0, 0],
        [1, 0.5, 0.75, 0, 1, 1],
        [1, 0.5, 0.75, 0, 1, 1],
    ]
    assert rows[1, 6] > 0.5
    assert np.all((rows[:, 6] >= 0) & (rows[:, 6] <= 1))


def test_two_more_numbers_for_hosts() -> None:
    """A host never met: half, and unknown; then its share of relevant pages."""
    policy = begun(domains=True)
    assert policy._rows([link("a")], Trail(False, 1, 0, 0))[0, 7:].tolist() == [0.5, 1]
    policy.learn(as_page(chosen(policy), "b"))
    assert policy._rows([link("a")], Trail(False, 1, 0, 0))[0, 7:].tolist() == [0, 0]


def test_anchors_are_learned() -> None:
    """Words that led to relevant pages look relevant afterwards, others do not."""
    policy = begun(warmup=1000)
    links = tuple(link(f"g{i}", "green") for i in range(5)) + tuple(
        link(f"r{i}", "red") for i in range(5)
    )
    policy.learn(Outcome(chosen(policy), ROOT, 200, "text/html", Verdict(False), links))
    for _ in range(10):
        choice: Choice = chosen(policy)
        found = place(choice.link.url).startswith("g")
        policy.learn(Outcome(choice, choice.link.url, 200, "text/html", Verdict(found), ()))

    assert policy._chance(["green"]) > 0.5 > policy._chance(["red"])


def test_files_are_asked_for_at_once() -> None:
    """Section 4.3 of the SB paper: pages wait in the tree, files do not."""
    site = recorded(
        {
            "": page("a", "b", "1.csv"),
            "a": page("2.csv", "c"),
            "b": page(),
            "c": page(),
            "1.csv": file(),
            "2.csv": file(),
        }
    )
    for policy in (Tres(truth=Truth()), Tres()):
        order = crawled(site, policy)
        assert order[:2] == ["", "1.csv"]
        assert order[order.index("a") + 1] == "2.csv"
        assert sorted(order) == sorted(["", "a", "b", "c", "1.csv", "2.csv"])


def test_the_tree_and_the_network_learn() -> None:
    """After the warm-up it goes where the rewards were, by the value it says."""
    policy = begun(warmup=30, min_samples=5, batch=10, every=1, seed=1)
    good = [link(f"g{i}", "bird") for i in range(60)]
    bad = [link(f"b{i}", "brick") for i in range(60)]
    policy.learn(Outcome(chosen(policy), ROOT, 200, "text/html", Verdict(False), (*good, *bad)))
    taken = []
    for _ in range(80):
        choice = chosen(policy)
        found = place(choice.link.url).startswith("g")
        taken.append(found)
        policy.learn(Outcome(choice, choice.link.url, 200, "text/html", Verdict(found), ()))

    assert policy._tree.leaves > 1
    assert sum(taken[40:]) > 30
    assert "value" in choice.why


@pytest.mark.parametrize("warmup", [0, 30])
def test_a_link_is_drawn_of_its_leaf(warmup: int) -> None:
    """There is one leaf at first; of its links only those of awake hosts are drawn."""
    policy = begun(warmup=warmup)
    links = [link(f"{i}") for i in range(4)]
    other = Link("https://other.example/", ROOT, "html/a", "", "", "a", 1)
    policy.learn(Outcome(chosen(policy), ROOT, 200, "text/html", Verdict(False), (*links, other)))

    choices = [policy.pick(()), policy.pick({"other.example"})]

    assert [choice and choice.probability for choice in choices] == [1 / 5, 1 / 4]


def test_in_the_warm_up_leaves_are_drawn_too() -> None:
    policy = begun(warmup=1000, min_samples=5, batch=10, every=1, seed=1)
    links = tuple(link(f"{word}{i}", word) for word in ("bird", "brick") for i in range(60))
    policy.learn(Outcome(chosen(policy), ROOT, 200, "text/html", Verdict(False), links))
    for _ in range(40):
        choice = chosen(policy)
        found = Verdict(place(choice.link.url).startswith("bird"))
        policy.learn(Outcome(choice, choice.link.url, 200, "text/html", found, ()))
    leaves = [[item for _, item in leaf.items] for leaf in policy._tree.waiting()]

    picked = policy.pick(())

    assert picked is not None
    (own,) = [leaf for leaf in leaves if picked.link in leaf]
    assert len(leaves) > 1
    assert picked.probability == pytest.approx(1 / len(leaves) / len(own))


def test_where_most_links_sleep_the_others_are_drawn_alike() -> None:
    """More sleep than are tried one by one."""
    counts: Counter[str] = Counter()
    for seed in range(200):
        policy = begun(seed=seed)
        asleep = [
            Link(f"https://other.example/{i}", ROOT, "html/a", "", "", "a", 1) for i in range(95)
        ]
        awake = [link(f"{i}") for i in range(5)]
        shown = (*asleep, *awake)
        policy.learn(Outcome(chosen(policy), ROOT, 200, "text/html", Verdict(False), shown))
        picked = policy.pick({"other.example"})
        assert picked is not None
        counts[picked.link.url] += 1

    assert len(counts) == 5
    assert max(counts.values()) < 80


def test_bad_parameters() -> None:
    with pytest.raises(ConfigError):
        Tres(batch=0)
