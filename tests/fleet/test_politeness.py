"""Crawls of one process that ask the same host ask it as one."""

from __future__ import annotations

from lodehound.drivers.fleet.shared_politeness import POLL, SharedPoliteness


def pair(first: float = 1.0, second: float = 1.0) -> tuple[SharedPoliteness, SharedPoliteness]:
    team: list[SharedPoliteness] = []
    one, two = (SharedPoliteness(team, delay=delay, jitter=0.0) for delay in (first, second))
    one.join(lambda: 0.0)
    two.join(lambda: 100.0)  # each has a time of its own
    return one, two


def test_a_host_rests_for_all() -> None:
    one, two = pair()
    one.sent("h", 0.0)
    assert not two.allows("h", 100.9)
    one.came_back("h", 0.0, failed=False)
    assert not two.allows("h", 100.9)
    assert two.allows("h", 101.0)


def test_only_one_asks_at_a_time() -> None:
    one, two = pair()
    one.sent("h", 0.0)
    assert not two.allows("h", 200.0)
    assert not two.allows("h", 200.0, held=True)  # not even for robots.txt
    assert two.next_waking(99.0) == 100.0 + POLL  # it looks again soon
    one.came_back("h", 0.0, failed=False)
    assert two.allows("h", 200.0, held=True)


def test_the_slowest_sets_the_pace() -> None:
    one, two = pair(1.0, 5.0)
    two.sent("h", 100.0)
    two.came_back("h", 100.0, failed=False)
    one.sent("h", 10.0)
    one.came_back("h", 10.0, failed=False)
    assert not one.allows("h", 14.9)
    assert one.allows("h", 15.0)


def test_a_host_in_trouble_rests_for_all() -> None:
    one, two = pair()
    one.sent("h", 0.0)
    one.came_back("h", 0.0, failed=True, retry_after=60.0)
    assert not two.allows("h", 159.0)
    assert two.allows("h", 160.0)


def test_a_crawl_that_is_given_up_leaves_no_request_behind() -> None:
    one, two = pair()
    one.sent("h", 0.0)
    one.leave()
    assert two.allows("h", 101.0)


def test_other_hosts_do_not_wait() -> None:
    one, two = pair()
    one.sent("h", 0.0)
    assert two.allows("other", 100.0)


def test_a_newcomer_knows_what_was_asked_before() -> None:
    one, _ = pair()
    one.sent("h", 0.0)
    late = SharedPoliteness(one._team, delay=1.0, jitter=0.0)
    late.join(lambda: 50.0)
    assert not late.allows("h", 60.0)  # it is still in flight
    one.came_back("h", 0.0, failed=False)
    assert not late.allows("h", 50.9, held=True)
    assert late.allows("h", 51.0)
