"""What visits teach, and what pages gain later."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lodehound.learn.hashing import feature_of
from lodehound.policies.lodehound.features import CLUSTER, COLUMNS, GROUP, LEVELS, PATTERN, Rows
from lodehound.policies.lodehound.model import VALUE, VISITS, Estimates, LinkModel
from lodehound.policies.lodehound.visits import PageWorth, Visits, expected_worth, request_worths

GOOD, INDEX = 101, 102
FILE = feature_of("end", "csv")


def row(*features: int) -> Rows:
    made = np.zeros(COLUMNS, dtype=np.intp)
    made[[GROUP, CLUSTER, PATTERN]] = 7, 8, 9
    made[5 : 5 + len(features)] = features
    return made


def begun() -> tuple[LinkModel, Visits]:
    model = LinkModel(shrink=2.0, decay=0.0)
    return model, Visits(model, gamma=0.5)


def visit(
    model: LinkModel,
    visits: Visits,
    page: Rows,
    *links: Rows,
    url: str = "",
    source: str = "nowhere",
) -> None:
    worth = PageWorth()
    if links:
        worth = expected_worth(model.predict(np.stack(links)))
    model.means.visit(page[LEVELS])
    visits.learn(url or str(page), source, page, worth)


def linear(model: LinkModel, page: Rows) -> float:
    """Return the value of a page by the linear model alone."""
    return float(model.table.take(page)[:, VALUE].sum())


def mean(model: LinkModel, page: Rows) -> float:
    """Return the value of a page by its group alone."""
    return float(model.means.predict(model.table.find(page[LEVELS]))[0])


def test_the_best_pages_of_a_list_count_each_less_than_the_one_before() -> None:
    """The first 32: 1 + 0.8 + 0.8**2 and so on."""
    links = Estimates(*np.array([[0.1] * 40, [0.5] * 40, [1.0] * 40, [0.0] * 40]))

    worth = expected_worth(links)

    assert (worth.files, worth.best) == (0.0, 0.5)
    assert worth.behind == pytest.approx((1 - 0.8**32) / (1 - 0.8), rel=1e-9)


def test_a_page_gains_by_a_find_that_was_not_expected() -> None:
    model, visits = begun()
    visit(model, visits, row(GOOD), row(301), url="the page")
    before, group = linear(model, row(GOOD)), mean(model, row())

    visits.credit("another page")
    assert linear(model, row(GOOD)) == before
    visits.credit("the page")

    once = linear(model, row(GOOD))
    assert once > before + 0.1
    assert mean(model, row()) > group + 0.1
    visits.credit("the page")
    assert once < linear(model, row(GOOD)) < once + (once - before)  # log(1 + files)


def test_a_page_gains_by_a_page_that_is_worth_more_than_was_expected() -> None:
    """A page with nothing of its own, but with a page behind it: half of its value counts."""
    model, visits = begun()
    visit(model, visits, row(INDEX), row(201), url="the index")
    before = linear(model, row(INDEX))

    visits.learn("a page", "the index", row(201), PageWorth(best=2.0))
    index = visits._pages["the index"].worth
    assert index.value(0.5) == pytest.approx(0.5 * 1.0)
    assert linear(model, row(INDEX)) > before

    visit(model, visits, row(202), row(203), source="the index")  # no better: nothing to gain
    assert visits._pages["the index"].worth == index


def test_a_page_gains_by_many_pages_more_than_by_one() -> None:
    """Six pages with four files each are 4 * (1 + 0.8 + ... + 0.8**5) files behind the index."""
    model, visits = begun()
    visit(model, visits, row(INDEX), row(201), url="the index")
    before = linear(model, row(INDEX))
    files = [row(FILE, 300 + at) for at in range(4)]

    for at in range(6):
        visit(model, visits, row(201 + at), *files, url=f"page {at}", source="the index")

    behind = 4 * sum(0.8**at for at in range(6))
    index = visits._pages["the index"].worth
    assert index.value(0.5) == pytest.approx(math.log1p(index.files + 0.5 * behind))
    assert linear(model, row(INDEX)) > before + 0.1


def test_nothing_is_gained_while_most_finds_show_links() -> None:
    model, visits = begun()
    visit(model, visits, row(INDEX), row(201), url="the index")
    before = linear(model, row(INDEX))
    model.count_find(page=True, links=True)

    visits.credit("the index")

    assert linear(model, row(INDEX)) == before


def test_pages_gain_while_they_are_learned_together() -> None:
    model, visits = begun()
    for at in range(VISITS):
        visit(model, visits, row(GOOD, 1000 + at), url=f"page {at}")
    before = linear(model, row(GOOD))
    visits.credit("page 0")
    assert linear(model, row(GOOD)) > before

    visit(model, visits, row(5000), url="the next")
    after = linear(model, row(GOOD))
    visits.credit("page 0")

    assert linear(model, row(GOOD)) == after
    assert len(visits._pages) == 1


@pytest.mark.parametrize("link", [row(GOOD, 201), row(FILE, 201)])
def test_a_page_with_one_link_is_worth_the_same_by_scalars(link: Rows) -> None:
    """As the policy values it, and as one of many links would be."""
    model, visits = begun()
    for at in range(3):
        visit(model, visits, row(GOOD, 200 + at), row(FILE, 300 + at), row(FILE, 400 + at))

    alone = expected_worth(model.predict(link))
    listed = expected_worth(model.predict(link[None]))

    assert alone == pytest.approx(listed, rel=1e-6)
    assert alone.value(0.5) > 0


def test_each_page_of_a_list_counts_less_than_the_one_before() -> None:
    found = np.zeros(30, dtype=np.float32)
    links = Estimates(found, found, found + np.float32(0.1), found)

    behind = 0.1 * sum(0.8**at for at in range(30))
    assert expected_worth(links).value(0.5) == pytest.approx(math.log1p(0.5 * behind))


def test_expected_files_come_before_all_pages() -> None:
    """One file, a page with a thousand finds, and one with a find: 1 / (1 + 1) of the requests."""
    find, value = [0.51, 0.5, 0.0], [0.0, math.log1p(1000), math.log1p(1)]
    links = Estimates(*np.array([find, value, value, find], dtype=np.float32))

    worths = request_worths(links).tolist()

    assert worths == pytest.approx([1.51, 0.5 + 0.5 * 1000 / 1001, 0.5])
    alone = [request_worths(Estimates(*one)) for one in np.transpose(links).tolist()]
    assert alone == pytest.approx(worths)
    assert request_worths(links, bonus=math.log(2)).tolist()[::2] == pytest.approx([1.51, 0.75])
