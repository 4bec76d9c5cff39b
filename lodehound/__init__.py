"""Lodehound: a focused crawler that learns where the data is.

The names below are public; everything else may change.
"""

from lodehound.api import Find, crawl
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
from lodehound.core.policy import Policy
from lodehound.core.scope import Scope
from lodehound.core.stop import Budget, EarlyStop, StopRule
from lodehound.core.target import Target
from lodehound.core.truth import Truth
from lodehound.version import VERSION

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
    "EarlyStop",
    "Find",
    "Link",
    "LodehoundError",
    "Outcome",
    "Page",
    "Policy",
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
]
