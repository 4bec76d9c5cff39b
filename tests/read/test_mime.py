"""What a response says it is."""

from __future__ import annotations

import pytest

from lodehound.read.mime import is_html, split_content_type


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
