"""Bytes to text, by the character sets that pages really use."""

from __future__ import annotations

from w3lib.encoding import (
    html_body_declared_encoding,
    http_content_type_encoding,
    read_bom,
    to_unicode,
)

# Families of names that are character sets. Python knows others: punycode takes quadratic
# time, base64 and idna are no character sets, utf-7 hides markup.
FAMILIES = ("utf-8", "utf-16", "utf-32", "ascii", "cp", "iso8859", "koi8", "mac", "gb", "big5",
            "shift_jis", "euc_", "iso2022", "hz", "tis", "hp", "ptcp")  # fmt: skip


def is_charset(name: str | None) -> bool:
    """Say whether a name, as w3lib resolves it, is a character set we decode."""
    return name is not None and name.startswith(FAMILIES)


def declared_charset(body: bytes) -> str:
    """Return the character set a page or XML file declares in its own text, or ""."""
    name = html_body_declared_encoding(body)
    return name if name is not None and is_charset(name) else ""


def decode(body: bytes, charset: str = "") -> str:
    """Return a page as text: by byte order mark, then header, then meta, then by a guess.

    Args:
        body: The page as it came.
        charset: What the Content-Type header declared, if it did.
    """
    marked, mark = read_bom(body)
    if marked is not None and mark is not None:
        return to_unicode(body[len(mark) :], marked)
    header = http_content_type_encoding(f"text/html; charset={charset}") if charset else None
    name = header if header is not None and is_charset(header) else declared_charset(body)
    if name.startswith("utf-16"):
        # The mark is missing, and a meta element in ASCII could not be read if this were true
        # (HTML standard, 13.2.3.2).
        name = name if header else "utf-8"
    return to_unicode(body, name or guess(body))


def guess(body: bytes) -> str:
    """Take what is not UTF-8 for Windows-1252, as the WHATWG Encoding standard's default does."""
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"
