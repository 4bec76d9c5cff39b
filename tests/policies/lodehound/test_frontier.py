"""Waiting links in columns."""

from __future__ import annotations

import random

import numpy as np

from lodehound.core.link import Link
from lodehound.policies.lodehound.features import COLUMNS
from lodehound.policies.lodehound.frontier import BLOCK, Frontier


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


def test_links_are_scored_together_or_one_by_one() -> None:
    frontier = filled({"https://a.org/1": 3.0, "https://a.org/2": 2.0, "https://b.org/3": 1.0})
    places = frontier.places()

    frontier.score(int(places[2]), np.array(2.5, dtype=np.float32))
    assert frontier.link_at(frontier.best({"a.org"}) or 0).url == "https://b.org/3"
    frontier.score(int(places[0]), np.array(0.5, dtype=np.float32))
    assert frontier.link_at(frontier.best({"b.org"}) or 0).url == "https://a.org/2"
    frontier.score(places[:2], np.array([0.5, 1.5], dtype=np.float32))

    assert drain(frontier) == ["https://b.org/3", "https://a.org/2", "https://a.org/1"]


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
        place = frontier.add_one(link, np.zeros(COLUMNS, dtype=np.intp))
        frontier.score(place, np.array(1, dtype=np.float32))
        assert place < BLOCK
        assert frontier.take(place).url == link.url


def test_every_link_gets_its_turn() -> None:
    frontier = filled({f"https://a.org/{i}": 1.0 for i in range(3 * BLOCK)})

    seen = [int(place) for _ in range(3) for place in frontier.some(1)]

    assert sorted(seen) == list(range(3 * BLOCK))


def test_drawn_links_are_awake_and_all_are_drawn_in_the_end() -> None:
    """Four blocks in parts of 64 links: eight parts, one in eight is drawn."""
    frontier = filled({f"https://{'ab'[i % 2]}.org/{i}": 1.0 for i in range(4 * BLOCK)})
    draws = np.random.default_rng(1)

    drawn = [frontier.draw(64, draws, {"a.org"}) for _ in range(60)]

    assert {probability for _, probability in drawn} == {1 / 8}
    places = {int(place) for places, _ in drawn for place in places}
    assert len(places) == 2 * BLOCK
    assert {frontier.link_at(place).host for place in places} == {"b.org"}


def test_nothing_is_drawn_where_all_hosts_sleep() -> None:
    frontier = filled({"https://a.org/": 1.0})

    assert len(frontier.draw(64, np.random.default_rng(1), {"a.org"})[0]) == 0
