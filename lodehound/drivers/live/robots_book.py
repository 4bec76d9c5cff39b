"""What each host's robots.txt says, as far as it is known (RFC 9309)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from lodehound.drivers.live.replies import Reply
from lodehound.read.robots import Robots, parse_robots, reading_of

RETRY = 300.0  # seconds after which an unreachable robots.txt is asked for again
KEPT = 86400.0  # seconds a reading is used (RFC 9309, 2.4)
MAX_TRIES = 3  # of an unreachable robots.txt, however many other requests have
MAX_HOPS = 5  # RFC 9309, 2.3.1.2

EVERYTHING = parse_robots(b"")

# "given up": they could not be had, so often that the host is left alone.
Rules = Literal["allow", "disallow", "unknown", "given up"]


@dataclass(slots=True)
class _Known:
    rules: Robots | None  # None: unreachable, so nothing may be asked
    until: float
    tries: int = 0
    obstacle: str = ""  # why it is unreachable


class RobotsBook:
    """Robots rules by origin (scheme, host and port).

    Args:
        agent: Our product token.
        ignore: Allow everything and never ask.
        max_delay: The longest Crawl-delay honoured, in seconds.
        max_tries: Tries of an unreachable robots.txt before its host is given up.
    """

    def __init__(
        self,
        agent: str,
        *,
        ignore: bool = False,
        max_delay: float = 30.0,
        max_tries: int = MAX_TRIES,
    ) -> None:
        self.agent = agent
        self.ignore = ignore
        self.max_delay = max_delay
        self.max_tries = max_tries
        self._known: dict[str, _Known] = {}

    def rules_for(self, origin: str, url: str, now: float) -> Rules:
        """Return what the rules of its origin, as far as they are known, mean for a URL."""
        if self.ignore:
            return "allow"
        known = self._known.get(origin)
        if known is not None and known.rules is None and known.tries >= self.max_tries:
            return "given up"
        if known is None or now >= known.until:
            return "unknown"
        allowed = known.rules is not None and known.rules.allows(self.agent, url)
        return "allow" if allowed else "disallow"

    def knows_rules(self, origin: str) -> bool:
        """Return whether the origin's rules have been had, fresh or not."""
        known = self._known.get(origin)
        return known is not None and known.rules is not None

    def given_up(self, origin: str) -> bool:
        """Return whether the rules could not be had so often that the host is left alone."""
        known = self._known.get(origin)
        return known is not None and known.rules is None and known.tries >= self.max_tries

    def knows_another(self, origin: str) -> bool:
        """Return whether the same host answers at another scheme."""
        host = origin.partition("//")[2]
        return any(self.knows_rules(f"{scheme}://{host}") for scheme in ("http", "https"))

    def obstacle(self, origin: str) -> str:
        """Return why the rules could not be read."""
        known = self._known.get(origin)
        return known.obstacle if known is not None else ""

    def learn(self, origin: str, reply: Reply, now: float) -> None:
        """Take in what came back for a robots.txt, at the end of its redirects."""
        reading = reading_of(reply.status, reply.error)
        if reading == "disallow":
            before = self._known.get(origin)
            tries = before.tries + 1 if before is not None else 1
            obstacle = reply.error or f"status {reply.status}"
            self._known[origin] = _Known(None, now + RETRY, tries, obstacle)
            return
        rules = parse_robots(reply.body) if reading == "parse" else EVERYTHING
        self._known[origin] = _Known(rules, now + KEPT)

    def sitemaps(self, origin: str) -> tuple[str, ...]:
        """Return the sitemaps that an origin names."""
        known = self._known.get(origin)
        return known.rules.sitemaps if known and known.rules else ()

    def delay(self, origin: str) -> float:
        """Return the Crawl-delay of an origin, up to the longest we honour."""
        known = self._known.get(origin)
        asked = known.rules.crawl_delay(self.agent) if known and known.rules else None
        return min(asked or 0.0, self.max_delay)
