"""Places with scores, in blocks of one owner each."""

from __future__ import annotations

import random

import numpy as np

from lodehound.learn.score_blocks import BLOCK, Blocks


def filled(owners: str, scores: list[float]) -> tuple[Blocks, dict[int, tuple[str, float]]]:
    """Return blocks, and the owner and the score of each place; owners come in turn."""
    blocks, known = Blocks(), {}
    for at, score in enumerate(scores):
        owner = owners[at % len(owners)]
        place = blocks.occupy(owner)
        blocks.score(place, score)
        known[place] = owner, score
    return blocks, known


def drain(blocks: Blocks, *asleep: str) -> list[int]:
    places = []
    while (place := blocks.best(asleep)) is not None:
        places.append(place)
        blocks.free(place)
    return places


def test_the_best_comes_first() -> None:
    rng = random.Random(1)
    blocks, known = filled("abc", [rng.random() for _ in range(5 * BLOCK)])

    assert drain(blocks) == sorted(known, key=lambda place: -known[place][1])


def test_sleeping_owners_are_passed_over() -> None:
    blocks, known = filled("aba", [3.0, 2.0, 1.0])

    assert [known[place] for place in drain(blocks, "a", "elsewhere")] == [("b", 2.0)]
    assert [known[place] for place in drain(blocks)] == [("a", 3.0), ("a", 1.0)]


def test_places_are_used_again() -> None:
    blocks = Blocks()
    for _ in range(10 * BLOCK):
        place = blocks.occupy("a")
        blocks.score(place, 1.0)
        assert place < BLOCK == blocks.capacity
        blocks.free(place)


def test_every_place_gets_its_turn() -> None:
    """After the last block the first one is next."""
    blocks, _ = filled("a", [1.0] * (3 * BLOCK))

    seen = [int(place) for _ in range(4) for place in blocks.next_blocks(1)]

    assert sorted(seen[: 3 * BLOCK]) == list(range(3 * BLOCK))
    assert seen[3 * BLOCK :] == seen[:BLOCK]


def test_drawn_places_are_awake_and_all_are_drawn_in_the_end() -> None:
    """Four blocks in parts of 64 places: eight parts, one in eight is drawn."""
    blocks, known = filled("ab", [1.0] * (4 * BLOCK))
    draws = np.random.default_rng(1)

    drawn = [blocks.draw(64, draws, {"a"}) for _ in range(60)]

    assert {probability for _, probability in drawn} == {1 / 8}
    places = {int(place) for places, _ in drawn for place in places}
    assert len(places) == 2 * BLOCK
    assert {known[place][0] for place in places} == {"b"}


def test_nothing_is_drawn_where_all_owners_sleep() -> None:
    blocks, _ = filled("a", [1.0])

    assert len(blocks.draw(64, np.random.default_rng(1), {"a"})[0]) == 0
