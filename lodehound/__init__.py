"""Lodehound: a focused crawler that learns where the data is.

The names below are public; everything else may change.
"""

from typing import TYPE_CHECKING, Any

from lodehound.core.crawl import Crawl
from lodehound.core.errors import ConfigError, ContractError, LodehoundError, SiteError
from lodehound.core.link import Link
from lodehound.core.messages import (
    WAIT,
    Answer,
    Ask,
    Choice,
    Outcome,
    Page,
    Step,
    Stop,
    Verdict,
)
from lodehound.core.policy import Policy, ResumablePolicy
from lodehound.core.scope import Scope
from lodehound.core.stop import Budget, EarlyStop, StopRule
from lodehound.core.target import Target
from lodehound.core.truth import Truth
from lodehound.version import VERSION

if TYPE_CHECKING:
    from lodehound.api import CrawlRun, crawl
    from lodehound.saved import Find, SavedCrawl

    open = SavedCrawl.open  # noqa: A001 - lodehound.open(directory)

__version__ = VERSION

__all__ = [
    "WAIT",
    "Answer",
    "Ask",
    "Budget",
    "Choice",
    "ConfigError",
    "ContractError",
    "Crawl",
    "CrawlRun",
    "EarlyStop",
    "Find",
    "Link",
    "LodehoundError",
    "Outcome",
    "Page",
    "Policy",
    "ResumablePolicy",
    "SavedCrawl",
    "Scope",
    "SiteError",
    "Step",
    "Stop",
    "StopRule",
    "Target",
    "Truth",
    "Verdict",
    "__version__",
    "crawl",
    "open",
]


def __getattr__(name: str) -> Any:
    """Import what crawls when it is used: plug-ins and the command line start faster without."""
    if name in {"CrawlRun", "crawl"}:
        from lodehound import api  # noqa: PLC0415

        return getattr(api, name)
    if name in {"Find", "SavedCrawl", "open"}:
        from lodehound import saved  # noqa: PLC0415

        return saved.SavedCrawl.open if name == "open" else getattr(saved, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
