"""What the newcomer's page shows, runs."""

from __future__ import annotations

import pytest

from lodehound.checks import check_policy, check_target
from lodehound.core.messages import Page, Verdict
from lodehound.drivers.replay import replay
from lodehound.registry import make_policy, make_target, parse
from tests.helpers import crawled, file, page, place, recorded

POLICY = parse("policy", "examples.nearest:Shallow")
TARGET = parse("target", "examples.feeds:Feeds")


def test_the_policy_keeps_the_contract() -> None:
    """Loaded by its path, as a newcomer's would be."""
    check_policy(lambda: make_policy(POLICY))


def test_the_target_keeps_the_contract() -> None:
    """Loaded by its path, as a newcomer's would be."""
    check_target(lambda: make_target(TARGET))


def test_shallow_pages_come_first() -> None:
    """By depth, then by the length of the address, then by age."""
    site = recorded(
        {"": page("long", "b", "a"), "b": page("c"), "a": page(), "c": page(), "long": page()}
    )

    assert crawled(site, make_policy(POLICY)) == ["", "b", "a", "long", "c"]


@pytest.mark.parametrize(
    ("status", "mime", "found"),
    [
        (200, "application/rss+xml", True),
        (200, "application/atom+xml", True),
        (404, "application/rss+xml", False),
        (200, "text/html", False),
    ],
)
def test_feeds_are_found(status: int, mime: str, found: bool) -> None:
    """Both types, and only where the server sent one."""
    verdict = make_target(TARGET).judge(Page("https://s.example/rss", "GET", status, mime))

    assert verdict == (
        Verdict(found=True, value=1.0, label=mime) if found else Verdict(found=False)
    )


def test_a_crawl_for_feeds() -> None:
    """Another target, the same policies: only feeds count."""
    site = recorded(
        {"": page("feed", "x.csv"), "feed": file("application/rss+xml"), "x.csv": file()}
    )

    _, steps = replay(site, policy=make_policy(POLICY), target=make_target(TARGET))

    assert [(place(step.url), step.found) for step in steps] == [
        ("", False),
        ("feed", True),
        ("x.csv", False),
    ]
