"""The contents of a recorded site, which no live crawler can know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from lodehound.core.messages import Outcome

Kind = Literal["html", "target", "neither"]


class Truth(Protocol):
    """The contents of a recorded site, for policies that may use them."""

    def kind(self, url: str) -> Kind:
        """Return what a GET of this URL leads to, after redirects."""
        ...

    def targets(self) -> Sequence[str]:
        """Every target that can be reached on the site, in order of discovery."""
        ...

    def first(self, count: int) -> Sequence[Outcome]:
        """Return what a breadth-first crawl learns from the first pages it fetches."""
        ...
