"""SB-CLASSIFIER's labels: the HEAD phase and the batches, in both readings."""

from __future__ import annotations

from collections import Counter

import pytest

from lodehound.core.messages import Choice
from lodehound.papers.sb_classifier.sb_classifier import SbClassifier
from tests.helpers import (
    as_failure,
    as_file,
    as_page,
    batches_of,
    chosen,
    crawled,
    failed,
    file,
    moved,
    page,
    place,
    recorded,
    started,
)

# --- the first batch ---------------------------------------------------------------------------

PAGES = recorded({"": page(*(f"p{i}" for i in range(9))), **{f"p{i}": page() for i in range(9)}})


@pytest.mark.parametrize(("compat", "heads"), [("", 2), ("kit", 4)])
def test_the_length_of_the_head_phase(compat: str, heads: int) -> None:
    """With b = 3: the start page and 2 HEADs make the batch; the released code sends 4 HEADs."""
    order = crawled(PAGES, SbClassifier(b=3, compat=compat))  # type: ignore[arg-type]

    assert order[: heads + 1] == ["", *(f"HEAD p{i}" for i in range(heads))]
    assert sorted(order[heads + 1 :]) == [f"p{i}" for i in range(9)]


def test_a_batch_of_one_needs_no_head() -> None:
    """The start page alone is the first batch."""
    assert not any("HEAD" in step for step in crawled(PAGES, SbClassifier(b=1)))


def test_a_head_that_brings_neither_drops_the_link() -> None:
    """What is gone and other types are no label and never asked for; one more HEAD is."""
    site = recorded(
        {"": page("gone", "pic", "past", "p0", "p1"), "pic": file("image/png"),
         "past": failed(410), "p0": page(), "p1": page()}
    )  # fmt: skip

    order = crawled(site, SbClassifier(b=2))

    assert order[:5] == ["", "HEAD gone", "HEAD pic", "HEAD past", "HEAD p0"]
    assert sorted(order[5:]) == ["p0", "p1"]


@pytest.mark.parametrize("status", [0, 403, 405, 500, 503])
def test_a_head_that_is_refused_tells_nothing(status: int) -> None:
    """A server may not take HEADs, or be unwell: the link waits for its GET, and is no label."""
    policy = SbClassifier(b=3)
    policy.learn(started())
    policy.learn(as_page(chosen(policy), "a", "b", "c", "d", "e"))

    heads = []
    while (choice := chosen(policy)).method == "HEAD":
        heads.append(place(choice.link.url))
        policy.learn(as_failure(choice, status))

    # One label is there; after three HEADs that told nothing there are no more of them.
    assert heads == ["a", "b", "c"]
    assert {place(choice.link.url), *(place(chosen(policy).link.url) for _ in range(4))} == set(
        "abcde"
    )


def test_a_head_that_brings_a_redirect_counts_as_a_page() -> None:
    """As in the released code: a redirect is labelled HTML and waits in a group."""
    site = recorded({"": page("old", "p"), "old": moved("x.csv"), "x.csv": file(), "p": page()})

    order = crawled(site, SbClassifier(b=2))

    assert order[:2] == ["", "HEAD old"]
    assert set(order[2:]) == {"old", "x.csv", "p"}


def test_a_head_that_brings_a_target_is_followed_by_its_get() -> None:
    """Algorithm 4: a target is retrieved immediately."""
    site = recorded({"": page("p0", "x.csv", "p1"), "x.csv": file(), "p0": page(), "p1": page()})

    order = crawled(site, SbClassifier(b=9))

    assert order[:5] == ["", "HEAD p0", "HEAD x.csv", "x.csv", "HEAD p1"]


def test_what_heads_tell_is_label_and_reward() -> None:
    """In the first batch targets are known by HEAD; the visit gets its reward all the same."""
    policy = SbClassifier(b=50)
    policy.learn(started())
    policy.learn(as_page(chosen(policy), "nav:a"))
    policy.learn(as_page(chosen(policy)))  # HEAD a

    policy.learn(as_page(chosen(policy), "x.csv", "gone"))  # GET a
    asked = []
    for answer in (as_file, as_file, as_failure):
        choice = chosen(policy)
        asked.append(f"{choice.method} {place(choice.link.url)}")
        policy.learn(answer(choice))

    assert asked == ["HEAD x.csv", "GET x.csv", "HEAD gone"]
    assert policy.choose(()) is None
    assert policy.classifier._labels == [False, False, False, True, True]
    assert (policy._groups.bandit.pulls(0), policy._groups.bandit.mean(0)) == (1, 1.0)


def test_heads_in_flight_are_no_more_than_labels_needed() -> None:
    """With b = 3 and 1 label 2 HEADs may be out; until they answer there is nothing to do."""
    policy = SbClassifier(b=3)
    policy.learn(started())
    policy.learn(as_page(chosen(policy), "a", "b", "c", "d"))

    first, second, third = (policy.choose(()) for _ in range(3))

    assert first is not None
    assert second is not None
    assert [first.method, second.method, third] == ["HEAD", "HEAD", None]
    policy.learn(as_failure(first))
    assert chosen(policy) == Choice(
        second.link._replace(url=second.link.url[:-1] + "c", anchor="c"), "HEAD", why=first.why
    )


def test_only_pages_in_the_first_batch() -> None:
    """Then everything is taken for a page: files wait in groups like all others."""
    site = recorded(
        {"": page(*(f"p{i}" for i in range(5)), *(f"{i}.csv" for i in range(5))),
         **{f"p{i}": page() for i in range(5)}, **{f"{i}.csv": file() for i in range(5)}}
    )  # fmt: skip
    policy = SbClassifier(b=4)
    policy.learn(started())
    policy.learn(as_page(chosen(policy), *(f"p{i}" for i in range(5)), "0.csv", "1.csv"))
    for _ in range(3):
        policy.learn(as_page(chosen(policy)))

    assert chosen(policy).why.startswith("group 0 like html/body/p/a")
    assert Counter(crawled(site, SbClassifier(b=4)))["0.csv"] == 1


# --- training ----------------------------------------------------------------------------------

MIXED = recorded(
    {"": page(*(f"nav:p/{i}" for i in range(12)), *(f"list:d/{i}.csv" for i in range(12))),
     **{f"p/{i}": page(f"list:e/{i}.csv") for i in range(12)},
     **{f"{folder}/{i}.csv": file() for folder in "de" for i in range(12)}}
)  # fmt: skip


def test_it_learns_every_b_labels() -> None:
    """Paper: every GET that brings a page or a target is a label; each batch is full."""
    policy = SbClassifier(b=5)
    batches = batches_of(policy.classifier._model)

    order = crawled(MIXED, policy)

    labels = len(order)  # every request, HEAD or GET, brought a page or a target
    left = len(policy.classifier._labels)
    assert sum(map(len, batches)) + left == labels
    assert min(map(len, batches)) >= 5


def test_the_released_code_labels_what_it_predicted() -> None:
    """Neither the start page nor what was asked by HEAD becomes a label by its GET."""
    policy = SbClassifier(b=5, compat="kit")
    batches = batches_of(policy.classifier._model)

    order = crawled(MIXED, policy)

    heads = [step for step in order if "HEAD" in step]
    left = len(policy.classifier._labels)
    assert len(heads) == 6
    assert sum(map(len, batches)) + left == len(heads) + (36 - 6)
