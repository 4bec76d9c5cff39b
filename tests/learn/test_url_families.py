"""Which URLs change together, by their addresses."""

from __future__ import annotations

import pytest

from lodehound.learn.url_families import Address, address_of


def test_the_names_of_an_address() -> None:
    assert address_of("https://www.e.org/en/2024/gdp-07.csv?v=3&page=12") == Address(
        alias="https://www.e.org/en/2024/gdp-07.csv?v=3&page=12",
        twin="e.org/en/2024/gdp-07.csv?v=3&page=12",
        stem="e.org//2024/gdp-07?v=3&page=12",
        pattern="e.org/en/0/.csv?v&page",
        ending=".csv",
        numbers=(2024, 7, 3, 12),
    )


@pytest.mark.parametrize(
    ("one", "other", "name"),
    [
        ("https://e.org/a/index.html", "https://e.org/a/", "alias"),
        ("https://e.org/a/Default.aspx", "https://e.org/a/", "alias"),
        ("http://www.e.org/a.csv", "https://e.org/a.csv", "twin"),
        ("https://e.org/de/a.csv", "https://e.org/fr/a.xlsx", "stem"),
        ("https://e.org/a_en.csv", "https://e.org/a.csv", "stem"),
        ("https://e.org/a/", "https://e.org/a", "stem"),
        ("https://e.org/2023/a.csv?y=1", "https://e.org/2024/b.csv?y=2", "pattern"),
    ],
)
def test_relatives_share_a_name(one: str, other: str, name: str) -> None:
    """And no name that is more particular."""
    names = Address._fields[: Address._fields.index(name) + 1]
    same = [getattr(address_of(one), n) == getattr(address_of(other), n) for n in names]
    assert same == [False] * (len(names) - 1) + [True]


@pytest.mark.parametrize(
    ("one", "other", "name"),
    [
        ("https://e.org/a/index.html?x=1", "https://e.org/a/", "alias"),
        ("https://e.org/den/a.csv", "https://e.org/a.csv", "stem"),
        ("https://e.org/a.csv?x=1", "https://e.org/a.csv", "stem"),
        ("https://e.org/a/b.csv", "https://e.org/a/b.pdf", "pattern"),
        ("https://e.org/a?x=1", "https://e.org/a?y=1", "pattern"),
    ],
)
def test_strangers_do_not(one: str, other: str, name: str) -> None:
    assert getattr(address_of(one), name) != getattr(address_of(other), name)


def test_long_addresses_are_bounded() -> None:
    assert address_of("https://e.org/1/2/3/4/5/6/7").numbers == (1, 2, 3, 4, 5, 6)
    assert address_of(f"https://e.org/{'9' * 30}").numbers == (int("9" * 18),)
    query = "&".join(f"k{n}=1" for n in range(12))
    assert address_of(f"https://e.org/a?{query}").pattern.count("&") == 7
