"""Where an answer leads."""

from __future__ import annotations

import pytest

from lodehound.core.link import Link
from lodehound.core.messages import Answer, Ask, Page
from lodehound.drivers.live.replies import links_of

ROOT = "https://s.example/"


@pytest.mark.parametrize(
    ("status", "moved", "to"),
    [
        (299, "", []),
        (300, "", [ROOT + "there"]),
        (399, "", [ROOT + "there"]),
        (400, "", []),
        (200, "/meta", [ROOT + "meta"]),
        (301, "/meta", [ROOT + "there"]),
    ],
)
def test_a_redirect_is_a_link_where_it_is_one(status: int, moved: str, to: list[str]) -> None:
    """It keeps the context of the link that was followed; those of the page come before it."""
    followed, shown = Link(ROOT + "a", ROOT, anchor="data", depth=2), Link(ROOT + "b", ROOT + "a")
    answer = Answer(Ask(1, ROOT + "a"), status, location="/there")
    page = Page(ROOT + "a", "GET", status, "text/html", links=(shown,), moved=moved)
    found = links_of(followed, answer, page)
    assert found == [shown, *(followed._replace(url=url) for url in to)]
