"""``sarsa`` beside an implementation written from the paper: every choice and every weight."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

from lodehound.core.link import Link
from lodehound.core.messages import Verdict
from lodehound.papers.han.sarsa import Sarsa as Ours
from tests.oracles.dialogue import Place, crawl
from tests.oracles.sarsa import Pair, Sarsa
from tests.read.test_subject import BIRDS

START = "https://wiki.example/start"


def web_of(seed: int, *, pages: int = 60) -> tuple[dict[str, Place], dict[str, list[float]]]:
    """A wiki, and how near its links are to the topic and to its category."""
    rng = random.Random(seed)
    urls = [START, *(f"https://wiki.example/{number}" for number in range(pages))]
    said = {url: [rng.randrange(4), rng.randrange(4)] for url in urls}
    web, near = {}, {}
    for url in urls:
        lengths = np.linalg.norm(said[url]) or 1.0
        near[url] = [float(count / lengths) for count in said[url]]
        shown = rng.sample(
            [one for one in urls if one != START], 5 if url == START else rng.randint(0, 9)
        )
        links = tuple(
            Link(to, url, "html/body/a", "bird " * said[to][0] + "war " * said[to][1])
            for to in shown
        )
        nearness = [rng.random(), rng.random()]
        details = {"lang": "en", "near": nearness, "stems": {"bird": 1}, "rest": 0}
        found = rng.random() < 0.2 + nearness[0] / 2
        web[url] = Place(Verdict(found, 1.0, "", json.dumps(details)), links)
    return web, near


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("update", ["synchronous", "asynchronous", "moderated"])
def test_every_choice_and_every_weight(update: str, seed: int) -> None:
    web, near = web_of(seed)
    policy = Ours(subject=BIRDS, epsilon=0.0, update=update)  # type: ignore[arg-type]
    oracle, visits = Sarsa(len(policy.weights), update, near), 0
    for choice, outcome in crawl(policy, web, START):
        taken: Pair | None = None
        if choice.link.url != START:
            taken = next(pair for pair, left in oracle.best() if choice.link.url in left)
        details = json.loads(outcome.verdict.details)
        assert policy.weights == pytest.approx(oracle.weights, rel=1e-9, abs=1e-12)
        oracle.visit(outcome, details["near"], taken)
        visits += 1
    assert visits > 40
    assert any(oracle.weights)
    assert oracle.best() == []
