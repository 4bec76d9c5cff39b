"""Rows of hashed features."""

from __future__ import annotations

import numpy as np

from lodehound.core.link import Link
from lodehound.learn.hashing import feature_of
from lodehound.policies.lodehound.features import (
    CLUSTER,
    COLUMNS,
    ENDING,
    GROUP,
    OWN,
    PATTERN,
    QUERY,
    SECOND,
    SEGMENT,
    SHAPE,
    SOURCE,
    SOURCE_FIND,
    THIRD,
    LinkFeatures,
    Rows,
    SourcePage,
    merge,
    strongest,
)

PATH = "html/body/ul#list12/li/a"


def row(
    url: str, path: str = PATH, anchor: str = "Table 1", source: str = "https://e.org/"
) -> Rows:
    found: Rows = LinkFeatures().rows([Link(url, source, path, anchor)], SourcePage(5))[0]
    return found


def test_numbers_are_all_alike() -> None:
    """Ids in URLs, paths and anchors would make every link a group of its own."""
    first = row("https://e.org/y2023/t1.csv?c[1]=2&7", "html/body/ul#list12/li/a", "Table 1")
    other = row("https://e.org/y2024/t22.csv?c[30]=4&8", "html/body/ul#list7/li/a", "Table 22")

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
    assert together[:, SOURCE].tolist() == [feature_of("source", s) if s else 0 for s in sources]


def test_what_does_not_apply_is_zero() -> None:
    """A start URL stands on no page."""
    found = LinkFeatures().rows([Link("https://e.org/")])

    assert found.shape == (1, COLUMNS)
    assert found[0, SOURCE] == 0
    assert found[0, ENDING] == feature_of("end", "/")


def test_a_link_belongs_to_three_groups_at_most() -> None:
    """Groups 1, 2, 3 and clusters 11, 12, 13: each sighting knows all."""
    first, second, third = (np.zeros((1, COLUMNS), dtype=np.intp) for _ in range(3))
    for number, sighting in enumerate((first, second, third), 1):
        sighting[0, OWN] = number, 10 + number

    merge(first, second)

    assert first[0, SECOND].tolist() == [2, 12]
    assert second[0, SECOND].tolist() == [1, 11]

    merge(second, third)

    assert third[0, SECOND].tolist() + third[0, THIRD].tolist() == [1, 11, 2, 12]


def test_sightings_in_a_new_cluster_add_a_group_until_there_are_three() -> None:
    paths = ["html/body/ul/li/a", "html/nav/b/a", "html/p/i/a", "html/dl/dd/a"]
    seen = [[Link("https://e.org/a", "https://e.org/", path)] for path in paths]
    features = LinkFeatures()
    first, second, third, _ = rows = [features.rows(one) for one in seen]
    assert len({int(row[0, CLUSTER]) for row in rows}) == 4

    merge(first, second)

    added = [features.in_new_groups(one, second).tolist() for one in seen]
    assert added == [[], [], [0], [0]]
    merge(second, third)
    assert [features.in_new_groups(one, third).tolist() for one in seen] == [[]] * 4


def test_the_strongest_feature_is_named_by_its_kind() -> None:
    """The weights decide, and only of features that the link has."""
    (row,) = LinkFeatures().rows([Link("https://s.example/a/data.csv", "https://s.example/")])
    weights = np.zeros(len(row), dtype=np.float32)
    weights[ENDING], weights[SHAPE] = 2.0, 1.0

    assert strongest(row, weights) == "the ending"
    weights[SHAPE] = 3.0
    assert strongest(row, weights) == "the words of the URL"
    weights[QUERY] = 4.0
    assert strongest(row, weights) == "the words of the URL"


def test_words_are_alike_however_they_are_written() -> None:
    capital, escaped = (
        row(url) for url in ("https://e.org/Jahr-Übersicht", "https://e.org/jahr-%C3%BCbersicht")
    )

    assert capital[SEGMENT].tolist() == escaped[SEGMENT].tolist()
    assert (row("https://e.org/a", anchor="Data") == row("https://e.org/a", anchor="DATA")).all()
