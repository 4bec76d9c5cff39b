"""The baselines of Section 4.3 on tiny sites, by hand."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from lodehound.core.messages import Choice, Outcome
from lodehound.core.policy import Policy
from lodehound.core.truth import Kind
from lodehound.papers.sb_classifier.focused import Focused
from lodehound.papers.sb_classifier.omniscient import Omniscient
from lodehound.papers.sb_classifier.tp_off import TpOff
from lodehound.policies.bfs import Bfs
from lodehound.policies.dfs import Dfs
from lodehound.policies.files_first import FilesFirst
from lodehound.policies.random import Random
from tests.helpers import (
    as_failure,
    as_file,
    as_page,
    batches_of,
    chosen,
    crawled,
    failed,
    file,
    link,
    moved,
    page,
    place,
    recorded,
    started,
    url,
)

TREE = recorded(
    {
        "": page("a", "b"),
        "a": page("a1.csv", "c"),
        "b": page("b1.csv", "a"),
        "a1.csv": file(),
        "b1.csv": file(),
        "c": page(),
    }
)


class Truth:
    """Every csv is a target, every gone link neither, the rest pages."""

    def __init__(self, *targets: str) -> None:
        self._targets = [url(target) for target in targets]

    def kind(self, address: str) -> Kind:
        if "gone" in address:
            return "neither"
        return "target" if address.endswith(".csv") else "html"

    def targets(self) -> list[str]:
        return self._targets

    def first(self, count: int) -> list[Outcome]:
        return []


@pytest.mark.parametrize(
    ("policy", "order"),
    [
        (Bfs(), ["", "a", "b", "a1.csv", "c", "b1.csv"]),
        (FilesFirst(), ["", "a", "a1.csv", "b", "b1.csv", "c"]),
        (Dfs(), ["", "b", "b1.csv", "a", "c", "a1.csv"]),
        (Omniscient(truth=Truth("b1.csv", "a1.csv")), ["b1.csv", "a1.csv"]),
    ],
    ids=["bfs", "files-first", "dfs", "omniscient"],
)
def test_orders(policy: Policy, order: list[str]) -> None:
    """Queue, stack, and the targets alone in the order of the truth."""
    assert crawled(TREE, policy) == order


def test_reasons() -> None:
    """Every choice says why, in the policy's own words."""
    told = {}
    for policy in (Bfs(), Dfs(), Random(), Omniscient(truth=Truth("x.csv")), Focused(), TpOff()):
        policy.learn(started())
        told[type(policy).__name__] = chosen(policy).why

    assert told == {
        "Bfs": "first come, depth 0",
        "Dfs": "last come, depth 0",
        "Random": "one of 1 at random",
        "Omniscient": "known target",
        "Focused": "warm-up, breadth first",
        "TpOff": "first part, breadth first",
    }


def test_the_papers_values() -> None:
    """Section 4.3, and the released code where that says nothing."""
    assert (TpOff().warmup, TpOff().n, TpOff().theta) == (3000, 2, 0.75)
    assert (Focused().warmup, Focused().b) == (100, 10)
    assert Random().seed == 0


# --- random ------------------------------------------------------------------------------------


def test_random_draws_from_all_that_waits() -> None:
    """Each of three waiting links is first about a third of the time, and says with what odds."""
    firsts: Counter[str] = Counter()
    for seed in range(600):
        policy = Random(seed=seed)
        policy.learn(started("a", "b", "c"))
        choice = chosen(policy)
        assert (choice.probability, choice.why) == (1 / 3, "one of 3 at random")
        firsts[place(choice.link.url)] += 1

    assert set(firsts) == {"a", "b", "c"}
    assert min(firsts.values()) > 150


def test_random_odds_count_the_awake() -> None:
    """A sleeping link cannot be drawn, so it is not among the odds."""
    policy = Random()
    policy.learn(started("a", "https://t.example/"))

    assert chosen(policy, {"t.example"}).probability == 1.0


def test_random_is_the_same_for_a_seed() -> None:
    """Another seed, another order; the same seed, the same."""
    site = recorded({"": page(*map(str, range(30))), **{str(i): page() for i in range(30)}})

    runs = [crawled(site, Random(seed=seed)) for seed in (1, 1, 2)]

    assert runs[0] == runs[1]
    assert runs[0] != runs[2]
    assert sorted(runs[0]) == sorted(runs[2])


# --- focused -----------------------------------------------------------------------------------

SHELF = recorded(
    {
        "": page(
            "page/1",
            "data/1.csv",
            *(f"page/{i}" for i in range(2, 6)),
            *(f"data/{i}.csv" for i in range(2, 6)),
        ),
        **{f"page/{i}": page() for i in range(1, 6)},
        **{f"data/{i}.csv": file() for i in range(1, 6)},
    }
)


def test_focused_warms_up_and_scores_what_waits() -> None:
    """Three requests breadth first give both labels; then waiting files go before pages."""
    order = crawled(SHELF, Focused(warmup=3))

    assert order[:3] == ["", "page/1", "data/1.csv"]
    assert sorted(order[3:7]) == [f"data/{i}.csv" for i in range(2, 6)]


def test_focused_is_breadth_first_until_then() -> None:
    """A warm-up longer than the site is breadth-first search."""
    assert crawled(SHELF, Focused(warmup=100)) == crawled(SHELF, Bfs())


def test_focused_learns_in_batches() -> None:
    """After the warm-up of two labels it learns at every second label, and at no failure."""
    policy = Focused(warmup=2, b=2)
    batches = batches_of(policy._model)
    policy.learn(started())
    policy.learn(as_page(chosen(policy), "a", "b.csv", "c", "d", "e", "f"))

    policy.learn(as_page(chosen(policy)))
    policy.learn(as_failure(chosen(policy)))
    policy.learn(as_file(chosen(policy)))
    policy.learn(as_page(chosen(policy)))
    policy.learn(as_page(chosen(policy)))

    assert batches == [[False, False], [True, False]]


def test_focused_scores_once() -> None:
    """A link keeps the score it was pushed with, though the model has learned better since."""
    policy = Focused(warmup=1, b=1)
    policy.learn(started())
    policy.learn(as_page(chosen(policy), "page/1", "data/1.csv", "page/2"))
    before = [entry[0] for entry in policy._queue._by_host["s.example"]]

    policy.learn(as_file(chosen(policy)))

    after = [entry[0] for entry in policy._queue._by_host["s.example"]]
    assert set(after) < set(before)
    assert chosen(policy).why == "most likely to be a target"


def test_focused_orders_by_what_it_has_learned() -> None:
    """The key of a waiting link is its probability, by the row that it would be learned with."""
    policy = Focused(warmup=2, b=99)
    policy.learn(started())
    policy.learn(as_page(chosen(policy), "data/1.csv", "page/1"))
    policy.learn(as_file(chosen(policy)))
    waiting = [link(to, depth=depth) for to in ("page/2", "data/2.csv") for depth in (0, 1, 9)]
    model = policy._model

    keys = {}
    for one in waiting:
        policy._push([one])
        keys[one] = next(
            entry[0] for entry in policy._queue._by_host["s.example"] if entry[2] == one
        )

    for one, key in keys.items():
        score = model.weights[policy._row(one)].sum() * model._scale + model.intercept
        assert -key == pytest.approx(1 / (1 + math.exp(-score)), rel=1e-5, abs=1e-30)


def test_focused_sees_depth_url_and_anchor() -> None:
    """Section 4.3: depth as a plain number, and the pairs of characters of URL and anchor."""
    policy = Focused()
    columns = policy._row(as_page(chosen_start(policy), "ab").links[0]._replace(depth=3)).tolist()

    address = len(url("ab")) - 1
    assert columns[-3:] == [2 * 128 * 128] * 3
    assert columns[address] == 128 * 128 + 128 * ord("a") + ord("b")
    assert len(columns) == address + 1 + 3


def chosen_start(policy: Policy) -> Choice:
    policy.learn(started())
    return chosen(policy)


# --- tp-off ------------------------------------------------------------------------------------

LISTS = recorded(
    {
        "": page("nav:n1", "list:l1", "nav:n2", "list:l2"),
        "n1": page("nav:n2"),
        "l1": page("file:x.csv", "file:y.csv", "file:y.csv"),
        "n2": page(),
        "l2": page("file:z.csv"),
        "x.csv": file(),
        "y.csv": file(),
        "z.csv": file(),
    }
)


def test_tp_off_told_the_truth() -> None:
    """After "", n1 and l1 the lists are worth 3, the menu and the files 0: l2 goes before n2."""
    policy = TpOff(warmup=3, truth=Truth())

    order = crawled(LISTS, policy)

    assert order == ["", "n1", "l1", "l2", "n2", "x.csv", "y.csv", "z.csv"]
    # Groups in order of appearance: the start's, the menu's, the lists', the files'.
    assert policy._value == [0, 0, 3, 0]


def test_tp_off_values_are_means() -> None:
    """Two lists of 3 and 1 sightings of targets: 2 per page, links seen again included."""
    policy = TpOff(warmup=5, truth=Truth())

    crawled(LISTS, policy)

    assert policy._value == [0, 0, (3 + 1) / 2, 0]


DEEP = recorded(
    {
        "": page("nav:n1", "list:l1", "nav:n2"),
        "n1": page(),
        "l1": page("file:x.csv"),
        "n2": page("nav:n3", "list:l2", "new:w"),
        "x.csv": file(),
        "n3": page(),
        "l2": page("file:y.csv"),
        "y.csv": file(),
        "w": page(),
    }
)


def test_tp_off_without_the_truth() -> None:
    """It counts the targets it fetched meanwhile: x.csv stood on a page that a list led to."""
    policy = TpOff(warmup=5)

    order = crawled(DEEP, policy)

    assert order == ["", "n1", "l1", "n2", "x.csv", "l2", "n3", "y.csv", "w"]
    assert policy._value == [0, 0, 1, 0, 0]


def test_tp_off_gives_its_reason() -> None:
    """Group and value, as they were settled."""
    policy = TpOff(warmup=2, truth=Truth())
    policy.learn(started())
    policy.learn(as_page(chosen(policy), "nav:n1", "list:l1"))
    policy.learn(as_page(chosen(policy), "x.csv"))

    assert chosen(policy).why == "group 2, 0.00 targets per page"


def test_tp_off_values_nothing_after_the_first_part() -> None:
    """A group met later is worth 0 however good it is, and a group's value stays."""
    site = recorded(
        {
            "": page("nav:a", "nav:b"),
            "a": page(),
            "b": page("list:c"),
            "c": page("x.csv"),
            "x.csv": file(),
        }
    )
    policy = TpOff(warmup=2, truth=Truth())

    crawled(site, policy)

    assert policy._value == [0, 0, 0, 0]


def test_failures_and_redirects_are_requests_of_the_first_part() -> None:
    """The first part counts choices that were answered, whatever the answer."""
    site = recorded(
        {"": page("nav:gone", "nav:old", "nav:b"), "old": moved("b"), "gone": failed(), "b": page()}
    )
    policy = TpOff(warmup=3, truth=Truth())

    assert crawled(site, policy) == ["", "gone", "old", "b"]
    assert policy._pages == [1, 2]
