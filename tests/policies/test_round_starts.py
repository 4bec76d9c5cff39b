"""What a further round expects before it has seen anything, and where it begins."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lodehound.core.history import KnownUrl, PastVisit
from lodehound.core.link import Link
from lodehound.core.messages import Outcome
from lodehound.learn.news import FIND, NewsMeans
from lodehound.learn.revisits import Revisits
from tests.helpers import NOTHING, ROOT, url
from tests.policies.test_rounds import begun, known, news, order, same


def only_once(at: str, *, time: float = 0.0) -> KnownUrl:
    """A file that was never visited again."""
    return replace(known(at, file=True), visits=[PastVisit(time, "new")])


def test_feeds_are_expected_to_change() -> None:
    """Nothing was visited again yet."""
    files = [only_once(at) for at in ("a/x.pdf", "b/x.csv", "c/x.xml", "d/x.txt")]

    assert order(begun(files))[0] == "c/x.xml"


def test_many_visits_to_one_ending_say_little_about_another() -> None:
    """All 1,000 visits had news, and count as 2: (10 * 0.02 + 2) / (10 + 2)."""
    endings = np.array([0, 1])
    means = NewsMeans(endings, np.array([FIND, FIND]), np.array([False, False]), 1.0)
    means.learn(np.zeros(1000, dtype=np.int64), np.ones(1000), np.ones(1000))

    assert means.rates(endings) == pytest.approx([1.0, 2.2 / 12], abs=0.002)


def test_a_first_revisit_counts_as_several() -> None:
    """It is expected to bring more than later ones, so a third of changes is a lower rate."""
    visits = [PastVisit(1.0, "changed", 0, 1), *[PastVisit(1.0, "same")] * 2] * 10
    again = [known(f"f/{n}.csv", visit, file=True) for n, visit in enumerate(visits)]
    model = Revisits([*again, only_once("f/99.csv", time=1.0)], 2.0)

    assert model.means.rates(model.kinds[:1]) < 0.2
    assert model.expected().max() < 1  # a probability


def test_a_round_begins_at_the_start_page() -> None:
    """It never had news, as far as is known; but it shows where a site has grown."""
    start = replace(known(""), link=Link(url(""), kind=""))
    pages = [known(f"list/{n}", *news(3, links=3)) for n in range(5)]

    assert order(begun([*pages, start]))[0] == ""


def test_a_round_begins_at_the_start_page_when_a_sleeping_host_wakes() -> None:
    start = replace(known(""), link=Link(url(""), kind=""))
    policy = begun([*[known(f"list/{n}", *news(3, links=3)) for n in range(5)], start])

    assert [policy.choose({start.link.host}) for _ in range(2)] == [None, None]
    assert order(policy)[0] == ""


def test_a_host_that_sleeps_between_requests_changes_nothing() -> None:
    """What an answer says of related URLs, and of what is left, counts while they sleep."""
    again = [
        known(f"a/{n}.{kind}", file=kind == "csv") for n in range(9) for kind in ("csv", "htm")
    ]
    lists = [known(f"list/{n}", *news(n), links=(f"a/{n}.csv",)) for n in range(5)]
    awake, sleepy = begun([*again, *lists]), begun([*again, *lists])
    while (choice := awake.choose(())) is not None:
        assert sleepy.choose(()) == choice
        assert sleepy.choose({choice.link.host}) is None
        assert sleepy.remaining_yield() == awake.remaining_yield()
        for policy in (awake, sleepy):
            policy.learn(same(choice))


def test_a_host_that_sleeps_while_others_do_not_counts_as_left() -> None:
    far = replace(known("x"), link=Link("https://other.example/x", ROOT, kind="a"))
    policy = begun([*[known(f"list/{n}", *news(3, links=3)) for n in range(5)], far])
    before = policy.remaining_yield()
    choice = policy.choose({known("").link.host})

    assert choice is not None
    assert choice.link == far.link
    after = policy.remaining_yield()
    assert before is not None
    assert after is not None
    assert after.left > 0.9 * before.left


def test_many_start_pages_do_not_use_up_a_round() -> None:
    """Those that were visited last wait for the next round."""
    starts = [
        replace(
            known(f"s/{n}"), link=Link(url(f"s/{n}"), kind=""), visits=[PastVisit(float(n), "new")]
        )
        for n in range(20)
    ]
    page = known("list/x", *news(3, links=3))

    assert order(begun([*starts, page], time=30.0))[:2] == ["s/0", "list/x"]


def test_a_page_left_out_by_the_last_round_comes_after_a_new_one_like_it() -> None:
    posts = [known(f"posts/{n}") for n in range(9)]
    files = [known(f"posts/{n}.csv", file=True) for n in range(9)]
    for n, one in enumerate(files):
        one.link = one.link._replace(source=url(f"posts/{n}"))
    left = replace(known("posts/20"), visits=[])
    policy = begun([*posts, *files, left])
    new = known("posts/21").link
    policy.learn(Outcome(None, "", 0, "", NOTHING, (new,)))

    places = order(policy)
    assert places.index("posts/21") < places.index("posts/20")
