"""What the policy explores, and the probabilities of its choices."""

from __future__ import annotations

from collections import Counter

import pytest

from lodehound.core.messages import Choice, Outcome
from lodehound.policies.lodehound.lodehound_policy import MANY
from tests.policies.lodehound.test_policy import NOTHING, begun, find, link, place, show


def test_a_choice_has_the_probability_that_it_was_drawn_with() -> None:
    """The best link, and the least known of either half of the links."""
    policy = begun(explore=0.99)
    show(policy, *[link(f"/p/{i}.html", source=f"/{i}") for i in range(300)])
    best = policy._frontier.score_at(policy._frontier.best(()) or 0)
    rate = 0.99 * (1 - best) * 300 / (300 + MANY)

    choices = [choice for _ in range(400) if (choice := policy.pick(())) is not None]

    shares = Counter(round(choice.probability / rate, 1) for choice in choices)
    greedy = round((1 - rate) / rate, 1)
    assert set(shares) <= {greedy, 0.5}
    assert 1 - shares[greedy] / 400 == pytest.approx(rate, abs=0.1)


def test_the_least_known_link_is_explored() -> None:
    """All links but one are like a page that brought files; the other one is like none."""
    policy = begun(explore=0.99, optimism=0.0)
    strange = link("/q/other-words.htm?x=1", "html/body/main/div/ul/li/a")
    alike = [link(f"/p/{i}.html") for i in range(200)]
    show(policy, *alike, strange)
    policy.take(Choice(alike[7]))
    files = tuple(link(f"/f/{i}.csv", source="/p/7.html") for i in range(3))
    policy.learn(Outcome(Choice(alike[7]), alike[7].url, 200, "text/html", NOTHING, files))
    for _ in files:
        find(policy)

    choices = [choice for _ in range(200) if (choice := policy.pick(())) is not None]

    explored = {choice.link.url for choice in choices if choice.why.startswith("exploring")}
    assert explored == {strange.url}


def test_the_best_link_is_not_explored() -> None:
    """It is also the least known of its part; every link is drawn as often as it says."""
    best = "/q/some/other-page-of-words.htm?x=1"
    policy = begun(explore=0.99)
    others = [link(f"/p/{i}.html") for i in range(500)]
    show(policy, *others, link(best, "html/body/main/div/ul/li/a"))
    taken = Choice(others[7])
    policy.take(taken)
    policy.learn(Outcome(taken, taken.link.url, 200, "text/html", NOTHING, ()))

    choices = [choice for _ in range(600) if (choice := policy.pick(())) is not None]

    counts = Counter(place(choice) for choice in choices)
    said = {(place(choice), choice.probability) for choice in choices}
    assert {place(choice) for choice in choices if choice.why.startswith("exploring")} == {
        *counts
    } - {best}
    assert len(said) == len(counts)
    assert dict(said) == pytest.approx({url: n / 600 for url, n in counts.items()}, abs=0.05)


def test_exploration_grows_with_the_number_of_waiting_links() -> None:
    """What exploring teaches pays on the links that wait."""

    def probability_of_the_best(waiting: int) -> float:
        policy = begun(explore=0.4)
        show(policy, *[link(f"/p/{i}.html") for i in range(waiting)])
        return max(choice.probability for _ in range(20) if (choice := policy.pick(())))

    few, many = probability_of_the_best(10), probability_of_the_best(4000)
    assert few > 0.99
    assert many < 0.85


def test_nothing_is_explored_while_an_expected_file_waits() -> None:
    policy = begun(explore=0.9)
    show(policy, link("/data.csv"), *[link(f"/p/{i}.html") for i in range(2000)])

    choices = [choice for _ in range(20) if (choice := policy.pick(())) is not None]

    assert {(place(choice), choice.probability) for choice in choices} == {("/data.csv", 1.0)}
