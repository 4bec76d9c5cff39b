"""A shared budget goes where it brings most, and every site gets its floor."""

from __future__ import annotations

from collections.abc import Sequence

from lodehound.learn.shares import SharedBudget, SiteStanding


def spent(rates: Sequence[Sequence[int]], total: int, **options: float) -> list[int]:
    """Spend a budget on sites whose requests bring what is listed; return their requests."""
    budget = SharedBudget(total, len(rates), **options)  # type: ignore[arg-type]
    used = [0] * len(rates)

    def standing() -> dict[int, SiteStanding]:
        return {
            n: SiteStanding(used[n], sum(one[: used[n]]), used[n] < len(one))
            for n, one in enumerate(rates)
        }

    while granted := budget.grants(standing()):
        for site, amount in granted.items():
            assert amount > used[site]
            used[site] = min(amount, len(rates[site]))
    assert budget.is_spent(standing())
    return used


def test_the_best_site_gets_most_and_the_others_their_floor() -> None:
    used = spent([[0] * 1000, [1] * 1000, [0] * 1000], 600)
    assert sum(used) == 600
    assert used[1] > 450
    assert min(used) >= 20


def test_a_site_that_is_emptied_loses_its_share() -> None:
    used = spent([[1] * 100 + [0] * 900, [0, 1] * 500], 700)
    assert used[0] < 250


def test_the_budget_is_never_exceeded() -> None:
    for total in (1, 7, 50, 333):
        used = spent([[1] * 100, [0] * 100, [0, 1] * 50], total)
        assert sum(used) == min(total, 300)


def test_what_an_exhausted_site_leaves_over_goes_to_others() -> None:
    assert sum(spent([[1] * 5, [0] * 1000], 300)) == 300


def test_many_sites_have_a_low_floor() -> None:
    used = spent([[0] * 100] * 50, 100)
    assert (sum(used), min(used)) == (100, 1)


def test_what_a_site_gives_back_goes_to_the_others() -> None:
    """A part that waits for links gives back its grant, and gets a new one when it goes on."""
    budget = SharedBudget(100, 2, floor=20, portion=80)
    assert budget.grants({n: SiteStanding(0, 0, True, 0) for n in (1, 2)}) == {1: 20, 2: 20}
    waits, works = SiteStanding(5, 1, False, 5), SiteStanding(20, 9, True, 20)
    assert budget.grants({1: waits, 2: works}) == {2: 95}
    goes_on, done = SiteStanding(5, 1, True, 5), SiteStanding(95, 40, True, 95)
    assert budget.grants({1: goes_on, 2: done}) == {}
    assert budget.is_spent({1: goes_on, 2: done})


def crawled(paces: Sequence[float], total: int, ahead: float, seconds: float) -> list[float]:
    """Crawl sites by a simulated clock; return the share of the time that each did not wait.

    Requests are told, and grants heard of, every tenth of a second; every request brings a find.
    """
    budget = SharedBudget(total, len(paces), ahead=ahead)
    made, told, granted = [0.0] * len(paces), [0] * len(paces), [0] * len(paces)
    worked = [0.0] * len(paces)
    for tick in range(1, round(seconds * 100) + 1):
        for site, pace in enumerate(paces):
            more = min(pace / 100, granted[site] - made[site])
            made[site] += more
            worked[site] += more / (pace / 100)
        if tick % 10 == 0:
            heard = dict(
                budget.grants({n: SiteStanding(r, r, True) for n, r in enumerate(told)}, tick / 100)
            )
            told = [int(some) for some in made]  # they are known in the next look
            granted = [heard.get(site, before) for site, before in enumerate(granted)]
            assert sum(granted) <= total
    return [some / (seconds * 100) for some in worked]


def test_a_good_site_never_waits_for_its_grant() -> None:
    """Grants last until the next one comes, whatever the pace of a site."""
    paces = [2, 20, 200, 600]
    assert min(crawled(paces, 100_000, ahead=1.0, seconds=30)) > 0.9
    assert max(crawled(paces[2:], 100_000, ahead=0.0, seconds=30)) < 0.5


def test_a_fast_site_does_not_exceed_the_budget() -> None:
    budget = SharedBudget(500, 2, ahead=1.0)
    used = 0
    for tick in range(1, 40):
        used = budget.grants({1: SiteStanding(used, used, True)}, tick / 10).get(1, used)
    assert used == 500
    assert budget.is_spent({1: SiteStanding(500, 500, True)})
