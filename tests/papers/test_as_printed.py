"""``NAME:paper``: one word for every parameter as the paper prints it."""

from __future__ import annotations

from typing import Any

import pytest

from lodehound.core.errors import UnknownNameError
from lodehound.lab.race import sweep
from lodehound.read.markup import Markup
from lodehound.registry import make_policy, make_target, parse
from lodehound.targets.markup import MarkupPages


def made(written: str) -> Any:
    return make_policy(parse("policy", written), seed=3)


def test_every_value_is_the_papers() -> None:
    sb, host = made("sb-classifier:paper"), made("anthelion:paper")
    rdf, topic = made("ldcoc:paper"), made("sarsa:paper")

    assert (sb.compat, sb.time, sb.reward, sb.edges) == ("paper", "gets", "predicted", "shown")
    assert (sb.n, sb.theta, sb.m, sb.w, sb.b, sb.model) == (2, 0.75, 12, 15, 10, "lr")
    assert (host.score, host.explore, host.decay, host.model) == ("success", 0.5, 10_000, "nb")
    assert (rdf.rate, rdf.head, rdf.skip, rdf.features) == ("one", "on", "drop", "t+r+p")
    assert (rdf.tau, rdf.epsilon) == (0.5, 0.17)
    assert (topic.near, topic.epsilon, topic.gamma, topic.alpha) == (True, 0.1, 0.9, 0.001)
    assert topic.beta == 0.4


def test_what_stands_beside_it_counts() -> None:
    policy = made("anthelion:paper,explore=0.3")

    assert (policy.explore, policy.decay, policy.seed) == (0.3, 10_000, 3)
    assert sweep(["ldcoc:paper"], ["tau=0.4"]) == ["ldcoc:paper,tau=0.4"]
    assert made("ldcoc:paper=true,tau=0.4").head == "on"


def test_other_policies_have_no_such_word() -> None:
    with pytest.raises(UnknownNameError, match="'paper'"):
        made("focused:paper")


@pytest.mark.parametrize(
    ("counts", "found"), [({"jsonld": 9}, False), ({"jsonld": 1, "rdfa": 1}, True), ({}, False)]
)
def test_finds_of_the_anthelion_paper_have_no_json_ld(counts: Any, found: bool) -> None:
    target = make_target(parse("target", "markup:paper"))
    assert isinstance(target, MarkupPages)

    assert target.weigh(Markup(counts=counts, types=(), statements=())).found is found
