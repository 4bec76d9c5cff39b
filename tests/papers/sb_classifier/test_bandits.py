"""The sleeping bandit by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lodehound.papers.sb_classifier.bandits import Auer


def bandit(
    *arms: tuple[int, float], alpha: float = 2 * math.sqrt(2), epsilon: float = 1e-6
) -> Auer:
    """A bandit of awake arms, each with its pulls and the sum of its rewards."""
    auer = Auer(alpha=alpha, epsilon=epsilon)
    for pulls, rewards in arms:
        arm = auer.add()
        auer.wake(arm)
        for _ in range(pulls):
            auer.pull(arm)
        auer.reward(arm, rewards)
    return auer


def score(mean: float, pulls: int, t: int, alpha: float = 2 * math.sqrt(2)) -> float:
    """Sec. 3.2 as it is written."""
    return mean + alpha * math.sqrt(math.log(t) / (pulls + 1e-6))


def test_exploration_and_exploitation() -> None:
    """At t = 100: 0.5 + 2.83 sqrt(4.6 / 4) = 3.53 against 1 + 2.83 sqrt(4.6 / 9) = 3.02."""
    assert score(0.5, 4, 100) == pytest.approx(3.535, abs=1e-3)
    assert score(1.0, 9, 100) == pytest.approx(3.023, abs=1e-3)

    assert (Auer().alpha, Auer().epsilon) == (2 * math.sqrt(2), 1e-6)
    assert bandit((9, 9.0), (4, 2.0)).best(100) == 1
    assert bandit((9, 18.0), (4, 2.0)).best(100) == 0


def test_the_paper_takes_the_natural_logarithm() -> None:
    """With log2 the second arm would win at t = 100, with ln at 3,000 only."""
    auer = bandit((9, 15.0), (4, 2.0))

    assert (score(15 / 9, 9, 100) > score(0.5, 4, 100), auer.best(100)) == (True, 0)
    assert (score(15 / 9, 9, 3000) < score(0.5, 4, 3000), auer.best(3000)) == (True, 1)


def test_an_arm_never_pulled_goes_first() -> None:
    """Its bonus is alpha * sqrt(ln t / epsilon), thousands: whatever the others brought."""
    assert bandit((100, 9000.0), (0, 0.0), (100, 9000.0)).best(100) == 1


@pytest.mark.parametrize("t", [-1, 0, 1])
def test_before_the_second_step_means_decide(t: int) -> None:
    """The logarithm of 1 is 0, and there is none of 0."""
    assert bandit((0, 0.0), (5, 5.0), (5, 6.0)).best(t) == 2


def test_the_oldest_of_equals_wins() -> None:
    """As numpy's argmax does in the released code."""
    assert bandit((3, 3.0), (3, 3.0), (3, 3.0)).best(50) == 0


def test_arms_begin_asleep() -> None:
    """An arm without links cannot be pulled; a bandit of sleepers has no best arm."""
    auer = Auer()

    assert auer.best(10) is None
    assert (auer.add(), auer.add()) == (0, 1)
    assert auer.best(10) is None
    auer.wake(1)
    assert auer.best(10) == 1


def test_sleeping_keeps_what_was_learned() -> None:
    """An arm that wakes again has its pulls and its mean."""
    auer = bandit((2, 8.0), (2, 2.0))

    auer.put_to_sleep(0)
    asleep = auer.best(10)
    auer.wake(0)

    assert (asleep, auer.best(10)) == (1, 0)
    assert (auer.pulls(0), auer.mean(0)) == (2, 4.0)


def test_a_pull_without_its_reward_stands_as_zero() -> None:
    """The mean divides by all pulls; the reward may come later."""
    auer = bandit((1, 6.0))

    auer.pull(0)
    waiting = auer.mean(0)
    auer.reward(0, 2.0)

    assert (waiting, auer.mean(0), auer.pulls(0)) == (3.0, 4.0, 2)


@given(st.lists(st.integers(0, 20), min_size=1, max_size=30))
def test_the_mean_is_the_papers_running_mean(rewards: list[int]) -> None:
    """R + (reward - R) / N, step by step, is the mean of all rewards."""
    auer, mean = bandit((0, 0.0)), 0.0
    for number, reward in enumerate(rewards, 1):
        auer.pull(0)
        auer.reward(0, reward)
        mean += (reward - mean) / number

    assert auer.mean(0) == pytest.approx(mean)


@given(
    st.lists(
        st.tuples(st.integers(0, 9), st.integers(0, 9), st.booleans()), min_size=1, max_size=150
    ),
    st.integers(2, 10**6),
)
def test_the_best_arm_has_the_highest_score(arms: list[tuple[int, int, bool]], t: int) -> None:
    """Against the formula, with sleepers and past 64 arms; ties go to the oldest."""
    auer = bandit(*((pulls, float(rewards if pulls else 0)) for pulls, rewards, _ in arms))
    scores = []
    for arm, (pulls, rewards, awake) in enumerate(arms):
        if not awake:
            auer.put_to_sleep(arm)
        scores.append(score(rewards / pulls if pulls else 0.0, pulls, t) if awake else -math.inf)

    best, ranked = auer.best(t), auer.ranked(t)

    assert sorted(ranked) == [arm for arm, (_, _, awake) in enumerate(arms) if awake]
    assert [scores[arm] for arm in ranked] == pytest.approx(
        sorted(scores, reverse=True)[: len(ranked)]
    )
    if best is None:
        assert ranked == []
    else:
        assert scores[best] == pytest.approx(max(scores))
        same = [i for i, arm in enumerate(arms) if arm == arms[best]]
        assert best == same[0] == ranked[0]
