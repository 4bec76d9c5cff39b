"""Pages with structured data as finds: what counts, what it is worth, what is kept of it."""

from __future__ import annotations

import json

import pytest

from lodehound.checks import check_target
from lodehound.core.errors import ConfigError
from lodehound.core.messages import Page, Verdict
from lodehound.registry import make_target, parse
from lodehound.targets.markup import MarkupPages

EVENT = b"""<meta property="og:title" content="T">
<div itemscope itemtype="http://schema.org/Event"><b itemprop="name">Fair</b></div>
<script type="application/ld+json">
{"@context": "https://schema.org", "@type": "Dataset", "name": "Rain", "license": "x"}</script>"""


def judge(want: str, body: bytes = EVENT, *, status: int = 200, mime: str = "text/html") -> Verdict:
    return make_target(parse("target", want)).judge(
        Page("https://a.example/", "GET", status, mime, body)
    )


@pytest.mark.parametrize(
    ("want", "value", "label"),
    [
        ("markup", 5, "jsonld+microdata"),
        ("markup:microdata", 2, "microdata"),
        ("markup:microdata>=3", None, ""),
        ("markup:json-ld >= 3", 3, "jsonld"),
        ("markup:microdata+jsonld>=5", 5, "jsonld+microdata"),
        ("markup:microdata+jsonld>=6", None, ""),
        ("markup:og", 1, "opengraph"),
        ("markup:rdfa", None, ""),
        ("markup:type=schema.org/Dataset", 5, "http://schema.org/Dataset"),
        ("markup:type=https://schema.org/Event", 5, "http://schema.org/Event"),
        ("markup:type=Event", 5, "http://schema.org/Event"),
        ("markup:type=Product|Event", 5, "http://schema.org/Event"),
        ("markup:type=Vent", None, ""),
        ("markup:type=Event,rdfa", None, ""),
        ("markup:type=Event,microdata>=2", 2, "http://schema.org/Event"),
    ],
)
def test_what_counts(want: str, value: float | None, label: str) -> None:
    verdict = judge(want)
    assert (verdict.found, verdict.value, verdict.label) == (value is not None, value or 0, label)


def test_opengraph_alone_is_no_find() -> None:
    assert not judge("markup", b'<meta property="og:title" content="T">').found


def test_the_statements_are_kept() -> None:
    """As JSON: counts, types and every statement."""
    details = json.loads(judge("markup:type=Event").details)
    assert details["counts"] == {"jsonld": 3, "microdata": 2, "opengraph": 1}
    assert details["types"] == ["http://schema.org/Dataset", "http://schema.org/Event"]
    assert ["microdata", "_:b2", "http://schema.org/name", "Fair", "literal", ""] in details[
        "statements"
    ]


@pytest.mark.parametrize(
    ("want", "message"),
    [
        ("markup:microdat", "Did you mean 'microdata'"),
        ("markup:microdata>5", "is not understood"),
        ("markup:type=", "needs a type"),
        ("markup:5", "is not understood"),
        ("markup:", "nothing behind its colon"),
        ("markup: , ", "is empty"),
        ("markup:microdata>=0", "matches any page"),
    ],
)
def test_mistakes_are_said(want: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        judge(want)


def test_contract() -> None:
    check_target(MarkupPages)
    assert (MarkupPages.policy, MarkupPages.scope) == ("lodehound", "web")
    assert not judge("markup", status=404).found
    assert not judge("markup", mime="application/pdf").found
