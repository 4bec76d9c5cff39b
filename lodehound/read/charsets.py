"""Decodes bytes to text with the character sets that pages use."""

from __future__ import annotations

from w3lib.encoding import (
    html_body_declared_encoding,
    http_content_type_encoding,
    read_bom,
    to_unicode,
)

# Name prefixes of character sets. Python has other codecs: punycode takes quadratic time, base64
# and idna are not character sets, utf-7 hides markup.
FAMILIES = ("utf-8", "utf-16", "utf-32", "ascii", "cp", "iso8859", "koi8", "mac", "gb", "big5",
            "shift_jis", "euc_", "iso2022", "hz", "tis", "hp", "ptcp")  # fmt: skip


def is_charset(name: str | None) -> bool:
    """Return whether a name, as w3lib resolves it, is a character set that we decode."""
    return name is not None and name.startswith(FAMILIES)


def declared_charset(body: bytes) -> str:
    """Return the character set that a page or XML file declares in its own text, or ""."""
    name = html_body_declared_encoding(body)
    return name if name is not None and is_charset(name) else ""


def decode(body: bytes, charset: str = "") -> str:
    """Return a page as text: by byte order mark, then header, then meta element, then a guess.

    Args:
        body: The page as received.
        charset: The character set in the Content-Type header, if any.
    """
    marked, mark = read_bom(body)
    if marked is not None and mark is not None:
        return to_unicode(body[len(mark) :], marked)
    header = http_content_type_encoding(f"text/html; charset={charset}") if charset else None
    name = header if header is not None and is_charset(header) else declared_charset(body)
    if name.startswith("utf-16"):
        # There is no byte order mark, and a meta element that is readable as ASCII cannot be in
        # UTF-16 (HTML standard, 13.2.3.2).
        name = name if header else "utf-8"
    return to_unicode(body, name or guess(body))


def guess(body: bytes) -> str:
    """Decode text that is not UTF-8 as Windows-1252, the default of the Encoding standard."""
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"
