"""Writes names and commands so that a terminal shows them and a shell takes them."""

from __future__ import annotations

import shlex
import unicodedata
from collections.abc import Iterable

# Control and format characters, private and unassigned ones, line separators. Lone surrogates
# stand for the bytes of a file's name that are no text.
ORDERS = frozenset(["Cc", "Cf", "Co", "Cn", "Zl", "Zp"])


def quoted(name: object) -> str:
    r"""Return a name as a word for a shell; what is not printable is escaped.

    >>> print(quoted("finds"), quoted("my finds"), quoted("a\x1b[31m'b\udcff"))
    finds 'my finds' $'a\x1b[31m\'b\xff'
    """
    text = str(name)
    if text.isprintable():
        return shlex.quote(text)
    return "$'" + "".join(map(_escaped, text)) + "'"


def shown(name: object) -> str:
    r"""Return a name as it is, or quoted if a terminal could take it for an order.

    >>> print(shown("my finds"), shown("a\nb"))
    my finds $'a\x0ab'
    """
    text = str(name)
    return text if text.isprintable() else quoted(text)


def visible(text: str) -> str:
    r"""Return a text without what a terminal obeys; line breaks and tabs stay.

    >>> visible("red \x1b[31m\u202e\nnext")
    'red �[31m�\nnext'
    """
    if text.isprintable():
        return text
    return "".join(
        "\ufffd" if unicodedata.category(sign) in ORDERS and sign not in "\n\t" else sign
        for sign in text
    )


def joined(words: Iterable[str]) -> str:
    """Return a command."""
    return " ".join(map(quoted, words))


def _escaped(sign: str) -> str:
    if sign in "\\'":
        return f"\\{sign}"
    if sign.isprintable():
        return sign
    escaped_byte = "\udc80" <= sign <= "\udcff"  # of a file's name that is no text
    encoded = sign.encode("utf-8", "surrogateescape" if escaped_byte else "surrogatepass")
    return "".join(f"\\x{byte:02x}" for byte in encoded)
