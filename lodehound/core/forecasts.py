"""What a crawl will still bring: with its next requests, and in all (docs/forecast.md)."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from lodehound.core.forecast_weights import FEW, WEIGHTS
from lodehound.core.lanes import Lanes
from lodehound.core.messages import SOON, Evidence, Step, Stop, YieldEstimate
from lodehound.core.stop import StopRule

FIRST = 10  # requests before the first forecast, and the fewest between two
AHEAD = (100, 500, 2000)  # requests that are looked ahead
CHECKED = AHEAD[0]  # forecasts of so many requests are compared with what comes
WINDOWS = (50, 200, 1000)  # requests over which rates of finds are taken
LARGEST = 50.0  # logarithm
HALF, SOME, PAST = 0.5, 5, 3  # keep rates and ratios of few requests and finds from extremes


@dataclass(frozen=True, slots=True)
class Forecast:
    """The finds of the next requests, with a 90 % interval."""

    requests: int
    finds: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Outlook:
    """What is expected of the rest of a crawl after some requests.

    Attributes:
        requests: Made so far.
        finds: So far.
        left: Still to find in all.
        sum: The same by the policy alone.
        next: With the next 100, 500 and 2,000 requests.
        checked: Earlier forecasts of 100 requests whose truth is known.
        held: Those of them whose interval held it.
    """

    requests: int
    finds: int
    left: YieldEstimate
    sum: YieldEstimate
    next: tuple[Forecast, ...] = ()
    checked: int = 0
    held: int = 0

    @classmethod
    def nothing(cls, requests: int, finds: int) -> Outlook:
        """Return what is expected once every link was followed: nothing."""
        none = YieldEstimate(0.0, 0.0, 0.0)
        return cls(requests, finds, none, none, tuple(Forecast(n, 0.0, 0.0, 0.0) for n in AHEAD))

    @property
    def share_found(self) -> float | None:
        """The share of all finds that were found so far; None if there are none."""
        every = self.finds + self.left.left
        return self.finds / every if every else None


class _Made(NamedTuple):
    """An earlier forecast, as far as it can be compared with what came."""

    requests: int
    soon: float  # what the policy expected of the next SOON requests
    next: Forecast


class Forecaster(StopRule):
    """Watches a crawl, and says now and then what it will still bring.

    A forecast reads all waiting links, so it is made less often as their number grows.

    Args:
        lanes: Estimate what is left.

    Attributes:
        last: The newest forecast; None before the first, or if the policy makes no estimate.
    """

    def __init__(self, lanes: Lanes) -> None:
        self.last: Outlook | None = None
        self._lanes = lanes
        self._found = bytearray()  # of every request: 1 for a find
        self._finds = self._last_find = 0
        self._next = FIRST
        self._made: deque[_Made] = deque()  # of the last 4 * SOON requests
        self._unchecked: deque[_Made] = deque()
        self._checked = self._held = 0

    @classmethod
    def among(cls, rules: Iterable[StopRule]) -> Forecaster | None:
        """Return the forecaster among the rules of a crawl, if there is one."""
        return next((rule for rule in rules if isinstance(rule, cls)), None)

    @property
    def can_tell(self) -> bool:
        """Whether the policy estimates what is left."""
        return self._lanes.remaining_yield() is not None

    @property
    def policy_name(self) -> str:
        return type(self._lanes.policy).__name__

    def watch(self, step: Step) -> Stop | None:
        self._found.append(step.found)
        made = len(self._found)
        if step.found:
            self._finds, self._last_find = self._finds + 1, made
        while self._unchecked and self._unchecked[0].requests + CHECKED <= made:
            self._check(self._unchecked.popleft())
        if made >= self._next and not self._lanes.is_learning:
            self._next = made + max(FIRST, made // 40)
            self.last = self.outlook()
            self._remember(self.last)
        return None

    def _check(self, made: _Made) -> None:
        came = self._came(made.requests, CHECKED)
        self._checked += 1
        self._held += math.floor(made.next.low) <= came <= math.ceil(made.next.high)

    def _remember(self, outlook: Outlook | None) -> None:
        """Keep a forecast until it can be compared with what came."""
        if outlook is None or outlook.left.evidence is None:
            return
        made = _Made(outlook.requests, outlook.left.evidence.soon, outlook.next[0])
        self._made.append(made)
        self._unchecked.append(made)
        while self._made[0].requests < outlook.requests - 4 * SOON:
            self._made.popleft()

    def outlook(self) -> Outlook | None:
        """Return what is expected now; None if the policy makes no estimate.

        An estimate without evidence is passed on as it is.
        """
        estimate = self._lanes.remaining_yield()
        if estimate is None:
            return None
        made, finds = len(self._found), self._finds
        if estimate.evidence is None:
            return Outlook(made, finds, estimate, estimate)
        facts = self.facts(estimate, estimate.evidence)
        left = _interval("left", facts)
        soon = tuple(_next(ahead, facts, left) for ahead in AHEAD)
        return Outlook(
            made,
            finds,
            YieldEstimate(left.finds, left.low, left.high, estimate.evidence),
            estimate,
            soon,
            self._checked,
            self._held,
        )

    def facts(self, estimate: YieldEstimate, evidence: Evidence) -> dict[str, float]:
        """Return the plain facts that forecasts are made from, by name.

        Args:
            estimate: Of the policy.
            evidence: What the policy knows of the waiting links.
        """
        made = len(self._found)
        dry = made - self._last_find
        rates = {window: self._rate(window) for window in WINDOWS}
        return {
            "left": _log(estimate.left),
            "most": _log(estimate.high),
            "waiting": _log(evidence.waiting),
            "files": _log(evidence.files),
            "requests": math.log(max(made, 1)),
            "lasting": _log(rates[200] * made),
            "drought": _log(dry),
            "dry share": dry / max(made, 1),
            "record": self._record(),
            **{f"rate {window}": math.log(rate) for window, rate in rates.items()},
        }

    def _rate(self, window: int) -> float:
        """Return the finds per request in the last requests."""
        some = self._found[-window:]
        return (sum(some) + HALF) / (len(some) + SOME)

    def _record(self) -> float:
        """Return in logarithms how far finds were above what the policy had expected."""
        made, total, count = len(self._found), 0.0, 1
        for one in self._made:
            past = min(made - one.requests, SOON)
            if past >= SOON // 5 and made - one.requests <= 4 * SOON:
                expected = one.soon * past / SOON
                total += math.log((self._came(one.requests, SOON) + PAST) / (expected + PAST))
                count += 1
        return total / count

    def _came(self, made: int, ahead: int) -> int:
        return sum(self._found[made : made + ahead])


def _log(finds: float) -> float:
    return math.log(max(finds, 0.0) + FEW)


class _Interval(NamedTuple):
    low: float
    finds: float
    high: float


def _interval(what: str, facts: dict[str, float]) -> _Interval:
    """Return the ends and the middle of a forecast."""
    logs = [0.0, 0.0, 0.0]
    for name, weights in WEIGHTS[what].items():
        fact = facts.get(name, 1.0)  # there is one constant
        logs = [log + weight * fact for log, weight in zip(logs, weights, strict=True)]
    return _Interval(*(max(math.exp(min(log, LARGEST)) - FEW, 0.0) for log in sorted(logs)))


def _next(ahead: int, facts: dict[str, float], left: _Interval) -> Forecast:
    """Return the finds of the next requests: no more than requests, or than are left in all."""
    each = zip(_interval(str(ahead), facts), left, strict=True)
    low, finds, high = (min(end, most, ahead) for end, most in each)
    return Forecast(ahead, finds, low, high)
