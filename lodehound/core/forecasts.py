"""What a crawl will still bring: with the next requests, and in all."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from lodehound.core.lanes import Lanes
from lodehound.core.messages import Step, Stop, YieldEstimate
from lodehound.core.stop import StopRule

FIRST = 10  # requests before the first forecast, and the fewest between two
AHEAD = (100, 500, 2000)  # requests that are looked ahead
RECENT = 100  # requests


@dataclass(frozen=True, slots=True)
class Forecast:
    """The finds of the next requests, with a 90 % interval."""

    requests: int
    finds: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Outlook:
    """What is expected of the rest of a crawl."""

    left: YieldEstimate
    next: tuple[Forecast, ...]


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
        self._requests = 0
        self._next = FIRST
        self._recent: deque[bool] = deque(maxlen=RECENT)

    @classmethod
    def among(cls, rules: Iterable[StopRule]) -> Forecaster | None:
        """Return the forecaster among the rules of a crawl, if there is one."""
        return next((rule for rule in rules if isinstance(rule, cls)), None)

    def watch(self, step: Step) -> Stop | None:
        self._requests += 1
        self._recent.append(step.found)
        if self._requests >= self._next and not self._lanes.is_learning:
            self._next = self._requests + max(FIRST, self._requests // 50)
            self.last = self.outlook()
        return None

    @property
    def can_tell(self) -> bool:
        """Whether the policy estimates what is left."""
        return self._lanes.remaining_yield() is not None

    @property
    def policy_name(self) -> str:
        return type(self._lanes.policy).__name__

    def outlook(self) -> Outlook | None:
        """Return what is expected now."""
        left = self._lanes.remaining_yield()
        if left is None:
            return None
        rate = sum(self._recent) / max(len(self._recent), 1)
        each = ((ahead, ahead * rate) for ahead in AHEAD)
        return Outlook(left, tuple(Forecast(n, finds, finds / 2, 2 * finds) for n, finds in each))
