"""What visits teach, and what the first of them teach again later."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lodehound.learn.hashing import mark
from lodehound.policies.lodehound.features import CLUSTER, COLUMNS, GROUP, PATTERN, Rows
from lodehound.policies.lodehound.model import FIRST_VISITS, LEVELS, Estimates, LinkModel
from lodehound.policies.lodehound.visits import (
    KEPT,
    NOTHING,
    VALUED_AGAIN,
    ShownLinks,
    Visits,
    visit_worth,
)

GOOD, INDEX = 101, 102
FILE = mark("end", "csv")


def row(*features: int) -> Rows:
    made = np.zeros(COLUMNS, dtype=np.intp)
    made[[GROUP, CLUSTER, PATTERN]] = 7, 8, 9
    made[5 : 5 + len(features)] = features
    return made


def begun(type_: type[Visits] = Visits) -> tuple[LinkModel, Visits]:
    model = LinkModel(shrink=2.0, decay=0.0)
    return model, type_(model, gamma=0.5)


def visit(model: LinkModel, visits: Visits, page: Rows, *links: Rows) -> ShownLinks:
    shown = NOTHING
    if links:
        rows = np.stack(links)
        shown = visits.show(rows, model.predict(rows))
    model.means.visit(page[LEVELS])
    visits.learn(page, shown)
    return shown


def linear(model: LinkModel, page: Rows) -> float:
    """Return the value of a page by the linear model alone."""
    return float(model.table.take(page)[:, 2].sum())


class VisitsValuedOnce(Visits):
    def _learn_again(self, first: list[ShownLinks]) -> list[ShownLinks]:
        return first


def value_of_an_index(model: LinkModel, visits: Visits) -> float:
    """Visit an index and the good pages that it shows; return its value by its features."""
    shown = visit(model, visits, row(INDEX), row(GOOD, 201), row(GOOD, 202))
    assert shown.worth < 0.3
    for at in range(1, VALUED_AGAIN[0]):
        visit(model, visits, row(GOOD, 200 + at), row(FILE, 300 + at), row(FILE, 400 + at))
    return linear(model, row(INDEX))


def test_an_index_that_was_visited_first_gains_when_its_links_turn_out_good() -> None:
    once = value_of_an_index(*begun(VisitsValuedOnce))

    assert value_of_an_index(*begun()) > once + 0.1


def test_nothing_is_valued_again_while_most_finds_show_links() -> None:
    model, visits = begun()
    model.count_find(page=True, links=True)
    visit(model, visits, row(INDEX), row(GOOD, 201), row(GOOD, 202))
    first = visits._first
    for at in range(1, VALUED_AGAIN[0]):
        visit(model, visits, row(GOOD, 200 + at), row(FILE, 300 + at))

    assert visits._first is first


def test_the_best_links_of_a_long_page_are_kept_with_all_its_files() -> None:
    model, visits = begun()
    rows = np.stack([row(500 + at) for at in range(KEPT)] + [row(FILE, 400), row(FILE, 401)])

    shown = visits.show(rows, model.predict(rows))

    assert shown.rows is not None
    assert (len(shown.rows), shown.files, shown.other_files) == (KEPT, 2.0, 0.0)
    assert (shown.rows[:2] == rows[-2:]).all()


def test_after_the_first_visits_nothing_is_kept() -> None:
    model, visits = begun()
    for at in range(FIRST_VISITS + 1):
        visit(model, visits, row(GOOD, 1000 + at), row(FILE, 5000 + at))

    assert visits._first is None


@pytest.mark.parametrize("link", [row(GOOD, 201), row(FILE, 201)])
def test_a_page_with_one_link_is_worth_the_same_by_scalars(link: Rows) -> None:
    """As the policy values it, and as one of many links would be."""
    model, visits = begun()
    for at in range(3):
        visit(model, visits, row(GOOD, 200 + at), row(FILE, 300 + at), row(FILE, 400 + at))

    alone = visits.show(link, model.predict(link))
    listed = visits.show(link[None], model.predict(link[None]))

    assert alone[1:] == pytest.approx(listed[1:], rel=1e-6)
    assert alone.worth > 0


def test_each_page_of_a_list_counts_less_than_the_one_before() -> None:
    found = np.zeros(30, dtype=np.float32)
    links = Estimates(found, found, found + np.float32(0.1), found)

    behind = 0.1 * sum(0.9**at for at in range(30))
    assert visit_worth(links, 0.5)[1] == pytest.approx(math.log1p(0.5 * behind))
