"""What the policy says is left."""

from __future__ import annotations

import pytest

from tests.policies.lodehound.test_policy import begun, find, link, show


def test_the_outlook_falls_to_nothing() -> None:
    policy = begun()
    show(policy, *[link(f"/{i}.csv") for i in range(10)])
    estimate = policy.remaining_yield()
    assert estimate.low <= estimate.left <= estimate.high
    assert estimate.left == pytest.approx(9, abs=1.5)

    for _ in range(10):
        find(policy)

    assert policy.remaining_yield().left == policy.remaining_yield().high == 0


def test_pages_without_files_lower_the_upper_end() -> None:
    policy = begun()
    show(policy, *[link(f"/p/{i}.html") for i in range(100)])
    before = policy.remaining_yield().high
    for _ in range(80):
        show(policy)

    assert policy.remaining_yield().high < before / 5 < before


def test_finds_that_pages_show_count_for_what_is_left_and_are_no_new_pages() -> None:
    brings, poor = begun(), begun()
    for policy, files in ((brings, 3), (poor, 0)):
        show(policy, *[link(f"/p/{i}.html") for i in range(60)])
        for page in range(30):
            show(policy, *[link(f"/f/{page}-{i}.csv") for i in range(files)])
            for _ in range(files):
                find(policy)

    assert brings.remaining_yield().left > 29  # pages wait
    assert poor.remaining_yield().left < 1
    assert brings._remaining._offspring == pytest.approx(poor._remaining._offspring, abs=0.1)
