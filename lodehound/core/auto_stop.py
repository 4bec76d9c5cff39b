"""The stop rule that asks whether the rest of a crawl is worth its requests."""

from __future__ import annotations

from lodehound.core.errors import ConfigError
from lodehound.core.forecasts import Forecaster, Outlook
from lodehound.core.messages import Step, Stop
from lodehound.core.stop import StopRule
from lodehound.text.counts import counted


class AutoStop(StopRule):
    """Stop if hardly anything is left by forecast, or after a long drought.

    The crawl stops if even the upper bound of what is left is less than ``share`` of all
    targets, found or not. Whatever the forecast, it also stops if neither the last
    ``patience`` requests nor the last ``drought`` of all requests found anything: on a site
    with endless new URLs, a small rate times an endless frontier is never small.

    Args:
        forecaster: Watches the same crawl, before this rule does.
        share: Targets that may be left behind, as a share of all.
        patience: Shortest drought in requests; four times as many before the first find.
        drought: Shortest drought as a share of the requests made.
    """

    def __init__(
        self,
        forecaster: Forecaster,
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
        if not forecaster.can_tell:
            raise ConfigError(
                f"--early-stop auto needs a policy that estimates what is left, and "
                f"{forecaster.policy_name} does not: use the policy lodehound, or "
                f"--early-stop paper."
            )
        self.share = share
        self.patience = patience
        self.drought = drought
        self._forecaster = forecaster
        self._requests = 0
        self._found = 0
        self._last_find = 0
        self._waits_until = 0  # so many requests were made
        self._seen: Outlook | None = None  # the forecast that was looked at last

    def watch(self, step: Step) -> Stop | None:
        self._requests += 1
        if step.found:
            self._found += 1
            self._last_find = self._requests
        return self._dry() or self._nothing_left()

    def restart(self) -> None:
        self._last_find = self._requests
        self._waits_until = self._requests + self.patience

    def _dry(self) -> Stop | None:
        dry = self._requests - self._last_find
        patience = self.patience if self._found else 4 * self.patience
        if dry < max(patience, self.drought * self._requests):
            return None
        return Stop("early-stop", f"no find in the last {counted(dry, 'request')}")

    def _nothing_left(self) -> Stop | None:
        seen, self._seen = self._seen, self._forecaster.last
        if self._seen is None or self._seen is seen or not self._found:
            return None
        left = self._seen.left
        if self._requests < self._waits_until:
            return None
        if left.high > self.share * (self._found + left.high):
            return None
        share = self._found / (self._found + left.left)
        detail = (
            f"{100 * share:.1f} % of the targets found by estimate, "
            f"{left.low:.0f} to {left.high:.0f} left"
        )
        return Stop("early-stop", detail)
