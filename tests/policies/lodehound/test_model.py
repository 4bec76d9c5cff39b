"""Estimates for links, against hand-computed cases."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lodehound.learn.hashing import feature_of
from lodehound.policies.lodehound.features import (
    CLUSTER,
    COLUMNS,
    GROUP,
    LEVELS,
    OWN,
    PATTERN,
    SECOND,
    Rows,
)
from lodehound.policies.lodehound.model import (
    ALL_NEW,
    FIND,
    NOISE,
    PAGE_RATE,
    PRIOR_VARIANCE,
    RATE,
    UNKNOWN,
    VALUE,
    VISITS,
    LinkModel,
)


def row(group: int, cluster: int, pattern: int) -> Rows:
    made = np.zeros(COLUMNS, dtype=np.intp)
    made[[GROUP, CLUSTER, PATTERN]] = group, cluster, pattern
    return made


SEEN, SISTER, STRANGE = row(1, 11, 21), row(2, 11, 22), row(3, 12, 23)


def model() -> LinkModel:
    return LinkModel(shrink=2.0, decay=0.0)


# --- means of groups ---------------------------------------------------------------------------


def visit(links: LinkModel, link: Rows, worth: float) -> None:
    links.means.visit(link[LEVELS])
    links.means.learn(link[LEVELS], (worth, 0.0))


def means_of(links: LinkModel, *rows: Rows) -> list[float]:
    """Return the mean worth that is expected of each link."""
    found = links.means.predict(links.table.find(np.stack(rows).T[LEVELS]))
    return [float(mean) for mean in found[0]]


def test_a_group_has_its_cluster_and_its_pattern_as_parents() -> None:
    links = model()

    visit(links, SEEN, 3.5)

    seen, sister, stranger = means_of(links, SEEN, SISTER, STRANGE)
    assert seen > sister > stranger


def test_finds_have_means_of_their_own() -> None:
    """After a visit of worth 3.5 to a page without a find, no find is expected anywhere."""
    links = model()

    visit(links, SEEN, 3.5)

    assert links.predict(np.stack((SEEN, STRANGE))).finds.tolist() == [0, 0]
    links.means.learn(SEEN[LEVELS], (0.0, 2.0))
    assert links.predict(SEEN).finds > links.predict(STRANGE).finds > 0


def test_groups_forget() -> None:
    """Half of the past at each visit: two visits count as one and a half."""
    links = LinkModel(shrink=2.0, decay=0.5)

    visit(links, SEEN, 2.0)
    visit(links, SEEN, 2.0)

    assert links.means.total.tolist() == [3.0, 0.0, 1.5]


def test_a_link_is_as_good_as_the_best_group_that_shows_it() -> None:
    links = model()
    both, alone = row(3, 12, 21), row(3, 12, 21)
    both[SECOND] = SEEN[OWN]

    visit(links, both, 3.5)
    links.means.visit(alone[LEVELS])

    assert means_of(links, both) > means_of(links, alone)


def test_groups_of_further_sightings_count_in_the_value() -> None:
    links = model()
    again = row(3, 12, 21)
    again[SECOND] = SEEN[OWN]
    visit(links, SEEN, 3.5)

    assert links.predict(again).value > links.predict(row(3, 12, 21)).value + 0.1


# --- finds -------------------------------------------------------------------------------------


def plain(*features: int) -> Rows:
    """Return a row with features that nothing is known of."""
    made = np.zeros(COLUMNS, dtype=np.intp)
    made[5 : 5 + len(features)] = features
    return made


def test_one_step_of_the_logistic_regression() -> None:
    """AdaGrad's first step has the size of the rate, whatever the gradient."""
    links, link = model(), plain(3, 7)

    links.learn_find(link, found=True)

    assert links.table.take(np.array([3, 7, 0]))[:, FIND] == pytest.approx([RATE, RATE, 0])
    odds = UNKNOWN + 3 * RATE
    assert links.predict(link).find == pytest.approx(1 / (1 + math.exp(-odds)))


def test_the_second_step_is_shorter() -> None:
    """The step is divided by the root of the sum of the squared gradients."""
    links, link = model(), plain(3)
    first = 1 / (1 + math.exp(-UNKNOWN)) - 1
    links.learn_find(link, found=True)
    second = 1 / (1 + math.exp(-UNKNOWN - 2 * RATE))

    links.learn_find(link, found=False)

    step = RATE * second / math.sqrt(first**2 + second**2)
    assert links.table.take(np.array([3]))[0, FIND] == pytest.approx(RATE - step, abs=1e-5)


def test_steps_are_damped_while_most_finds_are_documents_with_links() -> None:
    """The first step from a probability p is the rate times p / (rate + p), not the rate."""
    links, link = model(), plain(3)
    links.count_find(page=False, links=True)

    expected = links.learn_find(link, found=False)

    step = RATE * expected / (RATE + expected)
    assert links.table.take(link)[5, FIND] == pytest.approx(-step)


@pytest.mark.parametrize(("page", "links"), [(True, True), (False, False)])
def test_steps_are_not_damped_for_pages_and_files(page: bool, links: bool) -> None:
    """The first step has the size of the rate, which is larger for pages."""
    one, link = model(), plain(3)
    one.count_find(page=page, links=links)

    one.learn_find(link, found=False)

    assert one.table.take(link)[5, FIND] == pytest.approx(-(PAGE_RATE if page else RATE))


@pytest.mark.parametrize(("ending", "is_file"), [("csv", True), ("html", False), ("xyzzy", False)])
def test_the_ending_decides_before_anything_is_learned(ending: str, is_file: bool) -> None:
    link = plain(feature_of("end", ending))

    assert (model().predict(link).find > 0.5) == is_file


# --- pages -------------------------------------------------------------------------------------


def test_one_observation_is_shared_out_by_variance() -> None:
    """Two weights of variance PRIOR_VARIANCE, an intercept of variance 1, and noise."""
    links, link = model(), plain(3, 7)
    links.means.visit(link[LEVELS])

    links.learn_page(link, 4.0)

    gain = PRIOR_VARIANCE / (2 * PRIOR_VARIANCE + 1 + NOISE)
    assert links.table.take(np.array([3, 7, 0]))[:, VALUE] == pytest.approx([4 * gain, 4 * gain, 0])


def learn(links: LinkModel, link: Rows, worth: float = 0.0) -> None:
    links.means.visit(link[LEVELS])
    links.learn_page(link, worth)


@pytest.mark.parametrize("before", [0, VISITS])
def test_what_explains_a_value_is_found_out_later(before: int) -> None:
    """Two features were on a good page; one of them alone is worth nothing, so it was the other."""
    links = model()
    for at in range(before):
        learn(links, plain(1000 + at))
    learn(links, plain(3, 7), 4.0)
    first = float(links.table.take(np.array(3))[VALUE])

    learn(links, plain(7))

    assert links.table.take(np.array(3))[VALUE] > first + 0.01


def test_but_only_among_visits_that_are_learned_together() -> None:
    links = model()
    for at in range(VISITS - 1):
        learn(links, plain(1000 + at))
    learn(links, plain(3, 7), 4.0)
    first = float(links.table.take(np.array(3))[VALUE])

    learn(links, plain(7))

    assert links.table.take(np.array(3))[VALUE] == first


def test_the_linear_model_expects_no_less_than_nothing() -> None:
    """Else a page of its kind would be worth less than its group says."""
    links = model()
    links.weights[links.table.add([int(SEEN[GROUP])]), VALUE] = -5.0

    assert links.predict(SEEN).value == pytest.approx(means_of(links, SEEN)[0] / 2)


def test_the_scale_follows_the_values() -> None:
    """One in a hundred of the way."""
    links = model()

    learn(links, plain(3), 2.5)

    assert links.scale == pytest.approx(0.5 + 0.01 * (2.5 - 0.5))


def test_novelty_falls_with_what_was_seen() -> None:
    """Two of the columns have features: each loses its gain of the variance."""
    links, link = model(), plain(3, 7)
    before = float(links.predict(link).novelty)
    links.means.visit(link[LEVELS])

    links.learn_page(link, 4.0)

    gain = PRIOR_VARIANCE / (2 * PRIOR_VARIANCE + 1 + NOISE)
    assert before == pytest.approx(math.sqrt(2 * PRIOR_VARIANCE / ALL_NEW))
    after = links.predict(link).novelty
    assert after == pytest.approx(math.sqrt(2 * PRIOR_VARIANCE * (1 - gain) / ALL_NEW))


def test_features_and_groups_count_alike() -> None:
    """Features tell good from bad where groups cannot: half of the difference is seen."""
    links = model()
    good, bad = row(1, 11, 21), row(1, 11, 21)
    good[5], bad[5] = 101, 102
    for _ in range(400):
        for one, worth in ((good, 2.0), (bad, 0.0)):
            links.means.visit(one[LEVELS])
            links.learn_page(one, worth)

    assert links.predict(np.stack((good, bad))).value == pytest.approx([1.5, 0.5], abs=0.1)


@pytest.mark.parametrize("last", [COLUMNS, SECOND[0]])
def test_a_row_has_the_same_estimates_alone_and_among_others(last: int) -> None:
    """But for rounding. Links that were seen in three groups, or in one only."""
    draws = np.random.default_rng(1)
    links = model()
    at = links.table.add(range(1, 1000))
    for part in links.table.parts:
        part[at] = draws.normal(size=(999, part.shape[1])) ** 2
    rows = draws.integers(1, 1000, (500, COLUMNS)).astype(np.intp)
    rows[:, last:] = 0

    together = links.predict(rows)

    alone = zip(*(links.predict(one) for one in rows), strict=True)
    for ones, several in zip(alone, together, strict=True):
        assert ones == pytest.approx(several.tolist(), rel=1e-5)
