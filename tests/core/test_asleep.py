"""Sleeping hosts: readers see every change, whether they look often or rarely."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from lodehound.core.asleep import KEPT, Asleep, Changes, Sleepers

HOSTS = ["a", "b", "c", "d"]


def test_changes_since_a_mark() -> None:
    """Whoever fell asleep or woke is named, and whoever did nothing is not."""
    asleep = Asleep(["a"])
    mark = asleep.mark
    asleep.add("a")
    asleep.discard("c")
    assert asleep.since(mark) == set()
    asleep.discard("a")
    asleep.add("b")
    assert asleep.since(mark) == {"a", "b"}


def test_old_marks_are_forgotten() -> None:
    """The memory is bounded; who comes too late is told to look at everything."""
    asleep = Asleep()
    mark = asleep.mark
    for _ in range(2 * KEPT):
        asleep.add("a")
        asleep.discard("a")
    assert asleep.since(mark) is None
    assert asleep.since(asleep.mark) == set()


def test_marks_that_are_not_too_old_count_from_where_they_were_made() -> None:
    """Also after older changes were forgotten."""
    asleep = Asleep()
    for _ in range(2 * KEPT):
        asleep.add("a")
        asleep.discard("a")
    mark = asleep.mark
    asleep.add("b")
    asleep.add("c")
    assert asleep.since(mark) == {"b", "c"}
    assert asleep.since(mark + 1) == {"c"}
    assert asleep.since(mark - 1) == {"a", "b", "c"}


def test_another_set_is_looked_at_anew() -> None:
    changes, first, second = Changes(), Asleep(["a"]), Asleep(["b"])
    assert [changes.seen(first), changes.seen(first)] == [None, set()]
    assert [changes.seen(second), changes.seen({"a"}), changes.seen(second)] == [None] * 3


@given(
    st.lists(
        st.tuples(st.frozensets(st.sampled_from(HOSTS)), st.frozensets(st.sampled_from(HOSTS)))
    )
)
def test_both_ways_of_looking_agree(
    moments: Sequence[tuple[frozenset[str], frozenset[str]]],
) -> None:
    """Told by changes or by the whole set, the same hosts turn in the same order."""
    asleep, by_changes, by_all = Asleep(), Sleepers(), Sleepers()
    ours: set[str] = set()
    for sleeping, wanted in moments:
        asleep.become(sleeping)
        for sleepers in (by_changes, by_all):
            for host in wanted - ours:
                sleepers.added(host)
            for host in ours - wanted:
                sleepers.removed(host)
        ours = set(wanted)
        assert by_changes.update(asleep, ours) == by_all.update(sleeping, ours)
        assert by_changes.asleep == by_all.asleep == sleeping & ours
