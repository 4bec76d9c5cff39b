"""Rows of hashed features."""

from __future__ import annotations

import numpy as np
import pytest

from lodehound.core.link import Link
from lodehound.learn.hashing import mark
from lodehound.policies.lodehound.features import (
    COLUMNS,
    ENDING,
    GROUP,
    OWN,
    PATTERN,
    SECOND,
    SHAPE,
    SOURCE,
    SOURCE_FIND,
    THIRD,
    LinkFeatures,
    Rows,
    SourcePage,
    ending_of,
    has_room,
    merge,
    never_in,
    split_url,
    strongest,
)

PATH = "html/body/ul#list12/li/a"


def row(
    url: str, path: str = PATH, anchor: str = "Table 1", source: str = "https://e.org/"
) -> Rows:
    found: Rows = LinkFeatures().rows([Link(url, source, path, anchor)], SourcePage(5))[0]
    return found


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


def test_numbers_are_all_alike() -> None:
    """Ids in URLs, paths and anchors would make every link a group of its own."""
    first = row("https://e.org/y2023/t1.csv", "html/body/ul#list12/li/a", "Table 1")
    other = row("https://e.org/y2024/t22.csv", "html/body/ul#list7/li/a", "Table 22")

    assert (first == other).all()


def test_pages_of_one_kind_share_a_group_and_others_do_not() -> None:
    same, other, query = (
        row(url) for url in ("https://e.org/a/x", "https://e.org/b/x", "https://e.org/a/x?q=1")
    )

    assert same[GROUP] == row("https://e.org/a/y")[GROUP]
    assert same[PATTERN] != other[PATTERN]
    assert same[GROUP] != query[GROUP]


def test_a_link_knows_whether_the_page_that_contains_it_is_a_find() -> None:
    links = [Link("https://e.org/a", "https://e.org/", PATH)]
    features = LinkFeatures()
    sources = [SourcePage(5), SourcePage(5, found=True), SourcePage(5, found=True, label="Dataset")]

    found = {int(features.rows(links, source)[0, SOURCE_FIND]) for source in sources}

    assert len(found) == 3


def test_links_of_several_pages_have_the_features_of_their_own_page() -> None:
    """A further round values links of several pages together."""
    sources = ("https://e.org/", "https://e.org/news", "", "https://e.org/")
    links = [Link(f"https://e.org/{i}.csv", source, PATH) for i, source in enumerate(sources)]
    features = LinkFeatures()

    together = features.rows(links)

    assert (together == np.concatenate([features.rows([link]) for link in links])).all()
    assert together[:, SOURCE].tolist() == [mark("source", s) if s else 0 for s in sources]


def test_what_does_not_apply_is_zero() -> None:
    """A start URL stands on no page."""
    found = LinkFeatures().rows([Link("https://e.org/")])

    assert found.shape == (1, COLUMNS)
    assert found[0, SOURCE] == 0
    assert found[0, ENDING] == mark("end", "/")


def test_a_link_belongs_to_three_groups_at_most() -> None:
    """Groups 1, 2, 3 and clusters 11, 12, 13: each sighting knows all."""
    first, second, third = (np.zeros((1, COLUMNS), dtype=np.intp) for _ in range(3))
    for number, sighting in enumerate((first, second, third), 1):
        sighting[0, OWN] = number, 10 + number
    assert has_room(first).all()

    merge(first, second)

    assert first[0, SECOND].tolist() == [2, 12]
    assert second[0, SECOND].tolist() == [1, 11]
    assert never_in([13], second).all()
    assert not never_in([11], second).any()
    assert not never_in([12], second).any()

    merge(second, third)

    assert third[0, SECOND].tolist() + third[0, THIRD].tolist() == [1, 11, 2, 12]
    assert not has_room(second).any()
    assert not has_room(third).any()


def test_the_strongest_feature_is_named_by_its_kind() -> None:
    """The weights decide, and only of features that the link has."""
    (row,) = LinkFeatures().rows([Link("https://s.example/a/data.csv", "https://s.example/")])
    weights = np.zeros(len(row), dtype=np.float32)
    weights[ENDING], weights[SHAPE] = 2.0, 1.0

    assert strongest(row, weights) == "the ending"
    weights[SHAPE] = 3.0
    assert strongest(row, weights) == "the words of the URL"


def test_every_group_is_new_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the first link that has it, until there are too many to name."""
    monkeypatch.setattr("lodehound.policies.lodehound.features.NAMED", 2)
    links = [
        Link(f"https://e.org/{name}", "https://e.org/", PATH)
        for name in ("a/1", "a/2", "b/1", "c/1")
    ]
    features = LinkFeatures()
    features.rows(links)

    assert [link for _, link in features.take_new_groups()] == [links[0], links[2]]
    features.rows(links)
    assert features.take_new_groups() == []
