"""What visits teach, and what pages gain later."""

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


def visit(
    model: LinkModel,
    visits: Visits,
    page: Rows,
    *links: Rows,
    url: str = "",
    source: str = "nowhere",
) -> ShownLinks:
    shown = NOTHING
    if links:
        rows = np.stack(links)
        shown = visits.show(rows, model.predict(rows))
    model.means.visit(page[LEVELS])
    visits.learn(url or str(page), source, page, shown)
    return shown


def linear(model: LinkModel, page: Rows) -> float:
    """Return the value of a page by the linear model alone."""
    return float(model.table.take(page)[:, 2].sum())


class VisitsValuedOnce(Visits):
    def _value_again(self) -> None:
        pass


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
    visits._value_again = lambda: pytest.fail("valued again")  # type: ignore[method-assign]
    for at in range(VALUED_AGAIN[0]):
        visit(model, visits, row(GOOD, 200 + at), row(FILE, 300 + at))

    assert len(visits._pages) == VALUED_AGAIN[0]


def test_a_page_gains_by_a_find_that_was_not_expected() -> None:
    model, visits = begun()
    visit(model, visits, row(GOOD), row(301), url="the page")
    before, group = linear(model, row(GOOD)), model.predict(row()).value

    visits.credit("another page")
    assert linear(model, row(GOOD)) == before
    visits.credit("the page")

    once = linear(model, row(GOOD))
    assert once > before + 0.1
    assert model.predict(row()).value > group + 0.1  # of a page with nothing but the same group
    visits.credit("the page")
    assert once < linear(model, row(GOOD)) < once + (once - before)  # log(1 + files)


class VisitsWithoutLeads(Visits):
    def _lead_to(self, source: str, worth: float) -> None:
        pass


def index_of_a_good_page(model: LinkModel, visits: Visits) -> float:
    """Visit an index and the page with files that it shows; return its value by its features."""
    visit(model, visits, row(INDEX), row(201), url="the index")
    files = [row(FILE, 300 + at) for at in range(4)]
    visit(model, visits, row(201), *files, source="the index")
    return linear(model, row(INDEX))


def test_a_page_gains_by_a_page_that_is_worth_more_than_was_expected() -> None:
    model, visits = begun()

    assert index_of_a_good_page(model, visits) > index_of_a_good_page(*begun(VisitsWithoutLeads))

    visit(model, visits, row(202), row(203), source="the index")  # no better: nothing to gain
    assert visits._pages["the index"].lead == pytest.approx(0.5 * math.log1p(4))


def test_nothing_is_gained_while_most_finds_show_links() -> None:
    model, visits = begun()
    visit(model, visits, row(INDEX), row(201), url="the index")
    before = linear(model, row(INDEX))
    model.count_find(page=True, links=True)

    visits.credit("the index")

    assert linear(model, row(INDEX)) == before


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

    assert len(visits._pages) == 1
    assert all(page.shown is NOTHING for page in visits._pages.values())


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

    behind = 0.1 * sum(0.8**at for at in range(30))
    assert visit_worth(links, 0.5)[1] == pytest.approx(math.log1p(0.5 * behind))
