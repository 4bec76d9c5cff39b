"""The exception hierarchy.

* LodehoundError
  x ConfigError         - the user's input cannot be run; exit code 2
    + UnknownNameError  - there is no policy, target or parameter with this name
  x ContractError       - a plug-in broke its contract (a bug in the plug-in)
  x SiteError           - a recorded site or a store cannot be read

A failed request is not an exception: it is an Answer with an error.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Self

NO_THREAD = "can't start new thread"  # the text of a RuntimeError: Python has no class for it
MOST_KNOWN = 30  # names that are all listed; of more, only the nearest
NEAR = 5


class LodehoundError(Exception):
    """Base class of the errors that this package raises on purpose."""

    exit_code = 2  # docs/exit-codes.md


class ConfigError(LodehoundError):
    """The user's input cannot be run."""


class UnknownNameError(ConfigError):
    """There is no policy, target or parameter with this name.

    >>> raise UnknownNameError("policy", "sb-clasifier", ["bfs", "sb-classifier"])
    Traceback (most recent call last):
    lodehound.core.errors.UnknownNameError: There is no policy 'sb-clasifier'. Did you mean 'sb-classifier'?
    """  # noqa: E501 - the message is one line for the user, so it is one line here

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        known = sorted(known)
        super().__init__(f"There is no {kind} {name!r}. {_hint(name, known)}")
        self._made_of = (kind, name, known)

    def __reduce__(self) -> tuple[type[Self], tuple[str, str, list[str]]]:
        """Support pickling, so that another process can raise it."""
        return type(self), self._made_of


def _hint(name: str, known: list[str]) -> str:
    if close := difflib.get_close_matches(name, known, n=1):
        return f"Did you mean {close[0]!r}?"
    if len(known) > MOST_KNOWN:
        near = difflib.get_close_matches(name, known, n=NEAR, cutoff=0.0)
        return f"The nearest: {', '.join(near)}."
    return f"Known: {', '.join(known) or 'none'}."


class ContractError(LodehoundError):
    """A plug-in broke its contract."""


class SiteError(LodehoundError):
    """A recorded site or a store cannot be read."""
