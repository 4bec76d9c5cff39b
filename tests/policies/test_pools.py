"""Pools give out every link once, in their order, and leave sleeping hosts alone."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lodehound.core.asleep import Asleep
from lodehound.core.link import Link
from lodehound.policies.pools import Bag, Fifo, Heap, Lifo

HOSTS = ["a.example", "b.example", "c.example"]


def link(number: int, host: int = 0) -> Link:
    return Link(f"https://{HOSTS[host]}/{number}")


def numbers(links: Sequence[Link | None]) -> list[int | None]:
    return [int(link.url.rpartition("/")[2]) if link else None for link in links]


def test_fifo() -> None:
    """First in, first out, across hosts."""
    pool = Fifo()
    for number in range(4):
        pool.push(link(number, number % 2))

    assert numbers([pool.pop(()) for _ in range(5)]) == [0, 1, 2, 3, None]


def test_lifo() -> None:
    """Last in, first out, across hosts."""
    pool = Lifo()
    for number in range(4):
        pool.push(link(number, number % 2))

    assert numbers([pool.pop(()) for _ in range(5)]) == [3, 2, 1, 0, None]


def test_heap() -> None:
    """The smallest key first; among equals the oldest, whatever the links are."""
    pool = Heap()
    for number, key in enumerate([2.0, 1.0, 2.0, 1.0, 0.5]):
        pool.push(link(number, number % 3), key)

    assert numbers(pool.drain()) == [4, 1, 3, 0, 2]
    assert len(pool) == 0


def test_sleeping_hosts_keep_their_links() -> None:
    """Others go first; the sleeper's links come in their order when it wakes."""
    pool = Fifo()
    for number, host in enumerate([0, 1, 0, 1, 2]):
        pool.push(link(number, host))

    asleep = [pool.pop({HOSTS[0]}) for _ in range(2)] + [pool.pop({HOSTS[0], HOSTS[2]})]
    nobody = pool.pop(set(HOSTS))

    assert numbers([*asleep, nobody]) == [1, 3, None, None]
    assert len(pool) == 3
    assert numbers(pool.drain()) == [0, 2, 4]


def test_a_sleeping_host_costs_one_look() -> None:
    """However often links of it came and went, nothing of the host is left to look at twice."""
    pool = Lifo()
    pool.push(link(0))
    for number in range(1, 500):
        pool.push(link(number))
        pool.pop(())

    assert pool.pop({HOSTS[0]}) is None
    assert len(pool._heads) == 0
    assert numbers([pool.pop(())]) == [0]


# --- against a naive model ---------------------------------------------------------------------


@dataclass
class Naive:
    """A list that is searched from end to end."""

    order: Callable[[int, int], Any]  # key and number to rank
    links: list[tuple[Any, Link]] = field(default_factory=list)
    count: int = 0

    def push(self, new: Link, key: int) -> None:
        self.count += 1
        self.links.append((self.order(key, self.count), new))

    def pop(self, asleep: Collection[str]) -> Link | None:
        awake = [entry for entry in self.links if entry[1].host not in asleep]
        if not awake:
            return None
        first = min(awake, key=lambda entry: entry[0])
        self.links.remove(first)
        return first[1]

    def take(self, gone: Link) -> bool:
        before = len(self.links)
        self.links = [entry for entry in self.links if entry[1] != gone]
        return len(self.links) < before


# A push of (host, key), a pop with these hosts asleep, or the taking of the link that the
# action of this number pushed.
ACTIONS = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 3))
    | st.frozensets(st.sampled_from(HOSTS))
    | st.integers(0, 30),
    max_size=60,
)


def taken(action: int, actions: Sequence[Any]) -> Link:
    pushed = actions[action] if action < len(actions) else None
    return link(action, pushed[0] if isinstance(pushed, tuple) else 0)


def play(
    push: Callable[[Link, int], None], pool: Any, naive: Naive, actions: Sequence[Any]
) -> None:
    asleep = Asleep()  # shown now and then, and with only some of its changes since
    for number, action in enumerate(actions):
        if isinstance(action, frozenset):
            asleep.become(action)
            assert pool.pop(asleep if len(action) != 1 else action) == naive.pop(action)
        elif isinstance(action, int):
            gone = taken(action, actions)
            assert pool.take(gone) == naive.take(gone)
        else:
            host, key = action
            push(link(number, host), key)
            naive.push(link(number, host), key)
        assert len(pool) == len(naive.links)
        assert Counter(pool) == Counter(one for _, one in naive.links)
    assert numbers(pool.drain()) == numbers([naive.pop(()) for _ in naive.links.copy()])


@settings(max_examples=150)
@given(ACTIONS)
def test_heap_against_a_list(actions: Sequence[Any]) -> None:
    """Any pushes, pops and takings, any sleepers: the same links in the same order."""
    pool = Heap()
    play(pool.push, pool, Naive(lambda key, number: (key, number)), actions)


@settings(max_examples=80)
@given(ACTIONS)
def test_fifo_against_a_list(actions: Sequence[Any]) -> None:
    """The same for a queue."""
    pool = Fifo()
    play(lambda new, _: pool.push(new), pool, Naive(lambda _, number: number), actions)


@settings(max_examples=80)
@given(ACTIONS)
def test_lifo_against_a_list(actions: Sequence[Any]) -> None:
    """The same for a stack."""
    pool = Lifo()
    play(lambda new, _: pool.push(new), pool, Naive(lambda _, number: -number), actions)


@settings(max_examples=150)
@given(ACTIONS, st.integers(0, 99))
def test_bag_against_a_list(actions: Sequence[Any], seed: int) -> None:
    """Any awake link, each once; the count of the awake is right."""
    bag, held, asleep = Bag(random.Random(seed)), list[Link](), Asleep()
    for number, action in enumerate(actions):
        if isinstance(action, tuple):
            bag.push(link(number, action[0]))
            held.append(link(number, action[0]))
            continue
        if isinstance(action, int):
            gone = taken(action, actions)
            assert bag.take(gone) == (gone in held)
            held = [one for one in held if one != gone]
            assert Counter(bag) == Counter(held)
            continue
        asleep.become(action)
        awake = [one for one in held if one.host not in action]
        assert bag.awake(asleep if len(action) != 1 else action) == len(awake)
        drawn = bag.pop(asleep)
        assert (drawn is None and not awake) or drawn in awake
        if drawn is not None:
            held.remove(drawn)
    assert len(bag) == bag.awake(()) == len(held)
    assert Counter(bag.pop(()) for _ in held.copy()) == Counter(held)


@pytest.mark.parametrize("take", [0, 4])
@pytest.mark.parametrize("asleep", [frozenset(), frozenset({HOSTS[2]})])
def test_a_bag_is_fair(asleep: frozenset[str], take: int) -> None:
    """Over 6,000 draws of one in six every link comes about 1,000 times, large host or small."""
    rng = random.Random(5)
    counts: Counter[str] = Counter()
    for _ in range(6000):
        bag = Bag(rng)
        for number, host in enumerate([0, 0, 0, 0, 1, 1, *([2, 2, 2] if asleep else [])]):
            bag.push(link(number, host))
        for number in range(take):
            bag.push(link(10 + number, 0))
        assert all(bag.take(link(10 + number, 0)) for number in range(take))
        drawn = bag.pop(asleep)
        assert drawn is not None
        counts[drawn.url] += 1

    assert len(counts) == 6
    chi_square = sum((count - 1000) ** 2 / 1000 for count in counts.values())
    assert chi_square < 20.5  # one in a thousand fair bags does worse
