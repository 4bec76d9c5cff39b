"""Table 1 of the Anthelion paper: evaluates classifiers and features page by page.

Each page is first predicted and then learned from, in random order, with equal
numbers of relevant and other pages. Only parents that came before are known.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import get_args

from rich import box
from rich.table import Table
from rich.text import Text

from lodehound.core.errors import ConfigError
from lodehound.core.messages import Outcome
from lodehound.lab.race import RaceOptions, prepared
from lodehound.papers.anthelion.page_classifier import Features, Model, PageClassifier
from lodehound.stores.cache import stem_of


@dataclass(frozen=True, slots=True)
class Line:
    """One line of Table 1."""

    model: Model
    features: Features
    accuracy: float  # mean over the repetitions
    spread: float
    ms: float  # per page, predicting and learning


def study(
    site: tuple[Path, ...], *, options: RaceOptions, repetitions: int, siblings: bool = False
) -> list[Line]:
    """Evaluate every model with every set of features on the pages of a recorded site."""
    _, truth, _ = prepared(site, options)
    pages = [o for o in truth.first(truth.requests_total) if o.is_html and o.choice is not None]
    relevant = [page for page in pages if page.verdict.found]
    others = [page for page in pages if not page.verdict.found]
    size = min(len(relevant), len(others))
    if not size:
        raise ConfigError(
            f"{truth.site.name}: either no page or every page is a find: nothing to learn."
        )
    lines = []
    for model in get_args(Model):
        for features in get_args(Features):
            results = []
            for seed in range(repetitions):
                rng = random.Random(seed)
                chosen = rng.sample(relevant, size) + rng.sample(others, size)
                rng.shuffle(chosen)
                made = PageClassifier(model=model, features=features, siblings=siblings)
                results.append(prequential(made, chosen))
            right = [accuracy for accuracy, _ in results]
            spread = statistics.stdev(right) if len(right) > 1 else 0.0
            ms = statistics.fmean(ms for _, ms in results)
            lines.append(Line(model, features, statistics.fmean(right), spread, ms))
    return lines


def prequential(classifier: PageClassifier, pages: Sequence[Outcome]) -> tuple[float, float]:
    """Return the share of correct predictions, and milliseconds per page."""
    right = 0
    begun = time.perf_counter()
    for page in pages:
        if page.choice is None:
            continue
        score = classifier.scores([page.choice.link])[0]
        right += (score > 0) == page.verdict.found
        classifier.learn(page)
        # In random order, every link occurs as a page of its own: here it is only a sighting.
        classifier.see(replace(page, links=(), again=page.links + page.again))
    return right / len(pages), 1000 * (time.perf_counter() - begun) / len(pages)


def study_table(name: str, lines: Sequence[Line]) -> Table:
    """Return Table 1."""
    table = Table(
        title=Text(f"{stem_of(name)}: classifiers, each page predicted before it is learned from"),
        title_justify="left",
        box=box.SIMPLE_HEAD,
    )
    table.add_column("classifier")
    table.add_column("attribute set")
    table.add_column("accuracy", justify="right")
    table.add_column("ms per iteration", justify="right")
    sets = {"a": "a (URL)", "b": "b (parents)", "c": "c (both)"}
    for line in sorted(lines, key=lambda line: (line.model != "ht", line.features)):
        accuracy = f"{line.accuracy:.4f} ±{line.spread:.4f}"
        table.add_row(line.model.upper(), sets[line.features], accuracy, f"{line.ms:.3f}")
    return table
