"""What goes out of the crawl and what comes back. Plain values, no behaviour.

driver -> Crawl.next()                -> Ask | WAIT | Stop
driver -> Crawl.read(Answer)          -> Page
driver -> Crawl.receive(Answer, Page) -> Step
Crawl  -> Policy.choose()             -> Choice | None
Crawl  -> Policy.learn(Outcome)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Literal

from lodehound.core.link import Link

Method = Literal["GET", "HEAD"]


class Wait(Enum):
    """Nothing to ask for now, but answers are on their way or hosts are asleep."""

    WAIT = "WAIT"


WAIT = Wait.WAIT


@dataclass(frozen=True, slots=True)
class Choice:
    """One decision of a policy, with the odds it gave and the reason it had."""

    link: Link
    method: Method = "GET"
    probability: float = 1.0
    why: str = ""
    group: str = ""  # name of the crawl group that the link was chosen from, if there is one


@dataclass(frozen=True, slots=True)
class Ask:
    """One HTTP request the driver must make. Every Ask costs one request."""

    number: int
    url: str
    method: Method = "GET"
    source: str = ""  # the page that showed the link: an honest Referer


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back for one Ask. A network failure is status 0 and an error."""

    ask: Ask
    status: int
    mime: str = ""  # bare type in lower case, no parameters
    body: bytes = b""
    size: int = 0  # bytes of the content, whether or not ``body`` holds all of them
    location: str = ""  # as sent, not yet resolved
    charset: str = ""  # as declared in the header
    error: str = ""
    cut: bool = False  # the content was longer than we were ready to take
    tries: int = 1  # requests it took
    sent: bool = True  # False: the driver did not ask (robots.txt); nothing is charged
    headers: Mapping[str, str] = field(default_factory=dict)  # of the response; lower-case names


@dataclass(frozen=True, slots=True)
class Page:
    """An answer that was read: what it is and where it points."""

    url: str
    method: Method
    status: int
    mime: str
    body: bytes = b""
    links: tuple[Link, ...] = ()
    moved: str = ""  # where the page itself sends its readers (meta refresh)
    charset: str = ""  # as declared in the header
    title: str = ""
    needs_script: bool = False  # it shows no link, and a browser might add some

    @property
    def ok(self) -> bool:
        return 200 <= self.status < 300


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a target kind says of one page.

    A verdict on a HEAD says what a GET would bring; only a GET is counted.
    ``details`` is whatever else the target knows of the page, as JSON: it goes to
    the policy with the outcome and to the catalogue with the find.
    """

    found: bool
    value: float = 0.0
    label: str = ""
    details: str = ""


NOT_FOUND = Verdict(found=False)


@dataclass(frozen=True, slots=True)
class YieldEstimate:
    """What a policy expects still to be found, with the interval it gives nine chances in ten."""

    left: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """Everything a policy may learn from: exactly one per Choice, plus one for the start.

    ``links`` are the URLs never offered before, one sighting each. ``again``
    are sightings of URLs that were offered earlier, on this page or on others,
    asked for or not.
    """

    choice: Choice | None  # None: the start URLs
    url: str  # where the redirects ended
    status: int
    mime: str
    verdict: Verdict
    links: tuple[Link, ...]
    again: tuple[Link, ...] = ()
    size: int = 0

    @property
    def is_html(self) -> bool:
        return 200 <= self.status < 300 and "html" in self.mime


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the ledger: one request and what came of it."""

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


@dataclass(frozen=True, slots=True)
class Group:
    """Links that a policy takes for alike, and what it knows of them; for explanations."""

    name: str
    score: float  # what the policy ranks it by
    visits: int
    finds: float  # what its visits brought, as the policy counts it
    waiting: int  # links that could be chosen
    example: str  # URL of one of its links


# Why a crawl ended. "exhausted" means the task ended; the others, that it was cut short.
StopReason = Literal[
    "exhausted", "requests", "bytes", "seconds", "finds", "early-stop", "unreachable"
]


@dataclass(frozen=True, slots=True)
class Stop:
    """The crawl asks for nothing more, and why."""

    reason: StopReason
    detail: str = ""
