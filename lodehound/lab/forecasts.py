"""How true forecasts were: what was expected at some moments of a run, and what came."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from lodehound.core.auto_stop import AutoStop
from lodehound.core.forecasts import Forecaster, Outlook
from lodehound.core.lanes import Lanes
from lodehound.core.messages import Step, Stop
from lodehound.core.stop import StopRule
from lodehound.lab.metrics import Meter
from lodehound.lab.site_truth import SiteTruth

if TYPE_CHECKING:  # it imports this file
    from lodehound.lab.race import RaceOptions

MOMENTS = (2, 5, 10, 20, 35, 50, 70, 90)  # percent of the requests
AHEAD = 500  # requests
FEW = 5.0  # added to finds before their logarithm is taken: 0 or 3 is much the same
MISS = 20.0  # what a miss costs, in widths: 2 / 0.1 for an interval of 90 %


class ForecastLog(StopRule):
    """Writes down what is forecast at some moments of a run.

    Args:
        forecaster: Watches the same crawl, before this log does.
        requests: The run makes so many.
    """

    def __init__(self, forecaster: Forecaster, requests: int) -> None:
        self._forecaster = forecaster
        self._moments = {max(requests * percent // 100, 1) for percent in MOMENTS}
        self._requests = 0
        self._said: dict[int, Outlook] = {}

    def watch(self, step: Step) -> Stop | None:  # noqa: ARG002 - only the number of steps counts
        self._requests += 1
        if self._requests in self._moments and (said := self._forecaster.outlook()) is not None:
            self._said[self._requests] = said
        return None

    def rows(self, meter: Meter, targets: int, *, whole: bool) -> list[dict[str, Any]]:
        """Return one row per forecast (``forecasts_of``)."""
        return [self._row(made, meter, targets, whole=whole) for made in self._said]

    def _row(self, made: int, meter: Meter, targets: int, *, whole: bool) -> dict[str, Any]:
        said, found = self._said[made], sum(meter.found[:made])
        soon = next((one for one in said.next if one.requests == AHEAD), None)
        came = sum(meter.found[made : made + AHEAD])
        known = whole or made + AHEAD <= meter.requests
        left = said.left
        return {
            "requests": made, "found": found,
            "left": left.left, "low": left.low, "high": left.high, "true_left": targets - found,
            "next500": soon and {
                "expected": soon.finds, "low": soon.low, "high": soon.high,
                "true": came if known else None,
            },
        }  # fmt: skip


def forecast_rules(options: RaceOptions, lanes: Lanes, truth: SiteTruth) -> list[StopRule]:
    """Return what watches the forecasts of a run, and stops it by them, if that is wanted.

    A policy that makes no estimate runs to the end, for comparison.
    """
    forecaster, rules = Forecaster(lanes), list[StopRule]()
    if not forecaster.can_tell:
        return []
    if options.measure == "forecast":
        rules.append(ForecastLog(forecaster, _requests(options, truth)))
    if options.auto_stop:
        rules.append(AutoStop(forecaster))
    return [forecaster, *rules] if rules else []


def _requests(options: RaceOptions, truth: SiteTruth) -> int:
    return min(options.requests or truth.requests_total, truth.requests_total)


def forecasts_of(
    rules: Sequence[StopRule], meter: Meter, truth: SiteTruth, *, whole: bool
) -> list[dict[str, Any]]:
    """Return the forecasts of a run and what came, as they stand in a JSON row.

    Args:
        rules: Of the run; one of them may have written forecasts down.
        meter: Has seen the run.
        truth: Of the site.
        whole: Every link was followed: requests that were not made would bring nothing.
    """
    logs = [rule for rule in rules if isinstance(rule, ForecastLog)]
    return [row for log in logs for row in log.rows(meter, truth.targets_total, whole=whole)]


class Interval(NamedTuple):
    """One forecast beside the truth, in logarithms of finds."""

    low: float
    middle: float
    high: float
    truth: float

    @property
    def holds(self) -> bool:
        return self.low <= self.truth <= self.high

    @property
    def width(self) -> float:
        return self.high - self.low

    @property
    def score(self) -> float:
        """The width, and 20 times what the truth lies outside (Gneiting and Raftery 2007)."""
        missed = max(self.low - self.truth, 0.0) + max(self.truth - self.high, 0.0)
        return self.width + MISS * missed

    @property
    def factor(self) -> float:
        """How many times too high or too low the forecast was."""
        return math.exp(abs(self.middle - self.truth))


def of_left(forecasts: Sequence[dict[str, Any]]) -> list[Interval]:
    """Return the forecasts of what was left."""
    names = ("low", "left", "high", "true_left")
    return [_interval(*(one[name] for name in names)) for one in forecasts]


def of_next(forecasts: Sequence[dict[str, Any]]) -> list[Interval]:
    """Return the forecasts of the next 500 requests whose truth is known."""
    names = ("low", "expected", "high", "true")
    some = [one["next500"] for one in forecasts if one["next500"]]
    return [_interval(*(one[name] for name in names)) for one in some if one["true"] is not None]


def _interval(*finds: float) -> Interval:
    return Interval(*(math.log(max(number, 0.0) + FEW) for number in finds))
