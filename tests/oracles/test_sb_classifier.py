"""``sb-classifier:paper`` beside an implementation written from the paper, request by request."""

from __future__ import annotations

import pytest

from lodehound.drivers.replay import replay
from lodehound.papers.sb_classifier.sb_classifier import SbClassifier as Ours
from lodehound.registry import make_policy, make_target, parse
from tests.helpers import ROOT, recorded, url
from tests.oracles.cms import cms
from tests.oracles.sb_classifier import SbClassifier


@pytest.mark.parametrize("seed", range(4))
def test_every_request_is_one_that_the_paper_makes(seed: int) -> None:
    site = cms(seed)
    policy = make_policy(parse("policy", "sb-classifier:paper"), seed=seed)
    assert isinstance(policy, Ours)
    target = make_target(parse("target", "files:paper"))
    _, steps = replay(recorded(site), policy=policy, target=target)
    oracle = SbClassifier({url(at): one for at, one in site.items()}, ROOT, seed)

    dialogue = oracle.crawl()
    may = next(dialogue, None)
    made = list(steps)
    for step in made:
        assert may is not None
        assert (step.method, step.url in may[1]) == (may[0], True), (step.number, step.url, may)
        try:
            may = dialogue.send(step.url)
        except StopIteration:
            may = None
    assert may is None
    assert policy._time() == oracle.time
    assert len(made) > 150
    assert {step.method for step in made} == {"GET", "HEAD"}
