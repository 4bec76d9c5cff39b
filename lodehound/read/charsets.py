"""Decodes bytes to text with the character sets that pages use."""

from __future__ import annotations

import codecs

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

MOST_BYTES = 60_000_000  # of a page that are parsed, as received and in UTF-8
WRONG = "\ufffd"
MOST_NULS = 100_000  # characters that the parser may get
MOST_TEXT = 100_000_000  # bytes of memory that the text of a page takes
MOST_WRONG = 1_000_000  # characters that are none in their character set: each takes a call
PIECE = 1 << 20  # bytes that are decoded together


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
        return _decoded(body[len(mark) :], marked)
    header = http_content_type_encoding(f"text/html; charset={charset}") if charset else None
    name = header if header is not None and is_charset(header) else declared_charset(body)
    if name.startswith("utf-16"):
        # There is no byte order mark, and a meta element that is readable as ASCII cannot be in
        # UTF-16 (HTML standard, 13.2.3.2).
        name = name if header else "utf-8"
    return _decoded(body, name or guess(body))


def _decoded(body: bytes, name: str) -> str:
    """Decode a page; what follows too many wrong bytes is left out."""
    if len(body) <= MOST_WRONG or name == "utf-8":  # of this Python needs no call for them
        return to_unicode(body, name)
    errors = "w3lib_gb18030_replace" if "18030" in name else "replace"
    decoder = codecs.getincrementaldecoder(name)(errors)
    parts, wrong = list[str](), 0
    for start in range(0, len(body), PIECE):
        end = start + PIECE
        parts.append(decoder.decode(body[start:end], end >= len(body)))
        wrong += parts[-1].count(WRONG)
        if wrong > MOST_WRONG:
            break
    return "".join(parts)


def guess(body: bytes) -> str:
    """Decode text that is not UTF-8 as Windows-1252, the default of the Encoding standard."""
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def decode_page(body: bytes, charset: str = "") -> tuple[str, bool]:
    """Return as much of a page as text as a parser may get, and whether that is all of it.

    The parser takes three times the length of a text in UTF-8, and eighteen times that of NUL
    characters: they are left out of a page that has very many.
    """
    text = decode(body[:MOST_BYTES], charset)
    whole = len(body) <= MOST_BYTES
    if not whole:  # a character may be cut in two
        text = text.removesuffix(WRONG)
    if text.count("\0") > MOST_NULS:
        text = text.replace("\0", "")
    if len(text) <= MOST_BYTES // 4:
        return text, whole
    # One character beyond U+FFFF makes every other take four bytes.
    most = MOST_TEXT * len(text) // text.__sizeof__()
    text, whole = text[:most], whole and len(text) <= most
    if not text.isascii():
        packed = text.encode("utf-8", "replace")
        if len(packed) > MOST_BYTES:
            return packed[:MOST_BYTES].decode("utf-8", "ignore"), False
    return text, whole
