"""The scheduler when it has to wait, and when something fails."""

from __future__ import annotations

import logging
from collections.abc import Collection

import pytest

from lodehound.core.messages import Choice, Outcome, Page, Verdict
from lodehound.core.target import Target
from tests.helpers import Listening, url
from tests.scrapy.engine import CONCURRENCY, HandEngine, LastFirst, get, named

# --- waiting ----------------------------------------------------------------------------------


def test_a_full_slot_sleeps() -> None:
    """The choice is made when the request can be sent, not before; nothing is lost meanwhile."""
    engine = HandEngine(LastFirst())
    engine.start("")
    engine.answer(engine.take_one(), "a b c d e")
    taken = [engine.take_one() for _ in range(CONCURRENCY)]

    assert engine.take() is None
    assert engine.scheduler.has_pending_requests()
    engine.answer(taken[0], "new")
    assert named(engine.take_one()) == "new"


def test_a_page_counts_until_its_callback_ends() -> None:
    """Else the next choice would not know its links; but a slow callback stops nobody."""
    engine = HandEngine(Listening())
    engine.start("")
    engine.answer(engine.take_one(), "a b c d e")
    for request in [engine.take_one() for _ in range(CONCURRENCY)]:
        engine.arrive(request)

    assert engine.take() is None
    assert engine.take() is None
    (alarm,) = engine.alarms  # one is enough
    alarm()
    assert engine.woken == 1
    engine.seconds += 10
    assert named(engine.take_one()) == "e"


def test_a_callback_may_wait_for_its_own_requests() -> None:
    """What an endless callback has asked for is sent all the same."""
    policy = Listening()
    engine = HandEngine(policy)
    engine.start("")
    start = engine.take_one()
    response = engine.arrive(start, "a b")
    engine.follow(response, get("a"))
    assert engine.take() is None
    engine.seconds += 10
    a = engine.take_one()
    assert named(a) == "a"
    engine.answer(a)
    engine.follow(response, get("b"))
    engine.done(start)

    assert engine.run({}) == ["b"]


# --- when things go wrong ---------------------------------------------------------------------


class Failing(Listening):
    """Fails at its third outcome."""

    def learn(self, outcome: Outcome) -> None:
        super().learn(outcome)
        if len(self.outcomes) == 3:
            raise RuntimeError("a bug in a plug-in")


def test_a_policy_that_fails_does_not_take_the_crawl_along(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The rest goes out as it comes, and the log says so once."""
    engine = HandEngine(Failing())
    engine.start("")

    assert engine.run({"": "a b c", "b": "d"}) == ["", "a", "b", "c", "d"]
    assert [record.message[:30] for record in caplog.records if record.levelname == "ERROR"] == [
        "The learned order has failed; "
    ]


class Broken(Target):
    """Cannot judge."""

    def judge(self, page: Page) -> Verdict:
        raise RuntimeError("a bug in a plug-in")


def test_a_target_that_fails_does_not_take_the_crawl_along() -> None:
    engine = HandEngine(Listening(), target=Broken())
    engine.start("")

    assert engine.run({"": "a b", "a": "c"}) == ["", "a", "b", "c"]


class Stubborn(Listening):
    """Chooses the same link for ever."""

    def choose(self, asleep: Collection[str]) -> Choice | None:
        return Choice(self.outcomes[0].links[0])


def test_a_policy_that_breaks_its_contract_is_stopped() -> None:
    """A link that was not offered, or was chosen already, is nothing to send."""
    engine = HandEngine(Stubborn())
    engine.start("")

    assert engine.run({"": "a b"}) == ["", "a", "b"]


def test_a_job_directory_is_no_promise(caplog: pytest.LogCaptureFixture, tmp_path: object) -> None:
    """The log says that requests are in memory, and at the end how many are lost."""
    engine = HandEngine(Listening(), JOBDIR=str(tmp_path))
    engine.start("", "other")
    engine.answer(engine.take_one(), "a b")
    engine.scheduler.close("shutdown")

    warnings = [record.message for record in caplog.records if record.levelname == "WARNING"]
    assert "in memory only" in warnings[0]
    assert warnings[1] == "Requests that were not sent and are not stored in JOBDIR: 3."


def test_depth_priorities_are_named(caplog: pytest.LogCaptureFixture) -> None:
    """A setting that gives everything a priority leaves nothing to learn."""
    HandEngine(Listening(), DEPTH_PRIORITY=-1)

    assert "DEPTH_PRIORITY is below 0" in caplog.text


def test_the_log_says_why(caplog: pytest.LogCaptureFixture) -> None:
    """One line for every choice, and what was learned in the end."""
    caplog.set_level(logging.DEBUG, "lodehound.scrapy.scheduler")
    engine = HandEngine(LastFirst())
    engine.start("")
    engine.run({"": "a"})

    assert f"Chosen <GET {url('a')}>: newest" in caplog.text
