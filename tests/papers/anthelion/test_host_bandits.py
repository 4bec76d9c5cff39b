"""Host bandits against the scan of all hosts that they spare."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lodehound.papers.anthelion import host_bandits
from lodehound.papers.anthelion.anthelion import SCORES, make_arms
from lodehound.papers.anthelion.host_bandits import Arms, Ranked, Thompson, Uniform

ARM = st.tuples(st.integers(0, 5), st.integers(0, 3), st.integers(0, 3), st.floats(0.01, 1))


@pytest.mark.parametrize("score", SCORES)
def test_hand_computed_scores(score: str) -> None:
    """Section 3.2 of the paper, with 3 good, 1 bad and a best confidence of 0.5."""
    by_hand = {
        "neg-bad": -1.0,
        "best": 0.5,
        "success": 4 / 2,
        "good-x-best": 1.5,
        "success-x-best": 1.0,
    }
    arms = make_arms(score, 0)  # type: ignore[arg-type]
    arms.put("a", 3, 1, 0.5)
    assert arms.choose() == ("a", by_hand[score])


@given(st.lists(ARM | st.integers(0, 5), max_size=40), st.sampled_from(sorted(SCORES)))
def test_ranked_against_a_scan(actions: Sequence[object], score: str) -> None:
    """After any changes, the highest score of all that are there."""
    function, uses_best = SCORES[score]  # type: ignore[index]
    arms, held = Ranked(function, random.Random(1), uses_best=uses_best), dict[str, float]()
    for action in actions:
        if isinstance(action, int):
            if str(action) in held:
                arms.remove(str(action))
                del held[str(action)]
        elif isinstance(action, tuple):
            number, good, bad, best = action
            arms.put(str(number), good, bad, best)
            held[str(number)] = function(good, bad, best)
        if held:
            arm, value = arms.choose()
            assert value == held[arm] == max(held.values())


def shares(arms: Arms, draws: int) -> Counter[str]:
    return Counter(arms.choose()[0] for _ in range(draws))


@pytest.mark.parametrize("chunk", [0, 1000])
@pytest.mark.parametrize("times_best", [False, True])
def test_thompson_draws_as_often_as_a_scan_would(
    times_best: bool, chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Large classes, small ones and single arms win as often as when every arm is drawn for."""
    monkeypatch.setattr(host_bandits, "CHUNK", chunk)
    rng = random.Random(3)
    kinds = [(0, 0, 90), (0, 1, 70), (2, 1, 5), (30, 2, 1), (1, 0, 3)]
    held = [(g, b, rng.uniform(0.5, 1)) for g, b, count in kinds for _ in range(count)]
    arms = Thompson(5, times_best=times_best)
    for number, (g, b, weight) in enumerate(held):
        arms.put(f"{g}/{b} {number}", g, b, weight)

    good, bad, best = (np.array(column) for column in zip(*held, strict=True))
    draws = np.random.default_rng(1).beta(good + 1, bad + 1, (4000, len(held)))
    winners = (draws * best if times_best else draws).argmax(axis=1).tolist()
    scanned = Counter(f"{held[i][0]}/{held[i][1]}" for i in winners)
    drawn: Counter[str] = Counter()
    for arm, count in shares(arms, 4000).items():
        drawn[arm.partition(" ")[0]] += count

    for kind in {f"{g}/{b}" for g, b, _ in kinds}:
        spread = (max(scanned[kind], 25) * 2) ** 0.5  # of the difference of two counts
        assert abs(drawn[kind] - scanned[kind]) < 4.5 * spread


def test_thompson_with_many_different_arms() -> None:
    """More arms than are drawn at a time: the good ones win, and all that is put is kept."""
    arms = Thompson(1)
    for number in range(3000):
        arms.put(str(number), number % 7, 40 + number % 50, 1.0)
    arms.put("good", 60, 1, 1.0)
    assert shares(arms, 50).most_common(1)[0][0] == "good"
    arms.remove("good")
    assert "good" not in shares(arms, 50)


def test_thompson_forgets_what_is_removed() -> None:
    """Changes and removals in any order leave exactly the others."""
    rng, arms, held = random.Random(2), Thompson(2, times_best=True), set[str]()
    for _ in range(2000):
        name = str(rng.randrange(150))
        if name in held and rng.random() < 0.4:
            arms.remove(name)
            held.discard(name)
        else:
            arms.put(name, rng.randrange(2), rng.randrange(2), rng.uniform(0.1, 1))
            held.add(name)
        if held:
            assert arms.choose()[0] in held


def test_uniform() -> None:
    """Each about as often as the others, and none that was removed."""
    arms = Uniform(random.Random(1))
    for name in "abcde":
        arms.add(name)
    arms.remove("b")
    counts = Counter(arms.draw() for _ in range(4000))
    assert set(counts) == set("acde")
    assert all(abs(count - 1000) < 150 for count in counts.values())
