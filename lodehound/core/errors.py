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
import re
from collections.abc import Collection, Iterable
from typing import Self

NO_THREAD = "can't start new thread"  # the text of a RuntimeError: Python has no class for it
MOST_KNOWN = 30  # names that are all listed; of more, only the nearest
NEAR = 5
LONGEST_TEXT = 200  # characters of another library's message
HIDDEN = "***"
# What a URL may be within, up to its query.
WORD = re.compile(r"""[^\s'"<>?#]+""")
PASSWORD = re.compile(r"[^:@]*:(?!\d*$)[^@]*$")  # one that is cut off


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


def text_of(error: BaseException, secrets: Collection[str] = ()) -> str:
    """Return what another library says of an error, to be stored or shown.

    It is one line of bounded length, and holds no credentials.

    Args:
        error: What was raised.
        secrets: Texts that must not be repeated.
    """
    text = without_secrets(" ".join(str(error).split()), secrets)
    return text[:LONGEST_TEXT] or type(error).__name__


def without_secrets(text: str, secrets: Collection[str] = ()) -> str:
    """Return a text without secrets, and its URLs without user names and passwords.

    >>> without_secrets("407 from http://me:secret@proxy.example:8080, not secret", ["secret"])
    '407 from http://***@proxy.example:8080, not ***'
    """
    text = WORD.sub(_without_userinfo, text)
    longest_first = sorted(filter(None, secrets), key=len, reverse=True)
    for secret in longest_first:
        text = text.replace(secret, HIDDEN)
    return text


def _without_userinfo(word: re.Match[str]) -> str:
    before, slashes, after = word[0].partition("//")
    authority = after.partition("/")[0]
    # A password may hold "/"; a port is none, and "@" may stand in a path.
    end = after.rfind("@") if PASSWORD.match(authority) else authority.rfind("@")
    return f"{before}{slashes}{HIDDEN}{after[end:]}" if end >= 0 else word[0]


def reason_of(error: Exception) -> str:
    """Return what is wrong in words, without the number and the file that the system adds."""
    return getattr(error, "strerror", None) or str(error)
