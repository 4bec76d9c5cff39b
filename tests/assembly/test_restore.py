"""A crawl that was broken off and taken up is the crawl it would have been."""

from __future__ import annotations

import random
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from lodehound.core import crawl
from lodehound.core.errors import SiteError
from lodehound.core.link import Link
from lodehound.core.messages import Stop
from lodehound.core.stop import Budget
from lodehound.core.target import Target
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.targets.files import Files
from tests.stores.crawl_dir.driving import ROOT, Driver, Rows, begin, outcome

HEAD_FIRST = "tests.stores.crawl_dir.driving:HeadFirst"
POLICIES = ["bfs", "random", "focused:warmup=5", "lodehound", "sb-classifier:b=3", HEAD_FIRST]
OTHERS = [
    "anthelion", "best-first", "dfs", "ldcoc:head=on", "online", "random-host",
    "rdf-batch:charged=true,train=20", "sarsa", "tp-off:warmup=20", "tres:warmup=20",
]  # fmt: skip
KINDS = [(1, False), (1, True), (5, False), (5, True)]


def figures(driver: Driver) -> tuple[object, ...]:
    crawl = driver.crawl
    return crawl.requests, crawl.bytes, crawl.finds, crawl.known, crawl.refused, crawl.unanswered


@pytest.mark.parametrize(
    ("policy", "in_flight", "sleepy"),
    [*((policy, *kind) for policy in POLICIES for kind in KINDS), *((o, 5, True) for o in OTHERS)],
)
def test_a_restored_crawl_goes_on_as_if_nothing_had_happened(
    tmp_path: Path, policy: str, in_flight: int, sleepy: bool
) -> None:
    """Same figures, and from there the same requests in the same order, to the end."""
    driver, again = cut_and_restore(tmp_path, policy, in_flight, sleepy=sleepy)

    assert again.policy.told == driver.policy.told


@pytest.mark.parametrize("in_flight", [1, 5])
@pytest.mark.parametrize(("policy", "forgets"), [("lodehound", True), ("sb-classifier:b=3", False)])
def test_forgotten_picks_are_not_repeated(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    policy: str,
    forgets: bool,
    in_flight: int,
) -> None:
    """A policy that can forget its picks is restored without most of them, and goes on the same."""
    monkeypatch.setattr(crawl, "REFRESH", 25)

    _, again = cut_and_restore(tmp_path, policy, in_flight, sleepy=in_flight > 1)

    picks, asks = again.policy.picks, again.crawl.requests - len(again.asked)
    assert picks < 0.6 * asks if forgets else picks >= 0.8 * asks


def cut_and_restore(
    tmp_path: Path, policy: str, in_flight: int, *, sleepy: bool
) -> tuple[Driver, Driver]:
    with begin(tmp_path / "one") as directory:
        driver = Driver(directory, policy=policy, in_flight=in_flight, sleepy=sleepy)
        turns = driver.turns()
        while len(driver.steps) < 60:
            next(committed for committed in turns if committed)
        at_the_cut, state, asked = figures(driver), driver.rng.getstate(), len(driver.asked)
        shutil.copytree(tmp_path / "one", tmp_path / "two")
        driver.run()
        undisturbed = outcome(directory)
    with CrawlDir.open(tmp_path / "two") as directory:
        again = Driver(directory, policy=policy, in_flight=in_flight, sleepy=sleepy)
        assert figures(again) == at_the_cut
        again.rng.setstate(state)
        again.run()
        assert again.asked == driver.asked[asked:]
        assert again.steps == driver.steps[60:]
        assert outcome(directory) == undisturbed
    return driver, again


@pytest.mark.parametrize(("policy", "target"), [("bfs", Rows()), (HEAD_FIRST, Files())])
def test_what_was_found_stays_found_without_its_body(
    tmp_path: Path, policy: str, target: Target
) -> None:
    """The policy is told the same again, of bodies that are gone and of HEADs that had none."""
    with begin(tmp_path / "one") as directory:
        driver = Driver(directory, policy=policy, target=target)
        driver.run()
    with CrawlDir.open(tmp_path / "one") as directory:
        again = Driver(directory, policy=policy, target=target)
    told = driver.policy.told
    found = {one.choice.method for one in told if one.choice and one.verdict.found}
    assert found == ({"GET"} if policy == "bfs" else {"GET", "HEAD"})
    assert figures(again) == figures(driver)
    assert again.policy.told == told
    assert again.crawl.target is target


@pytest.mark.parametrize("seed", range(6))
def test_cut_at_any_moment_it_comes_to_the_same(tmp_path: Path, seed: int) -> None:
    """Whatever was not committed is done again; nothing is lost, nothing is found twice."""
    rng = random.Random(seed)
    policy = rng.choice(POLICIES)
    with begin(tmp_path / "whole") as directory:
        Driver(directory, policy=policy).run()
        undisturbed = outcome(directory)
    begin(tmp_path / "0").close()
    for cut in range(4):
        with CrawlDir.open(tmp_path / f"{cut}") as directory:
            driver = Driver(directory, policy=policy, in_flight=5, sleepy=True, seed=seed + cut)
            for _, _ in zip(range(rng.randrange(1, 120)), driver.turns(), strict=False):
                pass
            shutil.copytree(tmp_path / f"{cut}", tmp_path / f"{cut + 1}")
    with CrawlDir.open(tmp_path / "4") as directory:
        Driver(directory, policy=policy, in_flight=5, sleepy=True).run()
        assert outcome(directory) == undisturbed


def test_requests_in_flight_are_sent_again_and_no_others(tmp_path: Path) -> None:
    """What was asked before the last answer is known; what was asked after it is asked anew."""
    with begin(tmp_path / "one") as directory:
        driver = Driver(directory, policy="bfs", in_flight=4)
        turns = driver.turns()
        committed = [next(turns) for _ in range(30)]
        shutil.copytree(tmp_path / "one", tmp_path / "two")
        last = max(index for index, done in enumerate(committed) if done)
        lost = len(committed) - 1 - last
        flying = list(driver.flying)
    with CrawlDir.open(tmp_path / "two") as directory:
        again = Driver(directory, policy="bfs", in_flight=4)
        assert again.crawl.unanswered == flying[: len(flying) - lost]


def test_an_orderly_end_keeps_what_is_in_flight(tmp_path: Path) -> None:
    """Closing commits the asks that have no answer yet."""
    with begin(tmp_path / "one") as directory:
        driver = Driver(directory, policy="bfs", in_flight=5)
        for _ in zip(range(33), driver.turns(), strict=False):
            pass
        flying = driver.flying
    with CrawlDir.open(tmp_path / "one") as directory:
        assert Driver(directory, policy="bfs").crawl.unanswered == flying


@pytest.mark.parametrize("in_flight", [1, 5])
def test_a_larger_budget_of_requests_goes_on(tmp_path: Path, in_flight: int) -> None:
    """A crawl that has spent its budget is taken up with another one, again and again."""
    with begin(tmp_path / "whole") as directory:
        Driver(directory).run()
        undisturbed = outcome(directory)
    begin(tmp_path / "parts").close()
    for requests in (20, 40, 60, 100_000):
        with CrawlDir.open(tmp_path / "parts") as directory:
            budget = Budget(requests=requests)
            driver = Driver(directory, budget=budget, in_flight=in_flight, sleepy=in_flight > 1)
            driver.run()
            assert driver.crawl.budget == budget
            assert driver.crawl.requests <= requests
            found = outcome(directory)
    assert driver.crawl.stopped == "exhausted"
    assert found == undisturbed


def test_a_smaller_budget_stops_at_once(tmp_path: Path) -> None:
    """What was done is done, whatever the budget says now."""
    with begin(tmp_path / "one") as directory:
        Driver(directory).run()
    with CrawlDir.open(tmp_path / "one") as directory:
        driver = Driver(directory, budget=Budget(requests=5))
        assert driver.crawl.next() == Stop("requests")


def test_a_budget_of_finds_is_restored(tmp_path: Path) -> None:
    """Near the end of the budget the crawl held back; it does so again."""
    begin(tmp_path / "one").close()
    for turns in (60, 60, 60, 1000):
        with CrawlDir.open(tmp_path / "one") as directory:
            driver = Driver(directory, in_flight=5, budget=Budget(finds=9))
            for _ in zip(range(turns), driver.turns(), strict=False):
                pass
    assert driver.crawl.stopped == "finds"
    assert driver.crawl.finds == 9


def test_a_policy_that_cannot_pick_is_held_to_its_choices(tmp_path: Path) -> None:
    """The message says what was and what would be, and the ways out."""
    with begin(tmp_path / "one") as directory:
        Driver(directory, policy="bfs").run()
    with (
        CrawlDir.open(tmp_path / "one") as directory,
        pytest.raises(SiteError, match="HeadFirst cannot continue this crawl") as caught,
    ):
        Driver(directory, policy=HEAD_FIRST)
    assert f"it chooses HEAD {ROOT} where the journal has GET {ROOT}." in str(caught.value)
    assert "lodehound.ResumablePolicy" in str(caught.value)


def test_a_policy_that_cannot_pick_is_held_to_its_waits(tmp_path: Path) -> None:
    with begin(tmp_path / "one") as directory:
        directory.journal.waited(())
    with CrawlDir.open(tmp_path / "one") as directory:
        driver = Driver(directory, policy=HEAD_FIRST)
        with pytest.raises(SiteError, match=f"chooses HEAD {ROOT} where the journal has nothing"):
            driver.policy.pick(())


@pytest.mark.parametrize("policy", ["bfs", "sb-classifier:b=3"])
@pytest.mark.parametrize("depths", [(None, 1), (1, None)])
def test_what_was_asked_is_asked_whatever_the_scope_says_now(
    tmp_path: Path, policy: str, depths: tuple[int | None, int | None]
) -> None:
    """A scope that lets fewer links in, or more, goes on from what the other one asked for."""
    with begin(tmp_path / "whole") as directory:
        driver = Driver(directory, policy=policy)
        driver.run()
        scope, whole = driver.crawl.scope, outcome(directory)
    begin(tmp_path / "one").close()
    for depth in depths:
        with (
            CrawlDir.open(tmp_path / "one") as directory,
            pytest.MonkeyPatch.context() as patched,
        ):
            changed = replace(scope, max_depth=depth)
            patched.setattr("tests.stores.crawl_dir.driving.scope_of", lambda *_, s=changed: s)
            driver = Driver(directory, policy=policy)
            driver.run()
            asked = [*driver.asked]
            end = outcome(directory)
    assert end == whole
    assert bool(asked) == (depths[1] is None)


def test_an_empty_journal_restores_nothing(tmp_path: Path) -> None:
    """A crawl that was killed before its first answer begins at the beginning."""
    with begin(tmp_path / "one") as directory:
        driver = Driver(directory)
        assert (driver.events, driver.crawl.requests) == (0, 0)
        assert driver.crawl.policy.choose(()).link == Link(ROOT, kind="")  # type: ignore[union-attr]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> object:
    """What a crawl that nothing disturbs comes to."""
    with begin(tmp_path_factory.mktemp("whole") / "crawl") as directory:
        Driver(directory, policy="bfs").run()
        return outcome(directory)


@pytest.fixture(scope="module", params=["lodehound", "sb-classifier:b=3", HEAD_FIRST])
def begun(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Driver]:
    """A crawl that was broken off."""
    path = tmp_path_factory.mktemp("begun") / "crawl"
    with begin(path) as directory:
        driver = Driver(directory, policy=request.param, in_flight=5, sleepy=True)
        for _ in zip(range(110), driver.turns(), strict=False):
            pass
    return path, driver


@pytest.mark.parametrize("second", [*POLICIES[:-1], *OTHERS])
def test_any_policy_continues_what_another_began(
    tmp_path: Path, begun: tuple[Path, Driver], second: str, whole: object
) -> None:
    """With retries, redirects, HEADs, sleeping hosts and requests in flight."""
    path, driver = begun
    shutil.copytree(path, tmp_path / "one")
    with CrawlDir.open(tmp_path / "one") as directory:
        again = Driver(directory, policy=second, in_flight=5, sleepy=True, seed=1)
        again.run()
        end = outcome(directory)
    requests = driver.asked + again.asked
    assert len(set(requests)) == len(requests)
    assert end == whole


def test_what_another_policy_has_learned_from_a_journal(tmp_path: Path) -> None:
    """SB-CLASSIFIER knows the groups that a breadth-first crawl has visited, and their rewards."""
    with begin(tmp_path / "one") as directory:
        driver = Driver(directory, policy="bfs")
        for _ in zip(range(200), driver.turns(), strict=False):
            pass
        pages = sum(step.mime == "text/html" for step in driver.steps)
    with CrawlDir.open(tmp_path / "one") as directory:
        groups = Driver(directory, policy="sb-classifier:b=3").policy.groups()
    assert sum(group.visits for group in groups) > 0.8 * pages
    assert sum(group.finds for group in groups) > 0.5 * driver.crawl.finds
