"""A target kind says what counts as found."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, Literal, Self

from lodehound.core.errors import ConfigError
from lodehound.core.messages import Page, Verdict
from lodehound.core.scope import Scope


class Target(ABC):
    """Says what counts as a find. Keeps no state between pages."""

    inspected: ClassVar[bool] = False
    """Its finds are files whose tables and rows are worth knowing."""

    needs_body: ClassVar[bool] = False
    """It looks into the content of pages, not only at their types."""

    version: ClassVar[int] = 0
    """Changes whenever the same page would be judged otherwise: kept verdicts are made anew then.
    A change in the target's own file is noticed without it."""

    reads: ClassVar[Literal["html", "html+rdf"]] = "html"
    """Whose links are followed: those of pages, or also the URIs in RDF documents."""

    accept: ClassVar[str] = "*/*"
    """What servers are asked for, as in an Accept header."""

    policy: ClassVar[str] = "lodehound"
    """What to look for it with, unless the user says otherwise."""

    scope: ClassVar[Literal["site", "web"]] = "site"
    """Where to look for it, unless the user says otherwise: on the site of the start URL, or on
    any host reached."""

    subject: object | None = None
    """What is looked for, in words, where that can be said: a policy with a parameter of this
    name gets it."""

    @abstractmethod
    def judge(self, page: Page) -> Verdict:
        """Say whether this page is a find, and what it is worth.

        A page read by HEAD has no body: judge it by what is there.
        """

    def widen(self, scope: Scope) -> Scope:
        """Let in what would be blocked although it is wanted; nothing, unless it says so."""
        return scope

    @classmethod
    def from_argument(cls, argument: str) -> Self:
        """Make one from what stands behind the name in ``--want NAME:ARGUMENT``."""
        raise ConfigError(f"{cls.__name__} takes no argument, but was given {argument!r}.")
