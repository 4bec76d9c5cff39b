"""Names of groups, and what is told of them."""

from __future__ import annotations

import numpy as np
import pytest

from lodehound.core.link import Link
from lodehound.policies.crawl_groups import EXPECTED, EXPECTED_FILES, CrawlGroups

LIST = "html/body/ul/li/a"


def links(*paths: str) -> list[Link]:
    return [Link(f"https://e.org{path}", "https://e.org/", LIST) for path in paths]


def test_a_group_keeps_the_name_of_its_first_link_and_no_other_has_it() -> None:
    """Two groups of one shape, told apart by a number, in the order in which they were met."""
    seen, kinds = links("/a/1.html", "/a/2.html", "/b/3.html"), CrawlGroups()
    kinds.add((1, 2, 1), seen)

    names = [kinds.name(group, link) for group, link in zip((2, 1, 1), seen, strict=True)]
    first = "pages like /a/*.html linked at ul/li/a"
    assert names == [f"{first} (2)", first, first]


def test_groups_beyond_the_limit_are_named_after_their_links(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Memory is bounded; expected files count as one of the groups with a name."""
    monkeypatch.setattr("lodehound.policies.crawl_groups.NAMED", 2)
    seen, kinds = links("/a/1.html", "/a/2.html"), CrawlGroups()
    kinds.add((1, 2), seen)

    names = [kinds.name(group, link) for group, link in zip((1, 2), seen, strict=True)]
    assert names == ["pages like /a/*.html linked at ul/li/a"] * 2
    kinds.count([1, 2], files=3.0)
    assert kinds.best(5) == [f"3.00 files a page over 1 visit: {names[0]}"]


def test_groups_tell_what_their_visits_brought() -> None:
    (link, other), kinds = links("/a/1.html", "/b/1.html"), CrawlGroups()
    kinds.add((1, 2), (link, other))
    for files in (3.0, 1.0):
        kinds.count([1], files)
    for found in (True, True, False):
        kinds.count([EXPECTED_FILES], float(found))

    waiting = [link, other, link]
    groups = np.array([1, EXPECTED_FILES, 1])
    scores = np.array([0.75, 0.6, 0.5], dtype=np.float32)
    expected, group = kinds.waiting(groups, scores, waiting.__getitem__)

    assert (group.score, group.visits, group.finds, group.waiting) == (0.75, 2, 4.0, 2)
    assert (expected.name, expected.visits, expected.finds) == (EXPECTED, 3, 2.0)
    assert expected.score == pytest.approx(0.6)
    assert (expected.waiting, expected.example, group.example) == (1, other.url, link.url)
    assert kinds.record(1) == "4 files in 2 visits"
    assert kinds.record(2) == "none visited yet"
    assert kinds.best(5) == [f"2.00 files a page over 2 visits: {group.name}"]


def test_every_group_with_a_link_waiting_is_listed() -> None:
    """An explored link may be of the last group of hundreds: its rank is told."""
    seen, kinds = (
        links(*[f"/{'abc'[i % 3] * (i // 3 + 1)}/x.html" for i in range(300)]),
        CrawlGroups(),
    )
    kinds.add(range(1, 301), seen)
    scores = np.linspace(1.0, 0.5, 300, dtype=np.float32)

    listed = kinds.waiting(np.arange(1, 301), scores, seen.__getitem__)

    assert [group.example for group in listed] == [link.url for link in seen]
    assert len({group.name for group in listed}) == 300
