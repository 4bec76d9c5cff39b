"""What targets leave out of scope because they could find nothing there."""

from __future__ import annotations

import pytest

from lodehound.core.link import Link
from lodehound.core.scope import Scope
from lodehound.core.target import Target
from lodehound.reports.scope_rules import rule_of
from lodehound.targets.markup import MarkupPages
from lodehound.targets.rdf import RdfDocuments
from lodehound.targets.topic import Topic

START = "https://a.example/"
NAMES = ["a", "a.html", "a.php", "Node.js", "main.py", "a.pdf", "a.TXT", "a.json", "a.ttl", "a.gz"]


def refused(target: Target, *, block: bool = True) -> list[str]:
    scope = target.adapt(Scope.around([START], block=block))
    return [name for name in NAMES if scope.refusal(Link(START + name))]


@pytest.mark.parametrize(
    ("target", "left_out"),
    [
        (MarkupPages(), ["a.pdf", "a.TXT", "a.json", "a.ttl", "a.gz"]),
        (Topic(words=("bird",)), ["a.pdf", "a.json", "a.ttl", "a.gz"]),
        (RdfDocuments(), ["a.pdf"]),
        (RdfDocuments(embedded=True), ["a.pdf"]),
    ],
)
def test_files_that_cannot_be_finds_are_left_out(target: Target, left_out: list[str]) -> None:
    """Whatever may be a page stays in; --no-block lets everything in."""
    assert refused(target) == left_out
    assert refused(target, block=False) == []


@pytest.mark.parametrize(
    ("name", "told"),
    [("a.pdf", "are files in which the target finds nothing"), ("a.png", "count as multimedia")],
)
def test_the_reason_is_told(name: str, told: str) -> None:
    scope, link = MarkupPages().adapt(Scope.around([START])), Link(START + name)

    rule = rule_of(scope, link, scope.refusal(link))

    extension = name.removeprefix("a")
    assert rule == f"URLs that end in {extension} {told} (allow them with --no-block)"
