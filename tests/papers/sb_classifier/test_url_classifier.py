"""Algorithm 2: when the classifier is taught, and what it is asked."""

from __future__ import annotations

from typing import Any

import pytest

from lodehound.core.link import Link
from lodehound.papers.sb_classifier.linear import WIDTH
from lodehound.papers.sb_classifier.url_classifier import AHEAD, UrlClassifier
from tests.helpers import batches_of, link, links, url


def classifier(**options: Any) -> UrlClassifier:
    chosen: dict[str, Any] = {"model": "lr", "features": "url", "b": 3, "late": False}
    return UrlClassifier(**(chosen | {"fold_case": False, "seed": 0} | options))


def label(one: UrlClassifier, *places: str) -> None:
    """Label places; what ends in csv is a target."""
    for place in places:
        one.label(link(place), target=place.endswith(".csv"))


def test_it_is_ready_after_the_first_batch() -> None:
    """As many labels as asked for, not one less; learning happens when the next link asks."""
    one = classifier()
    batches = batches_of(one._model)

    label(one, "a", "b.csv")
    before = one.train_if_due()
    label(one, "c")

    assert (before, batches) == (False, [])
    assert (one.train_if_due(), batches) == (True, [[False, True, False]])


def test_no_more_heads_than_labels_are_missing() -> None:
    """With one label of three there is use for two HEADs, and after the batch for none."""
    one = classifier()
    label(one, "a")

    assert [one.may_head(flying) for flying in (0, 1, 2)] == [True, True, False]
    label(one, "b", "c")
    assert one.train_if_due()
    assert not one.may_head(0)


def test_late_owes_one_head_after_the_first_batch() -> None:
    """The released code learns the batch in the call that still sends its own HEAD."""
    one = classifier(late=True)
    label(one, "a", "b", "c")

    owed = (one.train_if_due(), one.may_head(0), one.train_if_due(), one.may_head(0))

    assert owed == (False, True, True, False)


def test_batches_are_learned_before_the_next_link() -> None:
    """Every b labels, more when they came at once."""
    one = classifier()
    batches = batches_of(one._model)
    for places in (["a", "b.csv", "c"], ["d", "e"], ["f"], ["g", "h", "i", "j", "k.csv"], ["l"]):
        label(one, *places)
        one.train_if_due()

    assert list(map(len, batches)) == [3, 3, 5]


def test_late_judges_one_more_link_by_the_old_model() -> None:
    """It learns after the prediction, not before it."""
    one = classifier(late=True)
    label(one, "p/1", "p/2", "p/3")
    one.train_if_due()
    one.may_head(0)
    batches = batches_of(one._model)
    label(one, "d/1.csv", "d/2.csv", "d/3.csv")
    page = links("d/4.csv", "d/5.csv")

    first = (one.train_if_due(), one.is_target(page, 0), list(batches))

    assert first == (True, False, [[True] * 3])
    assert (one.is_target(page, 1), len(batches)) == (True, 1)


def test_only_pages_seen_means_only_pages_expected() -> None:
    """The first batch is all HTML on most home pages: everything is taken for a page then."""
    one = classifier()
    label(one, "a", "b", "c")
    one.train_if_due()
    page = links("x.csv", "y.pdf", "z")

    assert [one.is_target(page, at) for at in range(3)] == [False] * 3


def test_links_scored_ahead_are_scored_anew_after_learning() -> None:
    """What the model learns in the middle of a page counts for the rest of the page."""
    one = classifier()
    label(one, "p/1", "p/2", "p/3")
    one.train_if_due()
    page = links("d/4.csv", "d/5.csv", "d/6.csv")

    before = one.is_target(page, 0)
    label(one, "d/1.csv", "d/2.csv", "d/3.csv")
    one.train_if_due()

    assert (before, one.is_target(page, 1), one.is_target(page, 2)) == (False, True, True)


def test_scoring_ahead_changes_no_answer() -> None:
    """Pages longer than what is scored at once, asked in order, out of order, and in turns."""
    one = classifier()
    for at in range(10):
        label(one, f"p/{at}", f"d/{at}.csv", f"d/{at}")
        one.train_if_due()
    page = links(
        *(f"{'d' if at % 3 else 'p'}/{at}{'.csv' if at % 2 else ''}" for at in range(2 * AHEAD + 9))
    )
    other = links("p/9", "d/9.csv")
    alone = [one.is_target((single,), 0) for single in page]

    in_turns = [
        (one.is_target(page, at), one.is_target(other, at % 2))[0] for at in range(len(page))
    ]

    assert [one.is_target(page, at) for at in range(len(page))] == alone
    assert [one.is_target(page, at) for at in reversed(range(len(page)))] == alone[::-1]
    assert in_turns == alone
    assert set(alone) == {True, False}


@pytest.mark.parametrize(("score", "taken"), [(0.5, True), (-0.5, False), (0.0, False)])
def test_a_target_has_a_score_above_nothing(score: float, taken: bool) -> None:
    """Half of the probability is a score of 0; a link that is neither is a page."""
    one = classifier()
    one._model.intercept = score

    assert one.is_target(links("x"), 0) is taken


def test_every_prediction_is_reported() -> None:
    """The lab's tables count each link once, with what it was taken for."""
    one, told = classifier(), list[tuple[str, bool]]()
    label(one, "a", "b", "c")
    one.train_if_due()
    one.on_prediction = lambda address, taken: told.append((address, taken))
    page = links("x", "y")

    one.is_target(page, 0)
    one.is_target(page, 1)

    assert told == [(url("x"), False), (url("y"), False)]


@pytest.mark.parametrize(("features", "texts"), [("url", 1), ("context", 4)])
def test_features(features: str, texts: int) -> None:
    """The URL alone, or with anchor, tag path and text beside, each in columns of its own."""
    one = classifier(features=features)
    one.label(Link("ab", "", "cd", "ef", "gh"), target=True)

    pairs = ["ab", "ef", "cd", "gh"][:texts]
    expected = [128 * ord(pair[0]) + ord(pair[1]) + at * WIDTH for at, pair in enumerate(pairs)]
    assert one._rows[0].tolist() == expected


def test_the_released_code_folds_case() -> None:
    """Upper case has columns of its own in the paper, and none in the code."""
    kept, folded = classifier(), classifier(fold_case=True)

    for one in (kept, folded):
        one.label(Link("AB"), target=True)

    assert kept._rows[0].tolist() == [128 * 65 + 66]
    assert folded._rows[0].tolist() == [128 * 97 + 98]
