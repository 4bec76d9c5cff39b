"""SB-ORACLE: the same crawler, told what every link leads to."""

from __future__ import annotations

from lodehound.core.messages import Outcome
from lodehound.core.truth import Kind
from lodehound.papers.sb_classifier.sb_oracle import SbOracle
from tests.helpers import (
    as_page,
    chosen,
    crawled,
    failed,
    file,
    moved,
    page,
    place,
    recorded,
    started,
)

SITE = recorded(
    {
        "": page("nav:a", "nav:gone", "list:x", "nav:pic", "list:old"),
        "a": page("list:y"),
        "gone": failed(),
        "x": file(),
        "y": file(),
        "pic": file("image/png"),
        "old": moved("z"),
        "z": file(),
    }
)
TARGETS = {"x", "y", "z", "old"}


class Truth:
    """What a GET brings at the end of its redirects."""

    def kind(self, url: str) -> Kind:
        if place(url) in TARGETS:
            return "target"
        return "html" if place(url) in {"", "a"} else "neither"

    def targets(self) -> list[str]:
        return []

    def first(self, count: int) -> list[Outcome]:
        return []


def test_the_oracle_wastes_nothing() -> None:
    """No HEAD, no dead link, nothing that is neither; targets at once, behind redirects too."""
    assert crawled(SITE, SbOracle(truth=Truth())) == ["", "x", "old", "z", "a", "y"]


def test_the_oracle_takes_the_options_of_the_classifier() -> None:
    """They are handed on, and the readings of paper and code with them."""
    policy = SbOracle(truth=Truth(), alpha=0.1, theta=0.5, compat="kit", seed=3)

    assert (policy.alpha, policy.theta, policy.seed) == (0.1, 0.5, 3)
    assert policy.reading.tf


def test_the_oracle_keeps_no_labels() -> None:
    """Nothing learns from them, so a long crawl would pile them up."""
    policy = SbOracle(truth=Truth())

    crawled(SITE, policy)

    assert policy.classifier._labels == []


def test_what_the_oracle_takes_for_nothing_is_lost() -> None:
    """Declared in drops: links that lead to neither page nor target are never chosen."""
    policy = SbOracle(truth=Truth())
    policy.learn(started())
    policy.learn(as_page(chosen(policy), "gone", "pic"))

    assert policy.choose(()) is None
    assert "neither page nor target" in policy.drops
