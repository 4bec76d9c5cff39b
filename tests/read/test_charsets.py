"""Bytes to text, by the character sets that pages really use."""

from __future__ import annotations

import encodings.aliases

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lodehound.read.charsets import (
    MOST_BYTES,
    MOST_TEXT,
    declared_charset,
    decode,
    decode_page,
    guess,
    is_charset,
)
from lodehound.read.links import read_links

TEXT = "<a href=x>ü€</a>"
UTF_8, CP_1252, LATIN_9 = (TEXT.encode(name) for name in ("utf-8", "cp1252", "iso-8859-15"))
META = b"<meta http-equiv=content-type content='text/html; charset=cp1252'>"


@pytest.mark.parametrize(
    ("body", "charset"),
    [
        (UTF_8, ""),
        (UTF_8, "utf-8"),
        (CP_1252, ""),
        (CP_1252, "windows-1252"),
        (CP_1252, "ISO-8859-1"),  # WHATWG: a label of windows-1252
        (TEXT.encode("utf-16"), ""),
        (TEXT.encode("utf-16-le"), "utf-16le"),
        (b"\xef\xbb\xbf" + UTF_8, "iso-8859-1"),
        (b"<meta charset=windows-1252>" + CP_1252, ""),
        (META + CP_1252, ""),
        (b"<meta charset=latin-1>" + UTF_8, "utf-8"),
        (b"<meta charset=utf-16>" + UTF_8, ""),
        (b"<?xml version='1.0' encoding='iso-8859-15'?>" + LATIN_9, ""),
        (UTF_8, "no-such-charset"),
        (b"<meta charset=no-such-charset>" + CP_1252, ""),
        (UTF_8, "base64"),
        (CP_1252, "idna"),
        (b"<meta charset=zlib>" + UTF_8, ""),
        (b"<meta charset=utf-8>" + UTF_8, "punycode"),
    ],
)
def test_character_sets(body: bytes, charset: str) -> None:
    """Byte order mark, then header, then meta, then UTF-8 if it is that, else Windows-1252."""
    assert TEXT in decode(body, charset)


@pytest.mark.parametrize(
    "charset", ["utf-8", "ascii", "undefined", "punycode", "utf-7", "\x00", "a" * 9999]
)
def test_bytes_that_are_not_what_the_header_says(charset: str) -> None:
    """A wrong declaration spoils words, never addresses."""
    links = read_links(b"<a href=/x>\xff\xfe\x81</a>", url="https://e.org/", charset=charset).links

    assert [link.url for link in links] == ["https://e.org/x"]


NAMES = sorted(set(encodings.aliases.aliases) | set(encodings.aliases.aliases.values()))


@given(st.binary(max_size=60), st.sampled_from(["", *NAMES]))
def test_any_bytes_are_text(body: bytes, charset: str) -> None:
    """No bytes and no name that Python knows make decoding fail."""
    assert isinstance(decode(body, charset), str)


def test_every_name_python_knows() -> None:
    """Declared in the header or in the page, with bytes that are wrong in most of them."""
    body = b"\x80 <\xa4> \x1b$B~\\ud800 +2AA-"

    for charset in NAMES:
        assert isinstance(decode(body, charset), str)
        assert isinstance(decode(b"<meta charset=%s>" % charset.encode() + body), str)


@pytest.mark.parametrize(
    "name", ["base64", "idna", "punycode", "utf-7", "rot13", "hex", "undefined", None]
)
def test_what_is_no_character_set(name: str | None) -> None:
    """Names of Python's that no page means."""
    assert not is_charset(name)


def test_what_a_page_declares() -> None:
    """A name we decode, or nothing."""
    bodies = [b"<meta charset=koi8-r>", b"<meta charset=idna>", b"<p>"]

    assert [declared_charset(body) for body in bodies] == ["koi8-r", "", ""]


def test_a_guess() -> None:
    """UTF-8 where it can be, else what the WHATWG Encoding standard falls back to."""
    assert [guess(body) for body in (b"", "ü".encode(), "ü".encode("cp1252"))] == [
        "utf-8",
        "utf-8",
        "cp1252",
    ]


def test_countless_zeros_are_left_out_of_a_page() -> None:
    assert decode_page(b"<a>\0</a>") == ("<a>\0</a>", True)
    assert decode_page(b"<a>" + b"\0" * 200_000 + b"</a>") == ("<a></a>", True)


def test_a_long_page_is_read_as_far_as_its_memory_is_bounded() -> None:
    """In bytes as received, in UTF-8, and as Python keeps it: one wide character widens all."""
    ascii_text, whole = decode_page(b"a" * (MOST_BYTES + 1))
    wide_text, wide_whole = decode_page("🌍".encode() + b"a" * (MOST_BYTES - 4))
    euros, euros_whole = decode_page(b"\x80" * MOST_BYTES)

    assert (len(ascii_text), whole) == (MOST_BYTES, False)
    assert (wide_text[0], wide_whole) == ("🌍", False)
    assert wide_text.__sizeof__() <= MOST_TEXT + 100
    assert (set(euros), len(euros), euros_whole) == ({"€"}, MOST_BYTES // 3, False)


def test_a_character_that_the_limit_cuts_is_left_out() -> None:
    text, whole = decode_page(b"a" * (MOST_BYTES - 1) + "é".encode())
    assert (len(text), set(text), whole) == (MOST_BYTES - 1, {"a"}, False)


@pytest.mark.parametrize("name", ["cp1252", "gb18030", "iso8859-6", "utf-16-be"])
def test_what_follows_countless_wrong_bytes_is_left_out(name: str) -> None:
    """Python calls a function for each: 25 MB took four seconds."""
    wrong = {"cp1252": b"\x81", "utf-16-be": b"\xd8\0"}.get(name, b"\xff")
    body = "é".encode(name, "replace") + wrong * 5_000_000 + "<a>".encode(name)
    text = decode(body, name)
    assert (text.strip("é?"), len(text) < 3_000_000) == ("\ufffd" * len(text.strip("é?")), True)


@pytest.mark.parametrize("name", ["cp1252", "gb18030", "euc-jp", "utf-16-le", "iso-2022-jp"])
def test_long_pages_are_decoded_as_short_ones(name: str) -> None:
    """Pieces may end within a character."""
    text = "x" + "é" * 2_000_000 if name == "cp1252" else "x" + "日本" * 1_000_000
    assert decode(text.encode(name), name) == text
