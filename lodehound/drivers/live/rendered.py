"""What a page in a browser may ask for, and what comes of it. Plain values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from lodehound.core.link import Link
from lodehound.core.messages import Answer, Page
from lodehound.drivers.live.tasks import Reply
from lodehound.learn.rendering import RenderDecision

Done = Callable[[Reply], None]


@dataclass(frozen=True, slots=True)
class DocumentState:
    """The document of a page at one moment."""

    url: str  # of the document: a script may have changed it
    html: str
    clicked: bool = False  # it was taken after a click or a scroll


@dataclass(frozen=True, slots=True)
class Rendered:
    """What a browser made of a page. An error and no snapshot: nothing."""

    snapshots: tuple[DocumentState, ...] = ()
    places: tuple[str, ...] = ()  # URLs that a script or a click wanted to go to
    seconds: float = 0.0  # without waiting for politeness
    clicks: int = 0  # clicks and scrolls
    error: str = ""


@dataclass(slots=True)
class RenderJob:
    """A page that is rendered, or waits for it."""

    answer: Answer
    page: Page
    link: Link  # that led to it
    decision: RenderDecision
    signs: tuple[str, ...]
    clicks: bool = True  # clicks and scrolls may bring something
    asked: int = 0  # requests that it wanted to make
    requests: int = 0  # requests that were made
    size: int = 0  # bytes that they brought
    queued: int = 0  # requests that wait for politeness
    flying: int = 0  # requests without an answer
    cut_short: bool = False  # it wanted more than the budget of the crawl allowed
    answers: dict[str, Reply] = field(default_factory=dict)  # what it fetched, without scripts

    @property
    def waits(self) -> bool:
        """Say whether the page waits for politeness, and for nothing else."""
        return self.queued > 0 and not self.flying
