"""What a response says it is."""

from __future__ import annotations

import pytest

from lodehound.read.mime import is_html, judge_mime, split_content_type


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("text/html", ("text/html", "")),
        ("TEXT/CSV", ("text/csv", "")),
        (" text/html ; Charset = utf-8 ", ("text/html", "utf-8")),
        ("text/html;charset='latin-1'", ("text/html", "latin-1")),
        ('text/html; charset="utf-8"; x=y', ("text/html", "utf-8")),
        ("text/html; charset=first; charset=second", ("text/html", "first")),
        ("text/html; charset", ("text/html", "")),
        ("text/html; charset=", ("text/html", "")),
        ("application/csv;header=present", ("application/csv", "")),
        (";charset=utf-8", ("", "utf-8")),
        ("", ("", "")),
        (";;;", ("", "")),
    ],
)
def test_content_types(header: str, expected: tuple[str, str]) -> None:
    """The bare type in lower case, and the first charset."""
    assert split_content_type(header) == expected


@pytest.mark.parametrize(
    ("mime", "expected"),
    [
        ("text/html", True),
        ("application/xhtml+xml", True),
        ("application/vnd.wap.xhtml+xml", True),
        ("text/plain", False),
        ("application/xml", False),
        ("", False),
    ],
)
def test_what_is_html(mime: str, expected: bool) -> None:
    """Algorithm 4: whatever has html in its type."""
    assert is_html(mime) is expected


PAGE = b"<!DOCTYPE html><title>Not found</title>"


@pytest.mark.parametrize(
    ("declared", "body", "mime"),
    [
        ("text/csv", b"", "text/csv"),
        ("text/csv", b"a,b\n1,2\n", "text/csv"),
        ("text/html", PAGE, "text/html"),
        # A file sent as a page, or as nothing.
        ("text/html", b"%PDF-1.7", "application/pdf"),
        ("", b"PK\x03\x04", "application/zip"),
        ("", b"\x1f\x8b\x08", "application/x-gzip"),
        ("text/html", b"\x89PNG\r\n\x1a\n", "image/png"),
        (
            "application/vnd.oasis.opendocument.text",
            b"PK\x03\x04",
            "application/vnd.oasis.opendocument.text",
        ),
        # A page sent as a file.
        ("application/pdf", PAGE, "text/html"),
        ("application/octet-stream", b"\xef\xbb\xbf \n<HTML>", "text/html"),
        ("text/csv", b"<!-- a --> <!-- b --><body>", "text/html"),
        ("", b"<?xml version='1.0'?><html xmlns='x'>", "text/html"),
        ("text/plain", PAGE, "text/plain"),
        ("application/xml", b"<?xml version='1.0'?><html>", "application/xml"),
        ("application/pdf", b"<!-- never closed <html>", "application/pdf"),
        # A table sent as a page.
        ("text/html", b"a;b\n1;2\n3;4\n5", "text/csv"),
        ("text/html", b"a,b\n1,2\n3,4\n", "text/csv"),
        ("text/html", b"a,b\n1,2\n3,4", "text/csv"),
        ("text/html", b"a\tb\n\n1\t2\n3\t4\n", "text/csv"),
        ("text/html", b"a,b\n1,2\n", "text/html"),
        ("text/html", b"a,b\n1,2,3\n4,5\n6,7\n", "text/html"),
        ("text/html", b"some words\nand more\nand more\nand more\n", "text/html"),
        ("text/html", b"a,<b>\n1,2\n3,4\n5,6\n", "text/html"),
    ],
)
def test_types_by_content(declared: str, body: bytes, mime: str) -> None:
    """The header counts, unless the content says clearly that it is something else."""
    assert judge_mime(declared, body) == mime
