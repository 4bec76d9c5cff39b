"""A target decides what counts as a find."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, Literal, Self

from lodehound.core.errors import ConfigError
from lodehound.core.link import Link
from lodehound.core.listing import is_guess
from lodehound.core.messages import NOT_FOUND, Page, Verdict
from lodehound.core.scope import Scope

PAGE_TYPES = frozenset({"text/html", "application/xhtml+xml"})


class Target(ABC):
    """Decides what counts as a find. Has no state between pages."""

    inspected: ClassVar[bool] = False
    """Whether its finds are files with tables that should be inspected."""

    needs_body: ClassVar[bool] = False
    """Whether it needs the content of pages, not only their types."""

    version: ClassVar[int] = 0
    """Must change when the same page would be judged differently: cached verdicts are then
    recomputed. A change in the target's own module is detected without it."""

    reads: ClassVar[Literal["html", "html+rdf"]] = "html"
    """Whose links are followed: those of pages, or also the URIs in RDF documents."""

    accept: ClassVar[str] = "*/*"
    """The Accept header of requests."""

    policy: ClassVar[str] = "lodehound"
    """The default policy for this target."""

    taught_policy: ClassVar[str] = ""
    """The default policy with ``--weights`` or ``--idf``, if it is another one."""

    scope: ClassVar[Literal["site", "web"]] = "site"
    """The default scope for this target: the site of the start URL, or any
    host."""

    subject: object | None = None
    """The subject of the crawl in words, if there is one: a policy with a parameter of this name
    gets it."""

    @abstractmethod
    def judge(self, page: Page) -> Verdict:
        """Return whether this page is a find, and its value.

        A page from a HEAD has no body: judge it by the other fields.
        """

    def adapt(self, scope: Scope) -> Scope:
        """Return the scope changed to what is wanted.

        A target lets in files that it wants although they are blocked, and blocks files that
        it can find nothing in. Without a change, the scope itself.
        """
        return scope

    @classmethod
    def from_argument(cls, argument: str) -> Self:
        """Create a target from the argument in ``--want NAME:ARGUMENT``."""
        raise ConfigError(f"{cls.__name__} takes no argument, but got {argument!r}.")


def judge_answer(target: Target, page: Page, followed: Link) -> Verdict:
    """Return the target's verdict; an API's answer to a request of ours is no find."""
    of_api = page.listing is not None and not page.listing.own
    # A page may stand in place of an answer, but an error in JSON is no file of the site.
    is_answer = is_guess(followed) and page.mime not in PAGE_TYPES
    return NOT_FOUND if of_api or is_answer else target.judge(page)
