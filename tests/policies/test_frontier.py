"""Waiting links in columns."""

from __future__ import annotations

import random

import numpy as np
import pytest

from lodehound.core.link import Link
from lodehound.learn.link_features import COLUMNS
from lodehound.policies.frontier import BLOCK, Frontier


def filled(scores: dict[str, float]) -> Frontier:
    frontier = Frontier()
    links = [Link(url, "https://s.org/", "html/a", "words", "", "a", 2) for url in scores]
    places = frontier.add(links, np.ones((len(links), COLUMNS), dtype=np.intp))
    frontier.score(places, np.array(list(scores.values()), dtype=np.float32))
    return frontier


def drain(frontier: Frontier, *asleep: str) -> list[str]:
    urls = []
    while (place := frontier.best(asleep)) is not None:
        urls.append(frontier.take(place).url)
    return urls


def test_the_best_comes_first() -> None:
    rng = random.Random(1)
    scores = {f"https://{rng.choice('abc')}.org/{i}": rng.random() for i in range(5 * BLOCK)}

    assert drain(filled(scores)) == sorted(scores, key=lambda url: -scores[url])


def test_a_link_comes_back_as_it_was_given() -> None:
    frontier = filled({"https://a.org/1": 1.0})

    link = frontier.take(0)

    assert link == Link("https://a.org/1", "https://s.org/", "html/a", "words", "", "a", 2)
    assert len(frontier) == 0


def test_sleeping_hosts_are_passed_over() -> None:
    frontier = filled({"https://a.org/1": 3.0, "https://b.org/2": 2.0, "https://a.org/3": 1.0})

    assert drain(frontier, "a.org", "elsewhere.org") == ["https://b.org/2"]
    assert drain(frontier) == ["https://a.org/1", "https://a.org/3"]


def test_places_are_used_again() -> None:
    """A crawl of millions keeps only what waits."""
    frontier = Frontier()
    for number in range(10 * BLOCK):
        link = Link(f"https://a.org/{number}")
        places = frontier.add([link], np.zeros((1, COLUMNS), dtype=np.intp))
        frontier.score(places, np.ones(1, dtype=np.float32))
        assert int(places[0]) < BLOCK
        assert frontier.take(int(places[0])).url == link.url


def test_every_link_gets_its_turn() -> None:
    frontier = filled({f"https://a.org/{i}": 1.0 for i in range(3 * BLOCK)})

    seen = [int(place) for _ in range(3) for place in frontier.some(1)]

    assert sorted(seen) == list(range(3 * BLOCK))


@pytest.mark.parametrize("count", [10, 10_000])
def test_a_sample_is_awake_and_waiting(count: int) -> None:
    frontier = filled({f"https://{'ab'[i % 2]}.org/{i}": 1.0 for i in range(4 * BLOCK)})
    while len(frontier) > BLOCK:
        frontier.take(frontier.best(()) or 0)

    places = frontier.sample(count, np.random.default_rng(1), {"a.org"})

    hosts = {frontier.take(place).host for place in set(places.tolist())}
    assert hosts <= {"b.org"}
    assert len(places) <= count
