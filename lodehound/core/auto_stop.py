"""The stop rule that asks whether the rest of a crawl is worth its requests."""

from __future__ import annotations

from dataclasses import dataclass

from lodehound.core.errors import ConfigError
from lodehound.core.forecasts import Forecaster, Outlook
from lodehound.core.messages import Step, Stop
from lodehound.core.stop import StopRule
from lodehound.text.counts import counted

HARDLY = 0.002  # of all finds: so few are left, and nothing was found for a while
WHILE = 2 / 3  # of the patience
LITTLE = 0.05  # of all finds: if more are expected, only a long drought ends a crawl
WAITING = 0.3  # of the waiting links: a drought is as long
# Requests, or a share of those made: so long a drought ends a crawl whatever is expected.
ENOUGH, ENOUGH_SHARE = 492, 0.25
UNKNOWN = 4  # times the patience, before the first find


@dataclass(frozen=True, slots=True)
class StopLimits:
    """When the rest of a crawl is not worth its requests.

    Attributes:
        share: Finds that may be left behind, as a share of all.
        patience: Shortest drought in requests; no crawl is stopped before so many.
        drought: Shortest drought as a share of the requests made.
    """

    share: float = 0.04
    patience: int = 300
    drought: float = 0.15

    def __post_init__(self) -> None:
        if not 0 < self.share < 1 or not 0 < self.drought < 1 or self.patience < 1:
            raise ConfigError(
                f"Early stopping needs 0 < share < 1, 0 < drought < 1 and patience >= 1, not "
                f"share={self.share}, drought={self.drought}, patience={self.patience}."
            )

    def nothing_left(self, seen: Outlook, *, requests: int, finds: int, dry: int) -> bool:
        """Return whether hardly anything is left, by a forecast.

        Args:
            seen: The forecast.
            requests: Made so far.
            finds: So far.
            dry: Requests since the last find.
        """
        if not finds or requests < self.patience:
            return False
        if seen.left.evidence is not None and seen.left.evidence.waiting <= self.share * requests:
            return False  # to follow the few links that wait costs next to nothing
        most = min(seen.left.high, seen.sum.high)  # of the forecast, and of the policy's own sum
        a_while = max(WHILE * self.patience, self.drought / 2 * requests)
        hardly = seen.left.left <= HARDLY * (finds + seen.left.left)
        return most <= self.share * (finds + most) or (hardly and dry >= a_while)

    def is_dry(self, seen: Outlook | None, *, requests: int, finds: int, dry: int) -> bool:
        """Return whether nothing was found for too long."""
        left, waiting = 0.0, 0
        if seen is not None:
            left = seen.left.left
            waiting = seen.left.evidence.waiting if seen.left.evidence is not None else 0
        if not finds:
            return dry >= UNKNOWN * self.patience
        enough = max(ENOUGH, ENOUGH_SHARE * requests)
        if left > LITTLE * (finds + left):
            return dry >= enough
        return dry >= min(enough, max(self.patience, self.drought * requests, WAITING * waiting))


class AutoStop(StopRule):
    """Stop if hardly anything is left by forecast, or after a long drought.

    The crawl stops if even the upper end of what is left is a small share of all finds, found or
    left, or if nothing was found for a while and next to nothing is expected. It also stops after a
    drought, after a longer one if more is expected, but after some 500 requests or a quarter of all
    whatever is expected: on a site with endless new URLs, a small rate times an endless frontier is
    never small.

    Args:
        forecaster: Watches the same crawl, before this rule does.
        limits: When to stop.
    """

    def __init__(self, forecaster: Forecaster, limits: StopLimits | None = None) -> None:
        if not forecaster.can_tell:
            raise ConfigError(
                f"--early-stop auto needs a policy that estimates what is left, and "
                f"{forecaster.policy_name} does not: use the policy lodehound, or "
                f"--early-stop paper."
            )
        self.limits = limits or StopLimits()
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
        seen, self._seen = self._seen, self._forecaster.last
        now = {
            "requests": self._requests,
            "finds": self._found,
            "dry": self._requests - self._last_find,
        }
        is_new = self._seen is not seen and self._requests >= self._waits_until
        if is_new and self._seen is not None and self.limits.nothing_left(self._seen, **now):
            return Stop("early-stop", _words(self._found, self._seen))
        if self.limits.is_dry(self._seen, **now):
            return Stop("early-stop", f"no find in the last {counted(now['dry'], 'request')}")
        return None

    def restart(self) -> None:
        self._last_find = self._requests
        self._waits_until = self._requests + self.limits.patience


def advice(seen: Outlook | None, *, requests: int, finds: int, dry: int) -> str:
    """Return in words why a crawl without the rule may be stopped; "" if it should go on."""
    now, limits = {"requests": requests, "finds": finds, "dry": dry}, StopLimits()
    if seen is None or not finds:
        return ""
    if not limits.nothing_left(seen, **now) and not limits.is_dry(seen, **now):
        return ""
    ends = f"about {seen.left.low:,.0f} to {seen.left.high:,.0f} are left"
    past = f"the last {counted(dry, 'request')} brought nothing; " if dry else ""
    return f"{past}{ends}; stop with Ctrl-C, or let --early-stop auto do it"


def _words(found: int, seen: Outlook) -> str:
    left = seen.left
    share = found / (found + left.left)
    ends = f"{left.low:.0f} to {left.high:.0f}"
    return f"{100 * share:.1f} % of the targets found by estimate, {ends} left"
