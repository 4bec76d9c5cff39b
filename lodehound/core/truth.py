"""What a recorded site knows and no crawler can: where everything leads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

Kind = Literal["html", "target", "neither"]


class Truth(Protocol):
    """The answers of a recorded site, for the policies that are told them."""

    def kind(self, url: str) -> Kind:
        """Say what a GET of this URL brings at the end of its redirects."""
        ...

    def targets(self) -> Sequence[str]:
        """Every target that the site's links lead to, in order of discovery."""
        ...
