"""What a recorded site knows and no crawler can: where everything leads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from lodehound.core.messages import Outcome

Kind = Literal["html", "target", "neither"]


class Truth(Protocol):
    """The answers of a recorded site, for the policies that are told them."""

    def kind(self, url: str) -> Kind:
        """Say what a GET of this URL brings at the end of its redirects."""
        ...

    def targets(self) -> Sequence[str]:
        """Every target that the site's links lead to, in order of discovery."""
        ...

    def first(self, count: int) -> Sequence[Outcome]:
        """Return what a breadth-first crawl learns from the first pages it fetches."""
        ...
