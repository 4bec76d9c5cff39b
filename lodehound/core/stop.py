"""Budgets, and rules that stop a crawl early."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from lodehound.core.errors import ConfigError
from lodehound.core.messages import Step, Stop, StopReason


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
        requests: int = 0,
        *,
        finds: int = 0,
        bytes: int = 0,  # noqa: A002 - the budget's name
        seconds: float = 0.0,
    ) -> Stop | None:
        """Return which limit is reached, if one is, by what a crawl has cost and brought.

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
