"""Waiting links in columns."""

from __future__ import annotations

import numpy as np

from lodehound.core.link import Link
from lodehound.learn.score_blocks import BLOCK
from lodehound.policies.lodehound.features import COLUMNS
from lodehound.policies.lodehound.frontier import Frontier


def filled(scores: dict[str, float]) -> Frontier:
    frontier = Frontier()
    links = [Link(url, "https://s.org/", "html/a", "words", "", "a", 2) for url in scores]
    places = np.array([frontier.add(link) for link in links])
    frontier.score(places, np.array(list(scores.values()), dtype=np.float32))
    return frontier


def drain(frontier: Frontier) -> list[str]:
    urls = []
    while (place := frontier.best(())) is not None:
        urls.append(frontier.pop(place).url)
    return urls


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

    link = frontier.pop(0)

    assert link == Link("https://a.org/1", "https://s.org/", "html/a", "words", "", "a", 2)
    assert len(frontier) == 0


def test_places_are_used_again() -> None:
    """A crawl of millions keeps only what waits."""
    frontier = Frontier()
    for number in range(10 * BLOCK):
        link = Link(f"https://a.org/{number}")
        place = frontier.add(link)
        frontier.score(place, np.array(1, dtype=np.float32))
        assert place < BLOCK
        assert frontier.pop(place).url == link.url


def test_there_is_room_for_more_than_a_block() -> None:
    frontier = Frontier()
    links = [Link(f"https://{'ab'[i % 2]}.org/{i}", kind="a") for i in range(5 * BLOCK)]
    rows = np.arange(5 * BLOCK * COLUMNS, dtype=np.intp).reshape(-1, COLUMNS)

    places = np.array([frontier.add(link) for link in links])
    frontier.set_rows(places, rows)

    assert (frontier.rows(places) == rows).all()
    assert [frontier.link_at(int(place)).url for place in places] == [link.url for link in links]
