"""Names of groups, and what is told of them."""

from __future__ import annotations

import numpy as np
import pytest

from lodehound.core.link import Link
from lodehound.policies.lodehound.groups import EXPECTED, EXPECTED_FILES, CrawlGroups

LIST = "html/body/ul/li/a"


def links(*paths: str) -> list[Link]:
    return [Link(f"https://e.org{path}", "https://e.org/", LIST) for path in paths]


def begun(*new: tuple[int, Link]) -> CrawlGroups:
    """Return groups that are new when they are asked for first, and none after that."""
    left = [list(new)]
    return CrawlGroups(lambda: left.pop() if left else [])


def test_a_group_keeps_the_name_of_its_first_link_and_no_other_has_it() -> None:
    """Two groups of one shape, told apart by a number; a later link changes nothing."""
    seen = links("/a/1.html", "/a/2.html", "/b/3.html")
    kinds = begun((1, seen[0]), (2, seen[1]))

    names = [kinds.name(group, link) for group, link in zip((1, 2, 1), seen, strict=True)]
    first = "pages like /a/*.html linked at ul/li/a"
    assert names == [first, f"{first} (2)", first]


def test_groups_tell_what_their_visits_brought() -> None:
    (link, other) = links("/a/1.html", "/b/1.html")
    kinds = begun((1, link), (2, other))
    for files in (3.0, 1.0):
        kinds.count([1], visits=1, files=files)
    for found in (True, True, False):
        kinds.count([EXPECTED_FILES], visits=1, files=found)

    find, scores = np.array([[0.1, 0.9, 0.1], [0.5, 0.2, 0.4]], dtype=np.float32)
    waiting = [link, other, link]
    expected, group = kinds.waiting(np.array([1, 2, 1]), find, scores, waiting.__getitem__)

    assert (group.score, group.visits, group.finds, group.waiting) == (0.5, 2, 4.0, 2)
    assert (expected.name, expected.visits, expected.finds) == (EXPECTED, 3, 2.0)
    assert expected.score == pytest.approx(0.9)
    assert kinds.record(1) == "4 files in 2 visits"
    assert kinds.record(2) == "none visited yet"
    assert kinds.best(5) == [f"2.00 files a page over 2 visits: {group.name}"]
