"""The Robots Exclusion Protocol: which URLs of a host a crawler may request. RFC 9309.

It contains no network code: the caller fetches robots.txt, ``reading_of`` interprets the
status, and ``parse_robots`` reads the body.

We follow google/robotstxt, including its tolerance for misspelt lines. The differences:

| case                                   | google/robotstxt      | here                          |
|----------------------------------------|-----------------------|-------------------------------|
| ``Allow: /a/index.html`` and /a/       | allows                | not in the RFC                |
| /robots.txt under ``Disallow: /``      | disallowed            | allowed (2.2.2)               |
| URL with a raw é, or %62 for b         | compared as given     | both sides normalised (2.2.2) |
| a reserved character and its %-form    | differ                | equal (2.2.2, 2.2.3)          |
| ``Allowed: /``, a longer name          | an Allow line         | unknown: names must match     |
| user-agent line without a product name | group of the agent "" | a group without an agent      |
| line longer than 16,663 octets         | only its beginning    | read completely               |
| content after the first 500 KiB        | left to the caller    | not read                      |
| NUL octet                              | ends its line         | dropped                       |
| UTF-16 with a byte order mark          | not read              | read                          |
| ``Crawl-delay``                        | unknown               | read, though not in the RFC   |
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from lodehound.core.urls import canonical

MAX_BYTES = 512_000  # 2.5: a parsing limit of at least 500 kibibytes
MAX_SITEMAPS = 1000
MAX_NUMBER = 20  # characters of a crawl delay

Reading = Literal["parse", "allow", "disallow"]

# Common spellings (2.2.4 lets crawlers accept misspellings), and their meanings.
FIELDS = {
    b"user-agent": "user-agent", b"useragent": "user-agent", b"user agent": "user-agent",
    b"allow": "allow",
    b"disallow": "disallow", b"dissallow": "disallow", b"dissalow": "disallow",
    b"disalow": "disallow", b"diasllow": "disallow", b"disallaw": "disallow",
    b"sitemap": "sitemap", b"site-map": "sitemap", b"sitemaps": "sitemap",
    b"crawl-delay": "crawl-delay", b"crawldelay": "crawl-delay", b"crawl delay": "crawl-delay",
}  # fmt: skip

_LINE_END = re.compile(rb"[\r\n]+")
# A byte order mark or the beginning of one: google/robotstxt skips those too.
_UTF8_MARK = re.compile(rb"\xef(?:\xbb\xbf?)?")
_PRODUCT = re.compile(rb"[A-Za-z_-]*")  # 2.2, identifier
_NUMBER = re.compile(rb"[0-9]+(?:\.[0-9]*)?|\.[0-9]+")
_BEFORE_PATH = re.compile(r"(?:[^/?;#]*:)?(?://)?[^/?;#]*")

# Unreserved and reserved characters of RFC 3986, except * and $: those are special in a
# rule, so literal ones are always written %2A or %24 (2.2.3).
_PLAIN = frozenset(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?#[]@!&'()+,;="
)
_NOT_PLAIN = re.compile(rb"%([0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~:/?#\[\]@!&'()+,;=]")


def reading_of(status: int, error: str = "") -> Reading:
    """Return how to treat the response for /robots.txt, after redirects (2.3.1).

    "disallow" is temporary: the caller tries again later. RFC 9309 treats 429 like the
    other 4xx, which allow everything; but a host that asks for less load should not get
    more.

    >>> reading_of(200), reading_of(404), reading_of(503), reading_of(0, "timed out")
    ('parse', 'allow', 'disallow', 'disallow')
    """
    if 200 <= status < 300:
        return "disallow" if error else "parse"
    if status == 429:
        return "disallow"
    # 2.3.1.2: after five redirects, treat the file as unavailable.
    return "allow" if 300 <= status < 500 else "disallow"


@dataclass(frozen=True, slots=True)
class RobotsRule:
    """One Allow or Disallow line: the normalised texts between its wildcards."""

    allow: bool
    pieces: tuple[bytes, ...]
    to_end: bool  # the line ended in $
    octets: int  # how specific it is: wildcards count, as in google/robotstxt

    def matches(self, path: bytes) -> bool:
        """Match from the first octet; each piece at its first position after the one before.

        The first position leaves the most room for the following pieces, so no backtracking
        is needed and the time does not depend on the number of wildcards.
        """
        first, *others = self.pieces
        if not path.startswith(first):
            return False
        if not others:
            return not self.to_end or len(path) == len(first)
        at, end = len(first), len(path)
        if self.to_end:
            last = others.pop()
            end -= len(last)
            if end < at or not path.endswith(last):
                return False
        for piece in others:
            found = path.find(piece, at, end)
            if found < 0:
                return False
            at = found + len(piece)
        return True


@dataclass(frozen=True, slots=True)
class RobotsGroup:
    """The rules that follow some user-agent lines, most specific first."""

    rules: tuple[RobotsRule, ...] = ()
    delay: float | None = None
    keys: tuple[bytes, ...] = ()  # a text of each rule that is in every path that it matches

    def best(self, path: bytes) -> tuple[int, bool]:
        """Return octets and verdict of the rule that applies; without one, the URL is allowed."""
        # A robots.txt may have 40,000 rules. Few of them are looked at more closely.
        for rule in [rule for rule, key in zip(self.rules, self.keys, strict=True) if key in path]:
            if rule.matches(path):
                return rule.octets, rule.allow
        return 0, True


@dataclass(frozen=True, slots=True)
class Robots:
    """The rules of one host."""

    groups: Mapping[str, tuple[RobotsGroup, ...]] = field(default_factory=dict)  # by agent
    sitemaps: tuple[str, ...] = ()  # absolute URLs, as written

    def allows(self, agent: str, url: str) -> bool:
        r"""Return whether the agent may request the URL.

        Args:
            agent: The crawler's product token: letters, hyphens and underscores.
            url: The URL that will be requested.

        >>> robots = parse_robots(b"User-agent: *\nDisallow: /a\nAllow: /a/*.csv$")
        >>> robots.allows("lodehound", "https://e.org/a/b.csv")
        True
        >>> robots.allows("lodehound", "https://e.org/a/b.csv?page=2")
        False
        """
        groups = self._of(agent)
        path = _path(url) if groups else b""
        if not groups or path == b"/robots.txt":
            return True  # 2.2.2: implicitly allowed
        # 2.2.2: the most octets win; on a tie, Allow wins (True is the greater).
        return max(group.best(path) for group in groups)[1]

    def crawl_delay(self, agent: str) -> float | None:
        """Return the requested delay between two requests in seconds; the longest of several."""
        return max((g.delay for g in self._of(agent) if g.delay is not None), default=None)

    def _of(self, agent: str) -> tuple[RobotsGroup, ...]:
        """Return all groups of the agent, or those of * if it has none (2.2.1)."""
        return self.groups.get(agent.lower(), self.groups.get("*", ()))


def parse_robots(body: bytes) -> Robots:
    """Read a robots.txt. Other content, such as an HTML page, has no rules and allows everything.

    >>> parse_robots(b"Sitemap: https://e.org/map.xml").sitemaps
    ('https://e.org/map.xml',)
    """
    drafts: list[_Draft] = []
    sitemaps: dict[str, None] = {}
    for name, value in _lines(body):
        if name == "sitemap":
            _add_sitemap(sitemaps, value)
        elif name == "user-agent":
            if not drafts or drafts[-1].has_rules:
                drafts.append(_Draft())
            drafts[-1].agents[_agent(value)] = None
        elif drafts:  # 2.2.2: rules outside of groups are ignored
            drafts[-1].add(name, value)
    groups: dict[str, list[RobotsGroup]] = {}
    for draft in drafts:
        group = draft.group()
        for agent in draft.agents:
            groups.setdefault(agent, []).append(group)
    groups.pop("", None)
    return Robots({agent: tuple(own) for agent, own in groups.items()}, tuple(sitemaps))


class _Draft:
    """A group whose lines are being read. Only a rule ends its list of agents (2.1, 2.2.4)."""

    def __init__(self) -> None:
        self.agents: dict[str, None] = {}
        self.has_rules = False
        self._rules: dict[RobotsRule, None] = {}
        self._delays: list[float] = []

    def add(self, name: str, value: bytes) -> None:
        if name == "crawl-delay":
            self._delays += _seconds(value)
            return
        self.has_rules = True
        if value:  # 2.2, empty-pattern: matches nothing
            self._rules[_rule(name == "allow", value)] = None

    def group(self) -> RobotsGroup:
        rules = sorted(self._rules, key=lambda rule: (rule.octets, rule.allow), reverse=True)
        keys = tuple(max(rule.pieces, key=len) for rule in rules)
        return RobotsGroup(tuple(rules), max(self._delays, default=None), keys)


def _lines(body: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield name and value of each line with a known name."""
    for line in _LINE_END.split(_octets(body)):
        text = line.partition(b"#")[0].strip()
        name, colon, value = text.partition(b":")
        if not colon:
            # google/robotstxt accepts "disallow /x", but not more than two words.
            words = text.split()
            if len(words) != 2:
                continue
            name, value = words
        if known := FIELDS.get(name.strip().lower()):
            yield known, value.strip()


def _octets(body: bytes) -> bytes:
    """Return the part that is read as UTF-8, without marks, NULs and an incomplete last line."""
    octets = body[:MAX_BYTES]
    if octets.startswith((b"\xff\xfe", b"\xfe\xff")):
        octets = octets.decode("utf-16", "replace").encode()
    octets = octets[_end_of(_UTF8_MARK, octets) :].replace(b"\0", b"")
    if len(body) > MAX_BYTES:
        # An incomplete rule would match more than intended: "/" instead of "/private".
        octets = octets[: max(octets.rfind(b"\n"), octets.rfind(b"\r")) + 1]
    return octets


def _end_of(pattern: re.Pattern[bytes], octets: bytes) -> int:
    match = pattern.match(octets)
    return match.end() if match else 0


def _agent(value: bytes) -> str:
    """Return the product token of a user-agent line, or "" if it has none.

    Like google/robotstxt, read "* (all)" as * and "Bot/2.1 x" as bot.
    """
    if value.split(None, 1)[:1] == [b"*"]:
        return "*"
    return value[: _end_of(_PRODUCT, value)].decode("ascii").lower()


def _seconds(value: bytes) -> list[float]:
    if len(value) > MAX_NUMBER or not _NUMBER.fullmatch(value):
        return []
    return [float(value)]


def _add_sitemap(sitemaps: dict[str, None], value: bytes) -> None:
    address = value.decode("utf-8", "replace")
    absolute = address[:8].lower().startswith(("http://", "https://"))
    if len(sitemaps) < MAX_SITEMAPS and absolute and canonical(address):
        sitemaps[address] = None


def _rule(allow: bool, value: bytes) -> RobotsRule:
    to_end = value.endswith(b"$")
    pieces = tuple(map(_normal, value.removesuffix(b"$").split(b"*")))
    return RobotsRule(allow, pieces, to_end, sum(map(len, pieces)) + len(pieces) - 1 + to_end)


def _path(url: str) -> bytes:
    """Return path and query of a URL, normalised; "/" if it has none."""
    before = _BEFORE_PATH.match(url)
    rest = url[before.end() if before else 0 :].partition("#")[0]
    return _normal((rest if rest.startswith("/") else "/" + rest).encode("utf-8", "surrogatepass"))


def _normal(octets: bytes) -> bytes:
    """Return octets in the normal form for comparisons (2.2.2).

    Octets that are neither unreserved nor reserved are percent-encoded; unreserved ones are
    decoded. The RFC encodes the reserved characters on both sides; we decode them on both
    sides. The same rules match, and a slash counts as one octet, as the authors of rules
    expect.
    """
    return _NOT_PLAIN.sub(_written, octets)


def _written(match: re.Match[bytes]) -> bytes:
    octet = int(match[1], 16) if match[1] else match[0][0]
    return bytes((octet,)) if octet in _PLAIN else b"%%%02X" % octet
