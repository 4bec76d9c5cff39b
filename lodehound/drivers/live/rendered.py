"""What a page in a browser may ask for, and what comes of it. Plain values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from lodehound.core.link import Link
from lodehound.core.lives import Life, State
from lodehound.core.messages import Answer, Page
from lodehound.drivers.live.replies import Reply
from lodehound.learn.render_choice import RenderDecision

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


@dataclass(slots=True, eq=False)
class Load:
    """The pages in the browser that wait for a request, and what takes its reply."""

    jobs: list[RenderJob] = field(default_factory=list)
    dones: list[Done] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class RenderJob:
    """A page that is rendered, or waits for it."""

    life: Life
    answer: Answer
    page: Page
    link: Link  # that led to it
    decision: RenderDecision
    signs: tuple[str, ...]
    clicks: bool = True  # clicks and scrolls may bring something
    asked: int = 0  # requests that it wanted to make
    requests: int = 0  # requests that were made
    size: int = 0  # bytes that they brought
    seconds: float = 0.0  # in the browser, until it left it the last time
    loads: list[Life] = field(default_factory=list)  # the requests that it waits for
    yielded: bool = False  # it left the browser to another crawl while it waited for the budget
    cut_short: bool = False  # it wanted more than the budget of the crawl allowed
    answers: dict[str, Reply] = field(default_factory=dict)  # what it fetched, without scripts

    @property
    def waits(self) -> bool:
        """Return whether the page waits for the budget or politeness, and for nothing else."""
        return bool(self.loads) and all(life.state is not State.SENT for life in self.loads)

    @property
    def is_paused(self) -> bool:
        """Return whether the page waits for the budget, and for nothing else."""
        return bool(self.loads) and all(life.state is State.BUDGET for life in self.loads)
