"""Which pages are worth rendering, learned from what rendering pages like them cost and brought.

Pages are alike if they are on the same host, their URLs look alike, and they show the same
signs. The cost of a page is the requests and seconds that rendering takes; the reward is the
links that the plain page does not show, by how many of such links led to something. When the
answers of an API contain the links, later pages ask it and are not rendered.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import parse_qsl, quote, urlsplit

TRIALS = 2  # fruitless renders after which pages like these are left alone
HOST_TRIALS = 3  # fruitless patterns after which a host gets no further trials
WORTH = 0.1  # useful links per request that rendering must bring
SECOND = 1.0  # what a second in the browser costs, in requests
DECAY = 0.7  # how much earlier renders count: the first one also pays for the scripts
SAME_API = 2  # renders that must agree on an API before it is asked instead
MAX_TEMPLATES = 5  # of URLs of an API, for one pattern
NUMBER = re.compile(r"\d+")
ENDING = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,5}$")


@dataclass(frozen=True, slots=True)
class RenderDecision:
    """Whether to render a page, and why; or which URLs of an API to ask instead."""

    action: Literal["render", "api", "leave"]
    pattern: str
    why: str
    urls: tuple[str, ...] = ()


@dataclass(slots=True)
class Pattern:
    """What is known of pages that are alike."""

    renders: int = 0
    weight: float = 0.0  # of the renders, with decay
    links: float = 0.0  # new ones, with decay
    cost: float = 0.0  # in requests, with decay
    fruitless: int = 0  # renders in a row that brought no new link
    left: int = 0  # pages left alone since the last render
    followed: int = 0  # links of rendered pages
    useful: int = 0  # of these, finds and pages with new links
    templates: tuple[str, ...] = ()  # of the last render
    agreeing: int = 0  # renders in a row with these templates
    idle_clicks: int = 0  # renders in a row in which clicks brought no link

    @property
    def gain(self) -> float:
        """Useful links that a render brings per request that it costs."""
        if not self.cost:
            return 0.0
        return self.links * (self.useful + 1) / (self.followed + 1) / self.cost


@dataclass(slots=True)
class RenderChoice:
    """Decides which pages are rendered.

    Args:
        always: Render every page.
        strong: Signs of a page that shows nothing by itself; a few more of these are tried.
    """

    always: bool = False
    strong: Collection[str] = ()
    _patterns: dict[str, Pattern] = field(default_factory=lambda: defaultdict(Pattern))

    def decide(self, url: str, signs: Sequence[str]) -> RenderDecision:
        """Decide about a page with these signs."""
        name = pattern_of(url, signs)
        if self.always:
            return RenderDecision("render", name, "--render always")
        if not signs:
            return RenderDecision("leave", name, "the plain page shows everything")
        return self._decide(name, url, signs)

    def _decide(self, name: str, url: str, signs: Sequence[str]) -> RenderDecision:
        known = self._patterns[name]
        if known.agreeing >= SAME_API and (urls := filled(known.templates, url)):
            return RenderDecision("api", name, "its API has the links", urls)
        if not known.renders:
            return self._first(name, signs)
        if known.fruitless < TRIALS and (known.links < 1 or known.gain >= WORTH):
            return RenderDecision("render", name, f"{known.gain:.2f} links per request so far")
        known.left += 1
        if known.left >= 8 * 2 ** min(known.fruitless, 16):
            return RenderDecision("render", name, "another try after many pages like it")
        return RenderDecision("leave", name, f"{known.gain:.2f} links per request so far")

    def _first(self, name: str, signs: Sequence[str]) -> RenderDecision:
        """Try a new pattern, unless other patterns of the host were tried for nothing."""
        host = name.partition("/")[0]
        tried = [p for n, p in self._patterns.items() if p.renders and n.partition("/")[0] == host]
        fruitless = sum(not pattern.links for pattern in tried)
        trials = HOST_TRIALS * (3 if set(self.strong) & set(signs) else 1)
        if fruitless >= trials and not any(pattern.links for pattern in tried):
            return RenderDecision("leave", name, "rendering other pages here brought nothing")
        return RenderDecision("render", name, "the first page of its kind")

    def clicks(self, name: str) -> bool:
        """Return whether clicking on pages of a pattern may bring something."""
        return self._patterns[name].idle_clicks < TRIALS

    def learn(
        self,
        name: str,
        *,
        links: int,
        requests: int,
        seconds: float,
        clicks: int = 0,
        clicked_links: int = 0,
        templates: Sequence[str] = (),
    ) -> None:
        """Learn from a render.

        Args:
            name: The pattern.
            links: New links that the plain page does not show.
            requests: That the page made.
            seconds: In the browser.
            clicks: Clicks and scrolls.
            clicked_links: Links that only they brought.
            templates: Of the URLs of an API whose answers contain the links, if they do.
        """
        pattern = self._patterns[name]
        pattern.renders += 1
        pattern.links = DECAY * pattern.links + links
        pattern.cost = DECAY * pattern.cost + 1 + requests + SECOND * seconds
        pattern.fruitless = 0 if links else pattern.fruitless + 1
        pattern.left = 0
        if clicks:
            pattern.idle_clicks = 0 if clicked_links else pattern.idle_clicks + 1
        same = bool(templates) and pattern.templates in {(), tuple(templates)}
        pattern.agreeing = pattern.agreeing + 1 if same else int(bool(templates))
        pattern.templates = tuple(templates)

    def followed(self, name: str, *, count: int = 1, useful: int) -> None:
        """Learn the results of links of a rendered page."""
        self._patterns[name].followed += count
        self._patterns[name].useful += useful


def pattern_of(url: str, signs: Sequence[str] = ()) -> str:
    """Name the pages that are like one: host, shape of the URL, signs.

    >>> pattern_of("https://e.org/data/2024/prices.html?page=2")
    'e.org/data/*/*.html?page'
    """
    place = urlsplit(url)
    folder, _, segment = place.path.strip("/").rpartition("/")
    ending = ENDING.search(segment)
    last = f"*{ending[0]}" if ending else "*" if segment else ""
    places = "/".join(filter(None, (NUMBER.sub("*", folder), last)))
    keys = "&".join(sorted({key for key, _ in parse_qsl(place.query, keep_blank_values=True)}))
    shown = f" ({'; '.join(signs)})" if signs else ""
    return f"{place.netloc}/{places}{'?' if keys else ''}{keys}{shown}"


def parts_of(url: str) -> list[str]:
    """Return what may vary in a URL: path segments, last first, query values, and numbers in them.

    >>> parts_of("https://e.org/data/table-7.html?page=2")
    ['table-7', 'data', '2', '7']
    """
    place = urlsplit(url)
    segments = [ENDING.sub("", part) for part in place.path.split("/") if part]
    values = [value for _, value in parse_qsl(place.query) if value]
    parts = [*reversed(segments), *values]
    inside = [number for part in parts if not part.isdigit() for number in NUMBER.findall(part)]
    return [*parts, *inside]


def template_of(api: str, url: str) -> str:
    """Return the URL of an API with the parts of a page's URL left open.

    >>> template_of("https://e.org/api/set/12.json", "https://e.org/sets/12")
    'https://e.org/api/set/{0}.json'
    """
    scheme, slashes, rest = api.partition("//")
    host, slash, path = rest.partition("/")
    path = path.replace("{", "%7B").replace("}", "%7D")
    for index, part in enumerate(parts_of(url)):
        whole = re.compile(rf"(?<![^/?&=.]){re.escape(part)}(?![^/?&=.])")
        path = whole.sub(f"{{{index}}}", path)
    return f"{scheme}{slashes}{host}{slash}{path}"


def templates_of(apis: Sequence[str], url: str) -> tuple[str, ...]:
    """Return templates of the URLs of an API for a page; () unless each depends on the page."""
    found = sorted({template_of(api, url) for api in apis})
    return tuple(found) if len(found) <= MAX_TEMPLATES and all("{" in t for t in found) else ()


def filled(templates: Sequence[str], url: str) -> tuple[str, ...]:
    """Return the URLs of an API for another page; () if a part is missing.

    >>> filled(["https://e.org/api/set/{0}.json"], "https://e.org/sets/13")
    ('https://e.org/api/set/13.json',)
    """
    parts = [quote(part, safe="%") for part in parts_of(url)]
    try:
        return tuple(template.format(*parts) for template in templates)
    except IndexError:
        return ()
