"""Budgets, the early stop of Section 4.8, and the stop by estimate."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from lodehound.core.auto_stop import AutoStop, StopLimits, advice
from lodehound.core.errors import ConfigError
from lodehound.core.forecasts import FIRST as FIRST_LOOK
from lodehound.core.forecasts import Forecaster, Outlook
from lodehound.core.lanes import Lanes
from lodehound.core.messages import Evidence, Step, Stop, YieldEstimate
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

    def __init__(self, high: float, left: float | None = None) -> None:
        super().__init__()
        self.high = high
        self.left = high / 2 if left is None else left

    def remaining_yield(self) -> YieldEstimate:
        return YieldEstimate(self.left, 0.0, self.high)


class Auto:
    """The rule with its forecaster, which sees every step first, as in a crawl."""

    def __init__(self, policy: Bfs, patience: int = 300) -> None:
        self.forecaster = Forecaster(Lanes(policy))
        self.rule = AutoStop(self.forecaster, StopLimits(patience=patience))

    def watch(self, step: Step) -> Stop | None:
        self.forecaster.watch(step)
        return self.rule.watch(step)


def steps(rule: Auto, *, rich: int = 0, dry: int = 0) -> list[Stop | None]:
    """Make so many requests that find something, then so many that do not."""
    return [rule.watch(step(found=i < rich)) for i in range(rich + dry)]


@pytest.mark.parametrize(("high", "stops"), [(0.0, True), (0.4, True), (0.5, False), (9.0, False)])
def test_auto_stops_when_little_is_left_at_most(high: float, stops: bool) -> None:
    """Ten found: 0.417 more would be 4 % of all."""
    answers = steps(Auto(Foreseeing(high), patience=1), rich=FIRST_LOOK)

    assert answers[:-1] == [None] * (FIRST_LOOK - 1)
    assert (answers[-1] is not None) is stops


@pytest.mark.parametrize(("waiting", "stops"), [(0, False), (40, False), (41, True)])
def test_auto_follows_the_last_few_links(waiting: int, stops: bool) -> None:
    """After 1,000 requests, 4 % are 40: so few cost next to nothing, whatever is left."""
    estimate = YieldEstimate(0.1, 0.0, 1.0, Evidence(waiting, 0.0, 0.0))
    seen = Outlook(1000, 500, estimate, estimate)
    assert StopLimits().nothing_left(seen, requests=1000, finds=500, dry=0) is stops


def test_auto_stops_no_crawl_before_its_patience() -> None:
    answers = steps(Auto(Foreseeing(0.0)), rich=400)

    assert not any(answers[:299])
    assert any(answers[299:320])  # with the next forecast


def test_auto_waits_for_the_first_find() -> None:
    """Nothing found and nothing expected says only that nothing is known yet."""
    rule = Auto(Foreseeing(0.0), patience=30)
    assert not any(steps(rule, dry=10 * FIRST_LOOK))

    later = steps(rule, rich=FIRST_LOOK)  # until the next forecast
    assert Stop("early-stop", "100.0 % of the targets found by estimate, 0 to 0 left") in later


def test_auto_stops_after_a_while_without_finds_if_next_to_nothing_is_left() -> None:
    """Of 1,000, 0.2 % are 2: 1.9 are left, and up to 100. A while is 7.5 % of the requests, or 200.

    After 300, little is left in the sense of the drought.
    """
    rule = Auto(Foreseeing(100.0, left=1.9))
    answers = steps(rule, rich=1000, dry=300)
    stop = next(at for at, answer in enumerate(answers) if answer)

    assert 1200 <= stop <= 1230
    assert not any(steps(Auto(Foreseeing(100.0, left=2.1)), rich=1000, dry=280))


@pytest.mark.parametrize(
    ("finds", "left", "waiting", "dry"),
    [
        (0, 0.0, 0, 1200),  # before the first find: four times the patience
        (30, 0.5, 0, 300),  # the patience
        (30, 0.5, 1200, 360),  # three tenths of the waiting links
        (30, 0.5, 9000, 492),  # not more than that
        (30, 90.0, 0, 492),  # if more than 5 % are expected
        (2100, 1.0, 0, 371),  # 15 % of the requests made
        (3000, 1000.0, 0, 1000),  # a quarter of them
    ],
)
def test_how_long_a_drought_must_be(finds: int, left: float, waiting: int, dry: int) -> None:
    estimate = YieldEstimate(left, 0.0, 1e9, Evidence(waiting, 0.0, 0.0))
    seen = Outlook(10, finds, estimate, estimate)

    def is_dry(dry: int) -> bool:
        return StopLimits().is_dry(seen, requests=finds + dry, finds=finds, dry=dry)

    assert (is_dry(dry - 1), is_dry(dry)) == (False, True)


def test_auto_stops_after_a_drought() -> None:
    answers = steps(Auto(Foreseeing(1e9)), rich=30, dry=492)

    assert not any(answers[:-1])
    assert answers[-1] == Stop("early-stop", "no find in the last 492 requests")


def test_advice_is_given_when_the_rule_would_stop() -> None:
    left = YieldEstimate(2.0, 0.4, 6.2)
    seen = Outlook(2000, 500, left, left)

    assert advice(seen, requests=2890, finds=500, dry=890) == (
        "the last 890 requests brought nothing; about 0 to 6 are left; "
        "stop with Ctrl-C, or let --early-stop auto do it"
    )
    assert advice(seen, requests=2010, finds=500, dry=0).startswith("about 0 to 6 are left; ")
    assert advice(Outlook(200, 50, left, left), requests=200, finds=50, dry=40) == ""
    assert advice(None, requests=5000, finds=0, dry=5000) == ""


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
    rule = Auto(Foreseeing(0.0), patience=1)
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


@pytest.mark.parametrize("wrong", [{"share": 0.0}, {"patience": 0}, {"drought": 1.0}])
def test_wrong_limits(wrong: dict[str, float]) -> None:
    [(name, value)] = wrong.items()
    with pytest.raises(ConfigError, match=f"{name}={value}"):
        StopLimits(**wrong)  # type: ignore[arg-type]
