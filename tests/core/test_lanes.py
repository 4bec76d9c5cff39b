"""A policy learns from very many links slice by slice, and is asked for nothing before the end."""

from __future__ import annotations

import pytest

from lodehound.core import lanes
from lodehound.core.forecasts import FIRST, Forecaster
from lodehound.core.lanes import Lanes
from lodehound.core.messages import Choice, Outcome, Step, YieldEstimate
from lodehound.policies.bfs import Bfs
from tests.helpers import as_page, links, started


class Noting(Bfs):
    """Keeps what it learned from."""

    def __init__(self) -> None:
        super().__init__()
        self.outcomes: list[Outcome] = []

    def learn(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)
        super().learn(outcome)

    def remaining_yield(self) -> YieldEstimate:
        return YieldEstimate(len(self.outcomes), 0, 0)


@pytest.fixture
def learning(monkeypatch: pytest.MonkeyPatch) -> tuple[Lanes, Noting, Choice]:
    """Lanes that are given a page of five links, two at a time."""
    monkeypatch.setattr(lanes, "SLICE", 2)
    policy = Noting()
    several = Lanes(policy)
    several.learn(started())
    choice = several.choose(())
    assert choice is not None
    several.learn(as_page(choice, "a", "b", "c", "d", "e"))
    return several, policy, choice


def learned(policy: Noting) -> list[tuple[bool, list[str]]]:
    """What it learned after the start: whether by a choice, and the last letters of the links."""
    return [(bool(one.choice), [link.url[-1] for link in one.links]) for one in policy.outcomes[1:]]


def test_the_choice_has_one_outcome_and_every_link_comes_once(
    learning: tuple[Lanes, Noting, Choice],
) -> None:
    several, policy, _ = learning
    counts = [len(policy.outcomes)]
    while several.is_learning:
        several.learn_slice()
        counts.append(len(policy.outcomes))

    assert counts == [1, 2, 3, 4]
    assert learned(policy) == [(True, ["a", "b"]), (False, ["c", "d"]), (False, ["e"])]


@pytest.mark.parametrize("asked", ["choose", "pick", "refresh", "learn", "remaining_yield"])
def test_the_policy_is_asked_when_it_knows_everything(
    learning: tuple[Lanes, Noting, Choice], asked: str
) -> None:
    several, policy, choice = learning
    first = policy.pick(())
    arguments: dict[str, tuple[object, ...]] = {
        "choose": ((),), "pick": ((),), "refresh": (1,), "learn": (as_page(choice),),
    }  # fmt: skip
    getattr(several, asked)(*arguments.get(asked, ()))

    assert first is None
    assert not several.is_learning
    assert learned(policy)[:3] == [(True, ["a", "b"]), (False, ["c", "d"]), (False, ["e"])]


def test_links_that_were_seen_before_are_sliced_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "SLICE", 2)
    policy = Noting()
    several = Lanes(policy)
    several.learn(Outcome(None, "", 0, "", started().verdict, links("a"), links("b", "c", "d")))
    several.learn_rest()

    seen = [([x.url[-1] for x in o.links], [x.url[-1] for x in o.again]) for o in policy.outcomes]
    assert seen == [(["a"], ["b"]), ([], ["c", "d"])]


def test_a_forecast_waits_for_the_rest(learning: tuple[Lanes, Noting, Choice]) -> None:
    """Without the links that are left, hardly anything would be left to find."""
    several, _, _ = learning
    forecaster = Forecaster(several)
    step = Step(1, "https://e.org/", "GET", "", 0, "", 1.0, 200, "", 0, False, 0.0, "", 0)
    for _ in range(FIRST):
        forecaster.watch(step)
    before = forecaster.last
    several.learn_rest()
    forecaster.watch(step)

    assert before is None
    assert forecaster.last is not None
    assert forecaster.last.left == YieldEstimate(4, 0, 0)
