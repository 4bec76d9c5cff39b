"""Repeated tasks: the same crawl several times, keeping the weights (Han et al., Sec. 4).

A task is one crawl from the start; only the weights are kept for the next one. The rows
contain the data of the paper's figures: cumulative finds per request (Figure 1), finds per
interval of relevance (Figure 2), finds per task (Figure 3), and seconds per task.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from lodehound.core.stop import Budget
from lodehound.drivers.replay import replay
from lodehound.lab.race import RaceEntry, RaceOptions, prepared
from lodehound.lab.usage import Usage
from lodehound.registry import accepts, load_policy, make_policy
from lodehound.registry import parse as parse_spec

POINTS = 100  # of a cumulative curve
INTERVALS = 10


@dataclass(frozen=True, slots=True)
class TaskRow:
    """One line of ``--tasks N --json``."""

    site: str
    want: str
    policy: str  # as written
    seed: int
    task: int
    found: int
    requests: int
    targets_total: int
    cpu_s: float
    steps: list[int]  # Figure 1: requests, and cumulative finds
    accumulated: list[int]
    intervals: list[int]  # Figure 2: finds of relevance 0 to 0.1, 0.1 to 0.2, ...

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def race_tasks(
    sites: Sequence[tuple[Path, ...]],
    policies: Sequence[str],
    *,
    tasks: int,
    trials: int,
    options: RaceOptions,
) -> Iterator[TaskRow]:
    """Run every policy on every site: several trials, each with several tasks in a row.

    A policy that keeps nothing from task to task runs each trial once, and one without a
    seed runs only once.
    """
    for site in sites:
        for policy in policies:
            cls = load_policy(parse_spec("policy", policy))
            learns, seeded = accepts(cls, "weights"), accepts(cls, "seed")
            for trial in range(trials if seeded else 1):
                yield from trial_of(site, policy, trial, tasks if learns else 1, options)


def trial_of(
    paths: tuple[Path, ...], policy: str, trial: int, tasks: int, options: RaceOptions
) -> Iterator[TaskRow]:
    """Run tasks in a row, each starting with the weights of the one before."""
    weights: Sequence[float] | None = options.topic.weights or None
    for task in range(tasks):
        # Use a different seed for every task: the same draws would find the same pages.
        entry = RaceEntry(paths, policy, trial * tasks + task)
        row, weights = _task(entry, options, task, trial, weights)
        yield row


def _task(
    entry: RaceEntry, options: RaceOptions, task: int, trial: int, weights: Sequence[float] | None
) -> tuple[TaskRow, Sequence[float] | None]:
    site, truth, scope = prepared(entry.site, options)
    given = options.topic.of_policy(truth.target) | {"weights": weights}
    spec = parse_spec("policy", entry.policy)
    usage = Usage()
    policy = make_policy(spec, seed=entry.seed, truth=truth, given=given)
    _, steps = replay(
        site,
        policy=policy,
        target=truth.target,
        starts=options.starts,
        scope=scope,
        budget=Budget(requests=options.requests),
    )
    found, values = [], []
    for step in steps:
        found.append(step.found)
        if step.found:
            values.append(step.value)
    at = np.unique(np.linspace(0, len(found), POINTS + 1).astype(int))
    sums = np.concatenate(([0], np.cumsum(found)))
    places = np.clip(np.array(values) * INTERVALS, 0, INTERVALS - 1).astype(int)
    row = TaskRow(
        site=site.name,
        want=options.want,
        policy=entry.policy,
        seed=trial,
        task=task,
        found=sum(found),
        requests=len(found),
        targets_total=truth.targets_total,
        cpu_s=round(usage.cpu_seconds(), 3),
        steps=at.tolist(),
        accumulated=sums[at].tolist(),
        intervals=np.bincount(places, minlength=INTERVALS).tolist(),
    )
    return row, getattr(policy, "weights", None)
