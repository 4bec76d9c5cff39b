"""The parts of URLs."""

from __future__ import annotations

import pytest

from lodehound.learn.url_parts import ending_of, split_url


@pytest.mark.parametrize(
    ("url", "parts"),
    [
        ("https://e.org/", ("e.org", "", "")),
        ("https://e.org/a", ("e.org", "a", "")),
        ("https://e.org/a/", ("e.org", "a", "")),
        ("https://e.org/a/b.csv?x=1&y=2", ("e.org/a", "b.csv", "x=1&y=2")),
        ("https://e.org/a/?x=/b/c", ("e.org", "a", "x=/b/c")),
    ],
)
def test_a_slash_at_the_end_makes_no_difference(url: str, parts: tuple[str, str, str]) -> None:
    """Clean URLs end with a slash or not; either way the last segment is the page's name."""
    assert split_url(url) == parts


@pytest.mark.parametrize(
    ("segment", "ending"),
    [("a.CSV", "csv"), ("a.tar.gz", "gz"), (".hidden", ""), ("v1.", ""), ("a.b c", ""), ("", "")],
)
def test_endings(segment: str, ending: str) -> None:
    assert ending_of(segment) == ending
