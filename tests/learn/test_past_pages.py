"""Pages of the past, in turn."""

from __future__ import annotations

import numpy as np

from lodehound.learn.link_features import COLUMNS, Rows
from lodehound.learn.past_pages import LINKS, PAGES, PastPages


def rows(count: int) -> Rows:
    return np.arange(count * COLUMNS, dtype=np.intp).reshape(count, COLUMNS)


def test_every_page_has_its_turn() -> None:
    past = PastPages()
    assert past.next() is None
    for number in range(3):
        past.keep(rows(1)[0], float(number), rows(2), 0.0)

    turns = [page.files for page in (past.next() for _ in range(6)) if page is not None]

    assert sorted(turns[:3]) == sorted(turns[3:]) == [0.0, 1.0, 2.0]


def test_the_oldest_is_forgotten_and_links_are_a_sample() -> None:
    past = PastPages()
    for number in range(PAGES + 2):
        past.keep(rows(1)[0], float(number), rows(500), 0.0)

    pages = [page for page in (past.next() for _ in range(PAGES)) if page is not None]

    assert {page.files for page in pages} == {float(n) for n in range(2, PAGES + 2)}
    assert all(len(page.links) == LINKS for page in pages)
    assert pages[0].links[-1].tolist() == rows(500)[-1].tolist()
