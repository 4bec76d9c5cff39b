"""When a host may be asked again; the time is given, so no test waits."""

from __future__ import annotations

from lodehound.drivers.live.politeness import MAX_BACKOFF, Politeness


def polite(**options: float) -> Politeness:
    return Politeness(jitter=0.0, **options)  # type: ignore[arg-type]


def test_a_host_sleeps_for_its_delay() -> None:
    hosts = polite(delay=1.0)
    hosts.sent("a", 10.0)
    hosts.came_back("a", 10.2, failed=False)

    assert "a" in hosts.asleep(10.9)
    assert hosts.next_waking(10.9) == 11.0
    assert "a" not in hosts.asleep(11.0)


def test_one_request_at_a_time_while_there_is_a_delay() -> None:
    hosts = polite(delay=1.0, max_in_flight=8)
    hosts.sent("a", 0.0)

    assert "a" in hosts.asleep(50.0)
    hosts.came_back("a", 50.0, failed=False)
    assert "a" not in hosts.asleep(50.0)


def test_without_a_delay_several_may_be_in_flight() -> None:
    hosts = polite(delay=0.0, max_in_flight=2)
    hosts.sent("a", 0.0)

    assert "a" not in hosts.asleep(0.0)
    hosts.sent("a", 0.0)
    assert "a" in hosts.asleep(0.0)


def test_hosts_sleep_on_their_own() -> None:
    hosts = polite(delay=1.0)
    hosts.sent("a", 0.0)

    assert set(hosts.asleep(0.5)) == {"a"}


def test_failures_double_the_rest_and_success_ends_it() -> None:
    hosts = polite(delay=0.0, backoff=5.0)
    rests = []
    for turn in range(8):
        now = turn * 10_000.0
        hosts.sent("a", now)
        hosts.came_back("a", now, failed=True)
        rests.append(hosts.host("a").ready_at - now)

    assert rests == [5.0, 10.0, 20.0, 40.0, 80.0, 160.0, MAX_BACKOFF, MAX_BACKOFF]
    hosts.sent("a", 90_000.0)
    hosts.came_back("a", 90_000.0, failed=False)
    assert hosts.host("a").strikes == 0


def test_retry_after_is_kept() -> None:
    hosts = polite(delay=0.0, backoff=5.0)
    hosts.sent("a", 0.0)
    hosts.came_back("a", 0.0, failed=True, retry_after=120.0)

    assert "a" in hosts.asleep(119.9)
    assert "a" not in hosts.asleep(120.0)


def test_a_host_that_fails_on_and_on_is_given_up() -> None:
    hosts = polite(delay=0.0, suspend_after=3)
    for turn in range(3):
        assert not hosts.suspended("a")
        hosts.sent("a", turn * 1000.0)
        hosts.came_back("a", turn * 1000.0, failed=True)

    assert hosts.suspended("a")


def test_a_host_is_held_until_released() -> None:
    hosts = polite(delay=0.0, max_in_flight=4)
    hosts.hold("a")

    assert "a" in hosts.asleep(99.0)
    hosts.release("a", 99.0)
    assert "a" not in hosts.asleep(99.0)


def test_crawl_delay_only_lengthens() -> None:
    hosts = polite(delay=1.0)
    hosts.at_least("a", 7.0)
    hosts.at_least("a", 2.0)
    hosts.sent("a", 0.0)

    assert hosts.host("a").ready_at == 7.0


def test_jitter_stays_within_its_share() -> None:
    hosts = Politeness(delay=10.0, jitter=0.1, seed=3)
    pauses = set()
    for turn in range(50):
        now = turn * 100.0
        hosts.sent("a", now)
        hosts.came_back("a", now, failed=False)
        pauses.add(hosts.host("a").ready_at - now)

    assert len(pauses) > 40
    assert all(9.0 <= pause <= 11.0 for pause in pauses)


def test_the_delay_begins_when_a_request_is_written() -> None:
    """Connecting may take long: the host must not see the next request right after this one."""
    politeness = Politeness(delay=1.0, jitter=0.0)
    politeness.sent("h", 0.0)
    politeness.sending("h", 0.9)
    politeness.came_back("h", 0.95, failed=False)
    assert "h" in politeness.asleep(1.8)
    assert "h" not in politeness.asleep(1.9)


def test_failures_without_end_are_no_number_without_end() -> None:
    hosts = polite(delay=0.0, backoff=0.0, suspend_after=10_000)
    for _ in range(1100):
        hosts.sent("a", 0.0)
        hosts.came_back("a", 0.0, failed=True)
    assert hosts.retry_at("a", 5.0, tries=1100) == 5.0
