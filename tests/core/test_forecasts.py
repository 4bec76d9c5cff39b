"""What a crawl will still bring, by hand."""

from __future__ import annotations

import math

import pytest

from lodehound.core.forecast_weights import WEIGHTS
from lodehound.core.forecasts import AHEAD, FIRST, Forecaster, Outlook
from lodehound.core.lanes import Lanes
from lodehound.core.messages import Evidence, YieldEstimate
from lodehound.policies.bfs import Bfs
from tests.core.test_stop import step


class Knowing(Bfs):
    """Knows of its links what it is told to."""

    def __init__(self, evidence: Evidence | None = None) -> None:
        super().__init__()
        self.evidence = evidence

    def remaining_yield(self) -> YieldEstimate:
        return YieldEstimate(45.0, 3.0, 95.0, self.evidence)


EVIDENCE = Evidence(waiting=145, files=15.0, soon=35.0)


def watching(finds: str, evidence: Evidence | None = EVIDENCE) -> Forecaster:
    """Return a forecaster after requests that found something (+) or nothing (-)."""
    forecaster = Forecaster(Lanes(Knowing(evidence)))
    for one in finds:
        forecaster.watch(step(found=one == "+"))
    return forecaster


def facts(forecaster: Forecaster, evidence: Evidence = EVIDENCE) -> dict[str, float]:
    return forecaster.facts(YieldEstimate(45.0, 3.0, 95.0), evidence)


def outlook(forecaster: Forecaster) -> Outlook:
    seen = forecaster.outlook()
    assert seen is not None
    return seen


def test_the_facts_that_forecasts_are_made_from() -> None:
    """100 requests: 20 finds, then nothing in the last 80."""
    told = {name: math.exp(fact) for name, fact in facts(watching("+" * 20 + "-" * 80)).items()}

    assert told == pytest.approx({
        "left": 50, "most": 100, "waiting": 150, "files": 20, "requests": 100,
        "lasting": 100 * 20.5 / 105 + 5, "drought": 85, "dry share": math.exp(0.8),
        "record": told["record"],
        "rate 50": 0.5 / 55, "rate 200": 20.5 / 105, "rate 1000": 20.5 / 105,
    })  # fmt: skip


def test_every_fact_has_its_weights() -> None:
    names = {*facts(watching("+")), "constant"}

    assert all(weights.keys() == names for weights in WEIGHTS.values())
    assert [*WEIGHTS] == ["left", *map(str, AHEAD)]


def test_forecasts_are_corrected_by_their_own_record() -> None:
    """35 finds were expected of 500 requests at every look; the record tells what came instead."""
    as_said = facts(watching(("+" + "-" * 13) * 40))["record"]  # 36 of 500
    twice = facts(watching(("+" + "-" * 6) * 80))["record"]
    none = facts(watching("-" * 560))["record"]

    assert abs(as_said) < 0.1
    assert twice == pytest.approx(math.log(2), abs=0.15)
    assert none < -1.5


def test_a_good_record_raises_what_is_expected() -> None:
    """The same facts but for the record: the policy had promised less."""
    modest, bold = (
        watching(("+" + "-" * 6) * 80, Evidence(145, 15.0, soon)) for soon in (10.0, 300.0)
    )

    assert outlook(modest).left.high > outlook(bold).left.high


def test_an_outlook_is_ordered_and_within_what_is_possible() -> None:
    for finds in ("+" * 600, "-" * 600, ("+" * 9 + "-") * 60):
        seen = outlook(watching(finds))
        assert (seen.requests, seen.finds) == (600, finds.count("+"))
        for one in seen.next:
            assert 0 <= one.low <= one.finds <= one.high <= min(one.requests, seen.left.high)
        assert 0 <= seen.left.low <= seen.left.left <= seen.left.high
        assert [one.requests for one in seen.next] == [*AHEAD]


def test_past_forecasts_are_checked() -> None:
    """Forecasts of 100 requests, when these are made: finds go on as before, or end at once."""
    steady, ended = watching(("+" + "-" * 3) * 250), watching("+" * 300 + "-" * 100)

    good, bad = outlook(steady), outlook(ended)
    assert 0.8 * good.checked <= good.held <= good.checked
    assert bad.checked - bad.held >= 3  # those that were made shortly before the end
    assert watching("+" * 109).outlook() is not None
    assert outlook(watching("+" * 109)).checked == 0


def test_an_estimate_without_evidence_is_passed_on() -> None:
    seen = outlook(watching("+" * 50, None))

    assert seen.left == seen.sum == YieldEstimate(45.0, 3.0, 95.0)
    assert seen.next == ()


def test_forecasts_are_made_now_and_then() -> None:
    forecaster = watching("-" * (FIRST - 1))
    assert forecaster.last is None
    assert forecaster.can_tell
    made: list[int] = []
    for _ in range(2000):
        before = forecaster.last
        forecaster.watch(step(found=False))
        if forecaster.last is not before and forecaster.last is not None:
            made.append(forecaster.last.requests)
    assert made[:3] == [FIRST, 2 * FIRST, 3 * FIRST]
    assert made[-1] - made[-2] == made[-2] // 40


def test_once_every_link_was_followed_nothing_is_expected() -> None:
    seen = Outlook.nothing(50, 12)

    assert (seen.left, seen.share_found) == (YieldEstimate(0, 0, 0), 1.0)
    assert [(one.requests, one.finds, one.high) for one in seen.next] == [
        (ahead, 0, 0) for ahead in AHEAD
    ]
    assert Outlook.nothing(50, 0).share_found is None


def test_a_policy_that_makes_no_estimate_has_no_outlook() -> None:
    forecaster = Forecaster(Lanes(Bfs()))
    forecaster.watch(step(found=True))

    assert not forecaster.can_tell
    assert forecaster.outlook() is None
