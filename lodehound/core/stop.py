"""Budgets, and rules that stop a crawl early."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from lodehound.core.errors import ConfigError
from lodehound.core.estimates import RegularEstimates
from lodehound.core.lanes import Lanes
from lodehound.core.messages import Step, Stop, StopReason
from lodehound.core.policy import Policy
from lodehound.text.counts import counted


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of a crawl; None means no limit.

    Requests and finds never exceed the budget, even with requests in flight. Bytes and
    seconds are known only afterwards: no request starts once they are spent.
    """

    requests: int | None = None
    bytes: int | None = None
    seconds: float | None = None
    finds: int | None = None

    def __post_init__(self) -> None:
        for name in ("requests", "bytes", "seconds", "finds"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise ConfigError(f"The budget of {name} is {value}; give a number above 0.")

    def spent(
        self,
        *,
        requests: int = 0,
        finds: int = 0,
        bytes: int = 0,  # noqa: A002 - the budget's name
        seconds: float = 0.0,
    ) -> Stop | None:
        """Say which limit is reached, if one is, by what a crawl has cost and brought.

        >>> Budget(requests=10, bytes=1000).spent(requests=9, bytes=1000)
        Stop(reason='bytes', detail='')
        """
        used: dict[StopReason, float] = {
            "requests": requests, "finds": finds, "bytes": bytes, "seconds": seconds
        }  # fmt: skip
        for name, amount in used.items():
            limit = getattr(self, name)
            if limit is not None and amount >= limit:
                return Stop(name)
        return None


class StopRule(ABC):
    """Watches every step, and returns a Stop to end the crawl."""

    @abstractmethod
    def watch(self, step: Step) -> Stop | None: ...

    def restart(self) -> None:  # noqa: B027 - most rules do not wait
        """Start waiting anew: the user has resumed the crawl."""


class EarlyStop(StopRule):
    """Section 4.8 of the SB paper: stop if few targets were found for a long time.

    Every ``nu`` requests, the slope sigma = new finds / nu is computed, and its moving
    average mu = gamma * sigma + (1 - gamma) * mu. The crawl stops when mu was below
    ``epsilon`` for ``kappa`` slopes in a row.

    The paper gives no initial value of mu. Zero would stop a site with 0.3 finds per
    request after 15 slopes, so mu starts as the first slope.
    """

    def __init__(
        self,
        *,
        nu: int = 1000,
        epsilon: float = 0.2,
        gamma: float = 0.05,
        kappa: int = 15,
    ) -> None:
        if nu < 1 or kappa < 1 or not 0 < gamma <= 1:
            raise ConfigError(
                f"Early stopping needs nu >= 1, kappa >= 1 and 0 < gamma <= 1, "
                f"not nu={nu}, kappa={kappa}, gamma={gamma}."
            )
        self.nu = nu
        self.epsilon = epsilon
        self.gamma = gamma
        self.kappa = kappa
        self.mu: float | None = None
        self._steps = 0
        self._found = 0
        self._low = 0

    def watch(self, step: Step) -> Stop | None:
        self._steps += 1
        self._found += step.found
        if self._steps < self.nu:
            return None
        sigma = self._found / self.nu
        self._steps = self._found = 0
        self.mu = sigma if self.mu is None else self.gamma * sigma + (1 - self.gamma) * self.mu
        self._low = self._low + 1 if self.mu < self.epsilon else 0
        if self._low < self.kappa:
            return None
        detail = f"{self.mu:.3f} finds per request, {self._low} times in a row under {self.epsilon}"
        return Stop("early-stop", detail)

    def restart(self) -> None:
        self._low = 0


class AutoStop(StopRule):
    """Stop if the policy estimates that hardly anything is left, or after a long drought.

    The crawl stops if even the upper bound of the estimate is less than ``share`` of all
    targets, found or not. Whatever the estimate, it also stops if neither the last
    ``patience`` requests nor the last ``drought`` of all requests found anything: on a site
    with endless new URLs, a small rate times an endless frontier is never small.

    Args:
        policy: Makes the estimate, with the lanes of the crawl if there are others.
        share: Targets that may be left behind, as a share of all.
        patience: Shortest drought in requests; four times as many before the first find.
        drought: Shortest drought as a share of the requests made.
    """

    def __init__(
        self,
        policy: Policy | Lanes,
        *,
        share: float = 0.05,
        patience: int = 400,
        drought: float = 0.2,
    ) -> None:
        if not 0 < share < 1 or not 0 < drought < 1 or patience < 1:
            raise ConfigError(
                f"Early stopping needs 0 < share < 1, 0 < drought < 1 and patience >= 1, "
                f"not share={share}, drought={drought}, patience={patience}."
            )
        lanes = Lanes.of(policy)
        if lanes.remaining_yield() is None:
            name = type(lanes.policy).__name__
            raise ConfigError(
                f"--early-stop auto needs a policy that estimates what is left, and {name} does "
                f"not: use the policy lodehound, or --early-stop paper."
            )
        self.share = share
        self.patience = patience
        self.drought = drought
        self._requests = 0
        self._found = 0
        self._last_find = 0
        self._estimates = RegularEstimates(lanes)

    def watch(self, step: Step) -> Stop | None:
        self._requests += 1
        if step.found:
            self._found += 1
            self._last_find = self._requests
        return self._dry() or self._nothing_left()

    def restart(self) -> None:
        self._last_find = self._requests
        self._estimates.wait(self._requests + self.patience)

    def _dry(self) -> Stop | None:
        dry = self._requests - self._last_find
        patience = self.patience if self._found else 4 * self.patience
        if dry < max(patience, self.drought * self._requests):
            return None
        return Stop("early-stop", f"no find in the last {counted(dry, 'request')}")

    def _nothing_left(self) -> Stop | None:
        estimate = self._estimates.after(self._requests) if self._found else None
        if estimate is None or estimate.high > self.share * (self._found + estimate.high):
            return None
        share = self._found / (self._found + estimate.left)
        detail = (
            f"{100 * share:.1f} % of the targets found by estimate, "
            f"{estimate.low:.0f} to {estimate.high:.0f} left"
        )
        return Stop("early-stop", detail)
