"""Budgets, the early stop of Section 4.8, and the stop by estimate."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from lodehound.core.auto_stop import AutoStop
from lodehound.core.errors import ConfigError
from lodehound.core.forecasts import FIRST as FIRST_LOOK
from lodehound.core.forecasts import Forecaster
from lodehound.core.lanes import Lanes
from lodehound.core.messages import Step, Stop, YieldEstimate
from lodehound.core.stop import Budget, EarlyStop
from lodehound.policies.bfs import Bfs
from tests.helpers import ask_of, crawl_from, csv, html


def step(found: bool) -> Step:
    return Step(1, "https://e.org/", "GET", "", 0, "", 1.0, 200, "", 0, found, 0.0, "", 0)


def slopes(rule: EarlyStop, finds: Iterable[int]) -> list[tuple[float | None, bool]]:
    """Give ``nu`` steps for each number of finds; return mu and whether it stopped."""
    seen = []
    for count in finds:
        answers = [rule.watch(step(i < count)) for i in range(rule.nu)]
        assert answers[:-1] == [None] * (rule.nu - 1)
        seen.append((rule.mu, answers[-1] is not None))
    return seen


@pytest.mark.parametrize("name", ["requests", "bytes", "seconds", "finds"])
@pytest.mark.parametrize("value", [0, -1, float("nan")])
def test_a_budget_is_above_nothing(name: str, value: float) -> None:
    """A budget of nothing is a mistake, and the message names it."""
    with pytest.raises(ConfigError, match=f"budget of {name} is {value}"):
        Budget(**{name: value})  # type: ignore[arg-type]


def test_no_budget_is_no_limit() -> None:
    """Nothing is limited unless it is said."""
    assert Budget() == Budget(requests=None, bytes=None, seconds=None, finds=None)


def test_mu_starts_as_the_first_slope() -> None:
    """With gamma 1/2: 0.5, then (0.1 + 0.5) / 2 = 0.3, then (0.1 + 0.3) / 2 = 0.2, then 0.1."""
    rule = EarlyStop(nu=10, epsilon=0.15, gamma=0.5, kappa=1)

    seen = slopes(rule, [5, 1, 1, 0])

    assert [mu for mu, _ in seen] == pytest.approx([0.5, 0.3, 0.2, 0.1])
    assert [stopped for _, stopped in seen] == [False, False, False, True]


def test_low_slopes_count_in_a_row() -> None:
    """One good slope lifts mu to 0.2, which is not below 0.2, and the count begins anew."""
    rule = EarlyStop(nu=10, epsilon=0.2, gamma=0.5, kappa=2)

    seen = slopes(rule, [1, 3, 1, 1])

    assert [mu for mu, _ in seen] == pytest.approx([0.1, 0.2, 0.15, 0.125])
    assert [stopped for _, stopped in seen] == [False, False, False, True]


def test_the_smallest_numbers_that_make_sense() -> None:
    """A slope at every step, no memory, one low slope: the first step without a find stops."""
    rule = EarlyStop(nu=1, epsilon=0.5, gamma=1.0, kappa=1)

    assert [rule.watch(step(found)) is None for found in (True, True, False)] == [True, True, False]


def test_the_stop_says_why() -> None:
    """The reason is one of the six, the detail has the numbers."""
    rule = EarlyStop(nu=4, epsilon=0.5, kappa=2)

    answers = [rule.watch(step(i == 0)) for i in range(8)]

    detail = "0.237 finds per request, 2 times in a row under 0.5"
    assert answers == [None] * 7 + [Stop("early-stop", detail)]


def test_the_papers_values_stop_at_fifteen_thousand_requests() -> None:
    """On a site without targets the 15th slope of 1,000 requests ends the crawl."""
    rule = EarlyStop()

    seen = slopes(rule, [0] * 15)

    assert [stopped for _, stopped in seen] == [False] * 14 + [True]


def test_a_steady_site_is_not_stopped() -> None:
    """0.3 finds per request stay above 0.2 from the first slope on."""
    assert not any(stopped for _, stopped in slopes(EarlyStop(nu=10), [3] * 40))


@pytest.mark.parametrize("wrong", [{"nu": 0}, {"kappa": 0}, {"gamma": 0.0}, {"gamma": 1.1}])
def test_wrong_parameters(wrong: dict[str, float]) -> None:
    """Numbers that make no slope or no average are a mistake of the user."""
    with pytest.raises(ConfigError, match="Early stopping needs"):
        EarlyStop(**wrong)  # type: ignore[arg-type]


class Foreseeing(Bfs):
    """Expects what it is told to."""

    def __init__(self, high: float) -> None:
        super().__init__()
        self.high = high

    def remaining_yield(self) -> YieldEstimate:
        return YieldEstimate(self.high / 2, 0.0, self.high)


class Auto:
    """The rule with its forecaster, which sees every step first, as in a crawl."""

    def __init__(self, policy: Bfs, **parameters: float) -> None:
        self.forecaster = Forecaster(Lanes(policy))
        self.rule = AutoStop(self.forecaster, **parameters)  # type: ignore[arg-type]

    def watch(self, step: Step) -> Stop | None:
        self.forecaster.watch(step)
        return self.rule.watch(step)


@pytest.mark.parametrize(("high", "stops"), [(0.0, True), (0.5, True), (0.6, False), (9.0, False)])
def test_auto_stops_when_little_is_left_at_most(high: float, stops: bool) -> None:
    """Ten found: 0.526 more would be 5 % of all."""
    rule = Auto(Foreseeing(high))

    answers = [rule.watch(step(found=True)) for _ in range(FIRST_LOOK)]

    assert answers[:-1] == [None] * (FIRST_LOOK - 1)
    assert (answers[-1] is not None) is stops


def test_auto_waits_for_the_first_find() -> None:
    """Nothing found and nothing expected says only that nothing is known yet."""
    rule = Auto(Foreseeing(0.0))

    answers = [rule.watch(step(found=False)) for _ in range(10 * FIRST_LOOK)]

    assert not any(answers)
    later = [rule.watch(step(found=True)) for _ in range(FIRST_LOOK)]  # until the next forecast
    assert Stop("early-stop", "100.0 % of the targets found by estimate, 0 to 0 left") in later


@pytest.mark.parametrize(
    ("finds", "dry"),
    [
        (0, 1600),  # before the first find: four times the patience
        (1, 400),  # the patience
        (4000, 1000),  # a fifth of the 5,000 requests made
    ],
)
def test_auto_stops_after_a_drought_whatever_waits(finds: int, dry: int) -> None:
    rule = Auto(Foreseeing(1e9))

    rich = [rule.watch(step(found=True)) for _ in range(finds)]
    poor = [rule.watch(step(found=False)) for _ in range(dry)]

    assert not any(rich + poor[:-1])
    assert poor[-1] == Stop("early-stop", f"no find in the last {dry:,} requests")


@pytest.mark.parametrize(
    ("links", "flying", "reason"),
    [("", 1, "exhausted"), ("", 3, "exhausted"), ("late.csv", 3, "early-stop")],
)
def test_a_rule_that_spares_nothing_has_stopped_nothing(
    links: str, flying: int, reason: str
) -> None:
    """Ten files and nothing else: "hardly anything is left" is true, and every link was followed.

    Also when the rule speaks while the last answers are on their way, unless they bring more.
    """
    rule = Auto(Foreseeing(0.0))
    rule.forecaster._next = FIRST_LOOK - flying + 1
    crawl = crawl_from(rules=[rule.forecaster, rule.rule])
    crawl.receive(html(ask_of(crawl), " ".join(f"{i}.csv" for i in range(FIRST_LOOK - 1))))
    asks = [ask_of(crawl) for _ in range(FIRST_LOOK - 1)]
    for ask in asks[:-1]:
        crawl.receive(csv(ask))
        if flying == 1:
            assert not crawl.stopped
    crawl.receive(html(asks[-1], links) if links else csv(asks[-1]))
    stop = crawl.next()
    assert isinstance(stop, Stop)
    assert (stop.reason, crawl.stopped) == (reason, reason)


def test_auto_needs_an_estimate() -> None:
    with pytest.raises(ConfigError, match="and Bfs does not: use the policy lodehound"):
        Auto(Bfs())
    with pytest.raises(ConfigError, match="share=0"):
        Auto(Foreseeing(1.0), share=0.0)
    with pytest.raises(ConfigError, match="patience=0"):
        Auto(Foreseeing(1.0), patience=0)
