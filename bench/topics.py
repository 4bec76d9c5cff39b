"""Topics: the figures of Han et al. (ICWE 2018) on Schools' Wikipedia, as tables.

    python -m bench.topics [--corpora DIR] [--rows FILE] [--jobs N] [--out FILE]

Six topics. Tasks of 1,000 requests, 20 in a row, three trials for each way to
update, and one task over the whole site for every policy. Rows are written to
a file as they come and are not run again when it has them.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from bench.pages import table, today
from lodehound.lab.race import RaceOptions
from lodehound.lab.repeated_tasks import race_tasks
from lodehound.stores.topics import TopicOptions, split_names
from lodehound.version import VERSION

SITE = "schools-wiki.warc.zst"
ROOT = "http://schools-wikipedia.org/wp/"
TOPICS = {  # categories, and the main article: three abundant topics, three sparse ones
    "medicine": ("disease,health,biology", "m/Medicine"),
    "war": ("history,military,army", "w/War"),
    "bird": ("animal,biology,zoology", "b/Bird"),
    "geology": ("earth,science,rock", "g/Geology"),
    "poetry": ("literature,arts,language", "p/Poetry"),
    "railway": ("transport,engineering,technology", "r/Rail_transport"),
}
UPDATES = ("synchronous", "asynchronous", "moderated")
LEARNING = tuple(f"sarsa:update={update}" for update in UPDATES)
STILL = ("bfs", "tres", "best-first")
TASKS, TRIALS, REQUESTS = 20, 3, 1000
STEPS = (100, 250, 500, 750, 1000)
SHARES = (10, 20, 50)
OUT = Path(__file__).parent.parent / "docs" / "research" / "topics-results.md"

Row = dict[str, Any]


class Job(NamedTuple):
    """One policy on one topic."""

    topic: str
    policy: str
    whole: bool  # one task over the whole site

    def options(self, cache: Path | None) -> RaceOptions:
        categories, page = TOPICS[self.topic]
        return RaceOptions(
            want=f"topic:{self.topic}",
            starts=(f"{ROOT}{page}.htm",),
            exclude=("*/images/*",),
            requests=None if self.whole else REQUESTS,
            topic=TopicOptions(categories=split_names(categories)),
            cache=cache,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", type=Path, default=os.environ.get("LODEHOUND_CORPORA"))
    parser.add_argument("--rows", type=Path, default=Path("topics.jsonl"))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--cache", type=Path)
    given = parser.parse_args()
    if given.corpora is None:
        parser.error("give --corpora, or set LODEHOUND_CORPORA")
    rows = _kept(given.rows)
    done = {tuple(row[name] for name in Job._fields) for row in rows}
    jobs = [job for job in _jobs() if tuple(job) not in done]
    site = given.corpora / "webs" / SITE
    with ProcessPoolExecutor(given.jobs) as pool, given.rows.open("a", encoding="utf-8") as kept:
        for some in pool.map(_run, jobs, [site] * len(jobs), [given.cache] * len(jobs)):
            kept.writelines(json.dumps(row) + "\n" for row in some)
            kept.flush()
            rows += some
            print(some[0]["topic"], some[0]["policy"], len(some), flush=True)
    given.out.write_text(report(rows), encoding="utf-8")


def _kept(path: Path) -> list[Row]:
    if not path.exists():
        return []
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _jobs() -> list[Job]:
    policies = (*STILL, *LEARNING)
    return [Job(topic, p, whole) for whole in (False, True) for topic in TOPICS for p in policies]


def _run(job: Job, site: Path, cache: Path | None) -> list[Row]:
    rows = race_tasks(
        [(site,)],
        [job.policy],
        tasks=1 if job.whole else TASKS,
        trials=1 if job.whole else TRIALS,
        options=job.options(cache),
    )
    return [row.as_json() | job._asdict() for row in rows]


# --- tables ---------------------------------------------------------------------------------------


def report(rows: Sequence[Row]) -> str:
    """Write the page."""
    tasks = [row for row in rows if not row["whole"]]
    parts = [
        "# Topics: results\n",
        f"Measured {today()} with version {VERSION} by `python -m bench.topics` on Schools'",
        "Wikipedia of 2007 (5,462 pages), from the topic's main article, without image pages.",
        f"A task is {REQUESTS:,} requests; {TRIALS} trials of {TASKS} tasks in a row,",
        "each with the weights of the one before. This wiki was used while the program was",
        "developed. [topics.md](topics.md) discusses the figures.\n",
        "## Relevant pages per task\n",
        "Mean of the trials' means (minimum and maximum). Last row: CPU time per task.\n",
        *_totals(tasks),
        "## Figure 1: relevant pages by number of requests\n",
        *_by(tasks, [str(step) for step in STEPS], _at_steps),
        "## Figure 2: relevant pages per interval of word-vector relevance\n",
        *_by(tasks, [f"{n / 10:.1f}" for n in range(9)], lambda row: row["intervals"][:9]),
        "## Figure 3: relevant pages as tasks repeat\n",
        *_by_task(tasks),
        "## One task over the whole site\n",
        "Every policy finds all pages in the end; they differ in how soon.\n",
        *_whole([row for row in rows if row["whole"]]),
    ]
    return "\n".join(parts)


def _of(rows: Iterable[Row], topic: str, policy: str) -> list[Row]:
    return [row for row in rows if row["topic"] == topic and row["policy"] == policy]


def _short(policy: str) -> str:
    return policy.rpartition("=")[2]


def _trials(rows: Iterable[Row]) -> list[float]:
    by_trial: dict[int, list[int]] = {}
    for row in rows:
        by_trial.setdefault(row["seed"], []).append(row["found"])
    return [statistics.fmean(found) for found in by_trial.values()]


def _totals(rows: Sequence[Row]) -> list[str]:
    lines = []
    for topic in TOPICS:
        means = {policy: _trials(_of(rows, topic, policy)) for policy in (*STILL, *LEARNING)}
        best = max(statistics.fmean(means[policy]) for policy in LEARNING)
        total = _of(rows, topic, STILL[0])[0]["targets_total"]
        still = [f"{statistics.fmean(means[policy]):.0f}" for policy in STILL]
        learning = [
            f"{statistics.fmean(m):.0f} ({min(m):.0f}, {max(m):.0f})"
            for m in (means[policy] for policy in LEARNING)
        ]
        gain = f"{best / statistics.fmean(means['best-first']):.2f}"
        lines.append([f"{topic} ({total:,})", *still, *learning, gain])
    seconds = [
        f"{statistics.fmean(row['cpu_s'] for row in rows if row['policy'] == policy):.2f} s"
        for policy in (*STILL, *LEARNING)
    ]
    heads = ["topic (relevant)", *STILL, *UPDATES, "best : best-first"]
    return table(heads, [*lines, ["CPU", *seconds, ""]])


def _at_steps(row: Row) -> list[float]:
    return [_found_at(row, step) for step in STEPS]


def _found_at(row: Row, requests: float) -> float:
    """Return the finds by a request, to the curve's exactness."""
    points = zip(row["steps"], row["accumulated"], strict=True)
    return float(max((found for at, found in points if at <= requests), default=0))


def _by(
    rows: Sequence[Row], heads: Sequence[str], values: Callable[[Row], Sequence[float]]
) -> list[str]:
    """Return the means of some values, a line for each topic and policy."""
    lines = []
    for topic in TOPICS:
        for policy in ("best-first", *LEARNING):
            columns = zip(*(values(row) for row in _of(rows, topic, policy)), strict=True)
            means = [f"{statistics.fmean(column):.0f}" for column in columns]
            lines.append([topic, _short(policy), *means])
    return table(["topic", "policy", *heads], lines)


def _by_task(rows: Sequence[Row]) -> list[str]:
    spans = [range(n, n + 1) for n in range(6)] + [range(6, 10), range(10, 15), range(15, TASKS)]
    heads = [str(s[0] + 1) if len(s) == 1 else f"{s[0] + 1} to {s[-1] + 1}" for s in spans]
    lines = []
    for topic in TOPICS:
        for policy in LEARNING:
            mine = _of(rows, topic, policy)
            means = [statistics.fmean(r["found"] for r in mine if r["task"] in s) for s in spans]
            lines.append([topic, _short(policy), *(f"{mean:.0f}" for mean in means)])
    return table(["topic", "update", *heads], lines)


def _whole(rows: Sequence[Row]) -> list[str]:
    lines = []
    for topic in TOPICS:
        for policy in (*STILL, *LEARNING):
            for row in _of(rows, topic, policy):
                shares = [f"{_found_at(row, row['requests'] * s / 100):.0f}" for s in SHARES]
                needed = [_request_of(row, share) for share in (0.5, 0.9)]
                cost = f"{row['cpu_s']:.1f}"
                lines.append([topic, _short(policy), *shares, *needed, cost])
    heads = [
        *(f"found after {share} %" for share in SHARES),
        "requests to 50 %",
        "to 90 %",
        "CPU s",
    ]
    return table(["topic", "policy", *heads], lines)


def _request_of(row: Row, share: float) -> str:
    needed = share * row["targets_total"]
    points = zip(row["steps"], row["accumulated"], strict=True)
    return next((f"{at:,}" for at, found in points if found >= needed), "-")


if __name__ == "__main__":
    main()
