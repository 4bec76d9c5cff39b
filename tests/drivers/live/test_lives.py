"""What holds for every life of a session, whatever the web, the budget and the user do.

A life is several sessions of one crawl: they end, are halted or killed, and the next one goes on
from the journal. The last one has no budget, and the site has recovered.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from lodehound.core import lanes
from lodehound.core.lives import State
from lodehound.core.stop import Budget
from tests.drivers.live.lives.life import POLICIES, Life, Plan
from tests.drivers.live.lives.memory import MemoryJournal
from tests.drivers.live.lives.site import Site

LIVES = 5_000
SOAK = 200_000  # some 40 minutes


def live(seed: int) -> None:
    """Live one life, and check what is left of it."""
    rng = random.Random(seed)
    site, journal, policy, now = Site(rng), MemoryJournal(), rng.choice(POLICIES), 0.0
    for _ in range(rng.randint(1, 4)):
        plan = Plan.drawn(rng, policy, journal, now)
        life = Life(site, journal, plan, rng, now).run()
        now = life.now
        check_end(life)
    site.healed = True
    plan = replace(plan, budget=Budget(), grants=None, halts=(), killed=None, render="auto")
    last = Life(site, journal, plan, rng, now).run()
    check_end(last)
    assert last.session.stop is not None
    assert last.session.stop.reason == "exhausted"
    assert last.crawl.unanswered == []
    assert journal.links_in(last.crawl.scope) <= journal.asked_urls()


def check_end(life: Life) -> None:
    session, crawl = life.session, life.crawl
    if life.killed or session.halted:
        return
    assert session.stop is not None
    assert not life.flying or life.session.asks_no_more
    assert session.in_flight == 0
    assert all(life.state is not State.CHOSEN for life in crawl.lives.rows.values())
    if session.stop.reason in {"exhausted", "unreachable"}:
        assert not session.waiting
        assert bool(crawl.lives.aside) == (session.stop.reason == "unreachable")
        assert len(crawl.unanswered) == 0
    # Everything that was reserved was made: nothing of the budget is left in a queue.
    elif session.stop.reason == "requests":
        assert life.charged == crawl.requests


@pytest.fixture(autouse=True)
def small_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every policy learn from the links of long pages in several steps."""
    monkeypatch.setattr(lanes, "SLICE", 3)


@pytest.mark.parametrize("part", range(10))
def test_random_lives(part: int) -> None:
    for seed in range(part * LIVES // 10, (part + 1) * LIVES // 10):
        live_named(seed)


def live_named(seed: int) -> None:
    try:
        live(seed)
    except Exception as error:
        raise AssertionError(f"Life {seed}: {error!r}") from error


@pytest.mark.soak
@pytest.mark.parametrize("part", range(10))
def test_many_random_lives(part: int) -> None:
    for seed in range(LIVES + part * SOAK // 10, LIVES + (part + 1) * SOAK // 10):
        live_named(seed)
