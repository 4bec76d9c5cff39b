"""The messages between driver, crawl and policy. Plain values without behaviour.

driver -> Crawl.next()                -> Ask | WAIT | Stop
driver -> Crawl.read(Answer)          -> Page
driver -> Crawl.receive(Answer, Page) -> Step
Crawl  -> Policy.choose()             -> Choice | None
Crawl  -> Policy.learn(Outcome)
Crawl  -> Policy.pick(), take(Choice)    when an earlier run is repeated
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Literal

from lodehound.core.caption import Caption
from lodehound.core.link import Link
from lodehound.core.listing import Listing

Method = Literal["GET", "HEAD"]

# An answer compared with what earlier rounds know about its URL.
# new: it did not exist before; changed: a page has other links or another text, or a file has
# other bytes; same: as before, or still gone; gone: 404 or 410; failed: no usable answer.
Change = Literal["new", "changed", "same", "gone", "failed"]


class Wait(Enum):
    """Nothing to request now, but answers are pending or hosts are asleep."""

    WAIT = "WAIT"


WAIT = Wait.WAIT


@dataclass(frozen=True, slots=True)
class Choice:
    """One decision of a policy, with its probability and its reason."""

    link: Link
    method: Method = "GET"
    probability: float = 1.0
    why: str = ""
    group: str = ""  # name of the crawl group that the link was chosen from, if there is one

    @property
    def request(self) -> tuple[str, str]:
        """Method and URL, which are never asked for twice."""
        return self.method, self.link.url


@dataclass(frozen=True, slots=True)
class Ask:
    """One HTTP request that the driver must make. Every Ask costs one request."""

    number: int
    url: str
    method: Method = "GET"
    source: str = ""  # the page that contains the link: used as the Referer
    etag: str = ""  # of the known version: sent as If-None-Match
    modified: str = ""  # Last-Modified of the known version: sent as If-Modified-Since


# The header that holds a Content-Encoding which was declared and not used.
IGNORED_ENCODING = "x-lodehound-ignored-encoding"


@dataclass(frozen=True, slots=True)
class Answer:
    """The response to one Ask. A network failure has status 0 and an error."""

    ask: Ask
    status: int
    mime: str = ""  # bare type in lower case, no parameters
    body: bytes = b""
    size: int = 0  # bytes of the content, even if ``body`` does not contain all of them
    location: str = ""  # as sent, not yet resolved
    charset: str = ""  # as declared in the header
    error: str = ""
    cut: bool = False  # the content was longer than the limit
    tries: int = 1  # number of requests it took
    sent: bool = True  # False: the driver did not make the request (robots.txt); nothing is charged
    headers: Mapping[str, str] = field(default_factory=dict)  # of the response; lower-case names


@dataclass(frozen=True, slots=True)
class Page:
    """An answer that was read: its type, its links and its content."""

    url: str
    method: Method
    status: int
    mime: str
    body: bytes = b""
    links: tuple[Link, ...] = ()
    moved: str = ""  # target of a redirect in the page itself (meta refresh)
    charset: str = ""  # as declared in the header
    title: str = ""
    needs_script: bool = False  # it shows nothing, but a browser might
    digest: str = ""  # identity of the content: of a page, its links and text; "" if unknown
    listing: Listing | None = None  # what an API lists, if this is an answer of one
    cut: bool = False  # it has more links than were read
    filename: str = ""  # as the server proposes it (Content-Disposition)
    captions: Mapping[str, Caption] = field(default_factory=dict)  # of links, by URL

    @property
    def ok(self) -> bool:
        return 200 <= self.status < 300


@dataclass(frozen=True, slots=True)
class Verdict:
    """The decision of a target on one page.

    A verdict on a HEAD predicts the result of a GET; only a GET counts. ``details`` are
    further facts about the page as JSON: the policy gets them with the outcome, and the
    catalogue with the find.
    """

    found: bool
    value: float = 0.0
    label: str = ""
    details: str = ""


NOT_FOUND = Verdict(found=False)


SOON = 500  # requests


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a policy knows of the links that wait: forecasts are made from it."""

    waiting: int  # links
    files: float  # finds among those that are expected to be one
    soon: float  # finds of the next SOON requests


@dataclass(frozen=True, slots=True)
class YieldEstimate:
    """The number of finds that a policy still expects, with a 90 % interval.

    With evidence, the estimate is only a fact among others that forecasts are made from.
    """

    left: float
    low: float
    high: float
    evidence: Evidence | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """Everything a policy can learn from: exactly one per Choice, and one for the start.

    ``links`` are URLs that were never offered before, one sighting each. ``again``
    are sightings of URLs that were offered before, on this page or others, whether
    requested or not.
    """

    choice: Choice | None  # None: the start URLs
    url: str  # the URL after redirects
    status: int
    mime: str
    verdict: Verdict
    links: tuple[Link, ...]
    again: tuple[Link, ...] = ()
    size: int = 0
    change: Change = "new"

    @property
    def is_html(self) -> bool:
        return 200 <= self.status < 300 and "html" in self.mime


def offer_of(links: tuple[Link, ...], again: tuple[Link, ...] = ()) -> Outcome:
    """Return the outcome of no choice: links of start URLs, lists or long pages."""
    return Outcome(None, "", 0, "", NOT_FOUND, links, again)


@dataclass(frozen=True, slots=True)
class Step:
    """One request and its result."""

    number: int
    url: str
    method: Method
    source: str
    depth: int
    why: str
    probability: float
    status: int
    mime: str
    size: int
    found: bool
    value: float
    label: str
    new_links: int
    error: str = ""
    cut: bool = False
    details: str = ""
    change: Change = "new"


def step_of(  # noqa: PLR0917 - what a step is made of
    choice: Choice,
    answer: Answer,
    mime: str,
    verdict: Verdict,
    new_links: int,
    change: Change,
    *,
    found: bool,
) -> Step:
    """Return the step of an answered request; ``found``: it counts as a find of this round."""
    return Step(
        number=answer.ask.number,
        url=answer.ask.url,
        method=answer.ask.method,
        source=choice.link.source,
        depth=choice.link.depth,
        why=choice.why,
        probability=choice.probability,
        status=answer.status,
        mime=mime,
        size=answer.size,
        found=found,
        value=verdict.value if found else 0.0,
        label=verdict.label,
        new_links=new_links,
        error=answer.error,
        cut=answer.cut,
        details=verdict.details,
        change=change,
    )


@dataclass(frozen=True, slots=True)
class Group:
    """Links that a policy treats as similar, and what it knows about them; for explanations."""

    name: str
    score: float  # the policy ranks groups by this
    visits: int
    finds: float  # results of its visits, as the policy counts them
    waiting: int  # links that can be chosen
    example: str  # URL of one of its links


# Why a crawl ended. "exhausted" means that nothing was left; the others mean that it was stopped.
StopReason = Literal[
    "exhausted", "requests", "bytes", "seconds", "finds", "early-stop", "unreachable"
]


@dataclass(frozen=True, slots=True)
class Stop:
    """The crawl makes no more requests, and why."""

    reason: StopReason
    detail: str = ""
