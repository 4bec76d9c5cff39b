"""No page holds a crawl for longer than a second."""

from __future__ import annotations

from itertools import islice

import pytest

from tests.soak.slow_pages import (
    OAI,
    OTHERS,
    READERS,
    page_of,
    random_shapes,
    seconds_of,
    shapes_of,
)

MOST = 2.0  # seconds of a processor: the promise, and as much again for a slow machine
PAGE_READERS = ("tree", "links", "data", "text", "markup")


@pytest.mark.parametrize("reader", ["tree", "links"])
def test_an_honest_list_of_communes(reader: str) -> None:
    """The parser selected an option anew after each one: 20,000 took eight seconds."""
    page = page_of("<select>", "<option value=%d>Commune %d</option>", 1_500_000)
    assert seconds_of(reader, page, 2 * MOST) < MOST


@pytest.mark.parametrize(("before", "repeated"), OTHERS["signs"])
def test_signs_of_a_script(before: str, repeated: str) -> None:
    """Thirty comments where an application will be took minutes, forty took days."""
    page = page_of(before, repeated, 3_900_000)
    assert seconds_of("signs", page, 2 * MOST) < MOST


def test_a_record_with_many_identifiers() -> None:
    """Files and pages were told apart in quadratic time: 100,000 took minutes."""
    page = page_of(
        f"{OAI}<record><metadata><dc>", "<identifier>http://e/%d</identifier>", 3_900_000
    )
    assert seconds_of("api", page, 2 * MOST) < MOST


@pytest.mark.soak
@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("length", [400_000, 4_000_000, 50_000_000])
def test_known_constructs(reader: str, length: int) -> None:
    slow = {
        shape: taken
        for shape in shapes_of(reader)
        if (taken := seconds_of(reader, page_of(*shape, length), 3 * MOST)) > MOST
    }
    assert slow == {}


@pytest.mark.soak
@pytest.mark.parametrize("reader", PAGE_READERS)
def test_random_constructs(reader: str) -> None:
    """Short pages: what is not linear takes many times longer than the rest."""
    slow = {
        shape: taken
        for shape in islice(random_shapes(seed=7), 1000)
        if (taken := seconds_of(reader, page_of(*shape, 60_000), 3)) > 0.4
    }
    assert slow == {}
