"""Figure 2(a) of the LDCOC paper: evaluates the features of URIs with batch classifiers.

The hard URIs of a breadth-first crawl are split at random, seven tenths for training
and three tenths for testing, once per repetition: first by URI, then by host, because
the URIs of a host are so similar that some of them reveal the others.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Literal

import numpy as np
from rich import box
from rich.console import Group
from rich.table import Table
from rich.text import Text

from lodehound.core.errors import ConfigError
from lodehound.core.link import Link
from lodehound.lab.race import RaceOptions, prepared
from lodehound.papers.ldcoc.batch import Batch, BatchModel, Columns
from lodehound.papers.ldcoc.uri_features import SETS, Head, UriFeatures
from lodehound.papers.ldcoc.uri_rules import rule_of
from lodehound.stores.cache import stem_of
from lodehound.stores.site import ABSENT, RecordedSite

SIZE = 1 << 20
TRAIN = 0.7
By = Literal["URIs", "hosts"]
MODELS: tuple[BatchModel, ...] = ("knn", "nb", "svm")  # as in the figure


@dataclass(frozen=True, slots=True)
class Score:
    """The score of one classifier with one combination of feature sets; means over repetitions."""

    by: By
    features: str
    model: BatchModel
    f_measure: float
    accuracy: float
    spread: float  # standard deviation of the F-measure


@dataclass(frozen=True, slots=True)
class LabelledLinks:
    """Hard URIs: the columns of each by feature set, and whether it is RDF."""

    rows: list[dict[str, Columns]]
    labels: list[bool]
    hosts: list[str]


def study(site: tuple[Path, ...], *, options: RaceOptions, repetitions: int) -> list[Score]:
    """Evaluate every combination of feature sets with every classifier."""
    sample = _sample(site, options)
    if len(set(sample.labels)) < 2 or len(sample.labels) < 10:
        raise ConfigError("The crawl finds no hard URIs of both classes: nothing to learn.")
    scores = []
    for features in every_combination():
        rows = [np.unique(np.concatenate([row[name] for name in features])) for row in sample.rows]
        for by in ("URIs", "hosts"):
            parts = [part(sample.hosts, by, seed) for seed in range(repetitions)]
            for model in MODELS:
                results = [_judge(model, rows, sample.labels, *both) for both in parts]
                scores.append(_score(by, "+".join(features), model, results))
    return scores


def _score(
    by: By, features: str, model: BatchModel, results: Sequence[tuple[float, float]]
) -> Score:
    f_measures = [f_measure for f_measure, _ in results]
    accuracy = statistics.fmean(accuracy for _, accuracy in results)
    spread = statistics.stdev(f_measures) if len(results) > 1 else 0.0
    return Score(by, features, model, statistics.fmean(f_measures), accuracy, spread)


def part(hosts: Sequence[str], by: By, seed: int) -> tuple[list[int], list[int]]:
    """Split URIs, given by their hosts, into a training and a test set.

    Hosts are not divided. They are taken in random order until the training set is large enough.
    """
    rng = random.Random(seed)
    names = list(dict.fromkeys(hosts))
    rng.shuffle(names)
    place = {name: number for number, name in enumerate(names)}
    order = list(range(len(hosts)))
    rng.shuffle(order)
    cut = int(TRAIN * len(order))
    if by == "hosts":
        order.sort(key=lambda number: place[hosts[number]])
        while cut < len(order) - 1 and hosts[order[cut]] == hosts[order[cut - 1]]:
            cut += 1  # to the end of the host; the last host is not divided
    return order[:cut], order[cut:]


def every_combination() -> list[tuple[str, ...]]:
    """Return all combinations of feature sets, the largest first.

    >>> every_combination()[:3]
    [('t', 'r', 'p', 'x'), ('t', 'r', 'p'), ('t', 'r', 'x')]
    """
    return [chosen for size in range(len(SETS), 0, -1) for chosen in combinations(SETS, size)]


def _sample(paths: tuple[Path, ...], options: RaceOptions) -> LabelledLinks:
    """Crawl breadth first, and describe each hard URI by what was known at its turn."""
    site, truth, _ = prepared(paths, options)
    features = {name: UriFeatures(frozenset(name), size=SIZE) for name in SETS}
    sample = LabelledLinks([], [], [])
    for outcome in truth.first(options.requests or truth.requests_total):
        link = outcome.choice.link if outcome.choice else None
        if link is None or not link.kind:
            continue
        relevant = truth.kind(link.url) == "target"
        if rule_of(link) is None:
            head = _head(site, link)
            sample.rows.append({name: one.columns(link, head) for name, one in features.items()})
            sample.labels.append(relevant)
            sample.hosts.append(link.host)
        features["x"].see(link.url, outcome.mime, relevant=relevant)
    return sample


def _head(site: RecordedSite, link: Link) -> Head:
    number = site.number(link.url)
    if number == ABSENT:
        return Head(404)
    return Head(int(site.status[number]), site.mimes[site.mime[number]])


def _judge(
    model: BatchModel,
    rows: Sequence[Columns],
    labels: Sequence[bool],
    train: Sequence[int],
    test: Sequence[int],
) -> tuple[float, float]:
    """Return F-measure and accuracy on the test set."""
    classifier = Batch(model)
    classifier.fit([rows[i] for i in train], [labels[i] for i in train])
    said = [score > 0 for score in classifier.scores([rows[i] for i in test])]
    true = [labels[i] for i in test]
    both = sum(a and b for a, b in zip(said, true, strict=True))
    right = sum(a == b for a, b in zip(said, true, strict=True))
    return 2 * both / ((sum(said) + sum(true)) or 1), right / len(true)


def study_table(name: str, scores: Sequence[Score]) -> Group:
    """Return Figure 2(a), once for each way to split."""
    return Group(*(_table(name, scores, by) for by in dict.fromkeys(one.by for one in scores)))


def _table(name: str, scores: Sequence[Score], by: By) -> Table:
    table = Table(
        title=Text(f"{stem_of(name)}: classification of hard URIs by feature sets; split by {by}"),
        title_justify="left",
        box=box.SIMPLE_HEAD,
    )
    table.add_column("features")
    for model in MODELS:
        table.add_column(f"{model.upper()} F-measure", justify="right")
        table.add_column("accuracy", justify="right")
    cells = {(score.features, score.model): score for score in scores if score.by == by}
    for features in dict.fromkeys(score.features for score in scores):
        row = [features]
        for model in MODELS:
            score = cells[features, model]
            row += [f"{score.f_measure:.4f} ±{score.spread:.4f}", f"{score.accuracy:.4f}"]
        table.add_row(*row)
    return table
