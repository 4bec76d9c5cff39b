"""A target kind says what counts as found."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Self

from lodehound.core.errors import ConfigError
from lodehound.core.messages import Page, Verdict


class Target(ABC):
    """Says what counts as a find. Keeps no state between pages."""

    @abstractmethod
    def judge(self, page: Page) -> Verdict:
        """Say whether this page is a find, and what it is worth.

        A page read by HEAD has no body: judge it by what is there.
        """

    @classmethod
    def from_argument(cls, argument: str) -> Self:
        """Make one from what stands behind the name in ``--want NAME:ARGUMENT``."""
        raise ConfigError(f"{cls.__name__} takes no argument, but was given {argument!r}.")
