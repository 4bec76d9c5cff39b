"""The tables of the Anthelion paper on a recorded web.

    python -m bench.anthelion_tables [--corpora DIR] [--seeds N] [--rows FILE]

Table 2, the exploration that leave-one-task-out chooses, Figure 3 and Table 1. Runs are
kept in the file of ``--rows`` as they end and are not made again.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from itertools import product

import numpy as np

from bench.pages import Plan, arguments, caption, made, parsed, table, today
from bench.policies import entries
from lodehound.lab import classifiers
from lodehound.lab.race import RaceOptions, Run
from lodehound.version import VERSION

WEB = "markup-web.warc.zst"
START = "https://directory.invalid/"
TASKS = {
    "markup": "any markup",
    "markup:microdata+jsonld>=5": "5 statements of microdata or JSON-LD",
    "markup:microdata>=5": "5 statements of microdata",
}
FIRST = next(iter(TASKS))
CLASSIFIERS = ("online", "online:model=ht")
STATIC = tuple(
    f"online:static={model},train={train}" for model in ("nb", "ht") for train in (1000, 2500, 8000)
)
SCORES = tuple(
    f"anthelion:score={score},explore=0"
    for score in (
        "thompson",
        "thompson-x-best",
        "neg-bad",
        "best",
        "good-x-best",
        "success",
        "success-x-best",
    )
)
EXPLORING = ("good-x-best,explore=0.1,decay=0", "good-x-best,explore=0.2,decay=0")
# lambda, and m of its decay; m = 0 keeps it as it is
GRID = tuple(
    f"anthelion:explore={explore},decay={decay}"
    for explore, decay in product((0.2, 0.5), (0, 100, 300, 1000, 10_000))
)
SUCCESS = "anthelion:score=success,explore=0"
# Figure 8: five statements of microdata.
FIGURE_8 = (
    "anthelion:score=good-x-best,explore=0",
    "anthelion:score=success-x-best,explore=0.1,decay=0",
    "anthelion:explore=0.2,decay=0",
    "anthelion:explore=0.5,decay=10000",
)
PAPER = {  # Table 2: relevant among the first million pages of 5.5 million
    "random-host": ".159",
    "bfs": ".291",
    **dict(zip(STATIC, (".312", ".316", ".311", ".408", ".381", ".482"), strict=True)),
    "online": ".534",
    "online:model=ht": ".512",
    **dict(zip(SCORES, (".452", ".562", ".300", "-", ".589", ".628", ".550"), strict=True)),
    "anthelion:score=good-x-best,explore=0.1,decay=0": ".558",
    "anthelion:score=good-x-best,explore=0.2,decay=0": ".590",
    "anthelion:explore=0.1,decay=0": ".628",
    "anthelion:explore=0.2,decay=0": ".600",
    "anthelion:explore=0.2,decay=10000": ".662",
    "anthelion:explore=0.5,decay=10000": ".673",
}
TABLE_2 = (
    "random-host",
    "bfs",
    *STATIC,
    *CLASSIFIERS,
    *SCORES,
    *(f"anthelion:score={written}" for written in EXPLORING),
    "anthelion:explore=0.1,decay=0",
    *GRID,
    "anthelion",
)
PARTS = ("10", "25", "50")
STUDIED = 3  # repetitions of Table 1


def main() -> None:
    given = parsed(arguments(__doc__ or "", "anthelion-results.md", seeds=5))
    site = (given.corpora / "webs" / WEB,)
    plan: Plan = []
    for want in TASKS:
        accuracy = want == FIRST
        options = RaceOptions(
            want=want, starts=(START,), cache=given.cache, accuracy=accuracy, measure="harvest"
        )
        others = ("bfs", "online", SUCCESS, *dict.fromkeys((*GRID, *FIGURE_8)), "anthelion")
        policies = TABLE_2 if want == FIRST else others
        plan += [(entry, options) for entry in entries([site], policies, given.seeds)]
    wants = [options.want for _, options in plan]
    runs = list(zip(wants, made(plan, given.rows), strict=True))
    by_task = {want: [run for task, run in runs if task == want] for want in TASKS}
    options = RaceOptions(want=FIRST, starts=(START,), cache=given.cache)
    lines = classifiers.study(site, options=options, repetitions=STUDIED)
    given.out.write_text(page(by_task, lines), encoding="utf-8")


def page(runs: dict[str, list[Run]], lines: Sequence[classifiers.Line]) -> str:
    first = runs[FIRST][0].row
    parts = [
        "# Anthelion: the paper's tables on a recorded web\n",
        f"Measured {today()} with version {VERSION} by `python -m bench.anthelion_tables` on a web",
        "of 193 hosts (markup-web), from its directory page. It was used while the program was",
        f"developed. Files are out of scope; an exhaustive crawl makes {first.requests_total:,}",
        f"requests and finds {first.targets_total:,} pages with markup. What the figures say is in",
        "[anthelion.md](anthelion.md).\n",
        "## Table 2: share of relevant pages\n",
        *_table_2(runs[FIRST]),
        "## Exploration, chosen by leaving one task out\n",
        *_exploration(runs),
        "## The other tasks\n",
        *_tasks(runs),
        "## Figure 3: accuracy of the classifier as the crawl goes on\n",
        *_figure_3(runs[FIRST]),
        "## Table 1: classifiers and attribute sets\n",
        *_table_1(lines),
    ]
    return "\n".join(parts)


def _of(runs: Iterable[Run], policy: str) -> list[Run]:
    return [run for run in runs if run.label == policy]


def _mean(values: Sequence[float], digits: int = 3) -> str:
    spread = f" ±{statistics.stdev(values):.{digits}f}" if len(values) > 1 else ""
    return f"{statistics.fmean(values):.{digits}f}{spread}"


def _table_2(runs: Sequence[Run]) -> list[str]:
    lines = []
    for policy in TABLE_2:
        rows = [run.row for run in _of(runs, policy)]
        shares = [
            f"{_mean([row.harvest[part] for row in rows])} / "
            f"{statistics.fmean(row.precision[part] for row in rows):.3f}"
            for part in PARTS
        ]
        to_90 = _mean([row.pct_requests_to_90 or 100.0 for row in rows], 1)
        choice = f"{statistics.fmean(row.choose_ms for row in rows):.3f}"
        lines.append([f"`{policy}`", *shares, to_90, PAPER.get(policy, "-"), choice])
    return [
        caption(runs),
        "Finds per request / per page crawled (the paper's precision: redirects and failures do",
        "not count) among the first 10, 25 and 50 % of the requests. The static classifiers of the",
        "paper were trained on 100, 250 and 1,000 thousand pages. The last column is Figure 9.\n",
        *table(
            [
                "policy",
                *(f"{p} %" for p in PARTS),
                "requests to 90 % of them, %",
                "paper",
                "ms per choice",
            ],
            lines,
        ),
    ]


def _score(runs: Sequence[Run], policy: str) -> float:
    """Return the percent of all finds, in the mean of the parts and the seeds."""
    rows = [run.row for run in _of(runs, policy)]
    return statistics.fmean(row.retrieved[part] for row in rows for part in PARTS)


def _exploration(runs: dict[str, list[Run]]) -> list[str]:
    choices = (SUCCESS, *GRID)
    scores = {(want, p): _score(some, p) for want, some in runs.items() for p in choices}
    lines = [
        [f"`{policy}`", *(f"{scores[want, policy]:.1f}" for want in TASKS)] for policy in choices
    ]
    chosen = {
        left: max(choices, key=lambda p: sum(scores[want, p] for want in TASKS if want != left))
        for left in TASKS
    }
    judged = [
        [TASKS[left], f"`{policy}`", f"{scores[left, policy]:.1f}",
         f"{max(scores[left, p] for p in choices):.1f}"]
        for left, policy in chosen.items()
    ]  # fmt: skip
    return [
        caption([run for some in runs.values() for run in some]),
        "Percent of all finds after 10, 25 and 50 % of the requests, mean of the three.\n",
        *table(["policy", *TASKS.values()], lines),
        "For each task, the exploration that is best on the two others:\n",
        *table(["task left out", "chosen", "finds, %", "best of all for this task, %"], judged),
    ]


def _tasks(runs: dict[str, list[Run]]) -> list[str]:
    lines = []
    for want, name in TASKS.items():
        total = runs[want][0].row.targets_total
        shown = ("bfs", "online", SUCCESS, "anthelion")
        for policy in (*shown, *(FIGURE_8 if want != FIRST else ())):
            rows = [run.row for run in _of(runs[want], policy)]
            shares = [_mean([row.harvest[part] for row in rows]) for part in PARTS]
            lines.append([f"{name} ({total:,})", f"`{policy}`", *shares])
    heads = ["task (finds)", "policy", *(f"{part} %" for part in PARTS)]
    about = (
        "Finds per request among the first 10, 25 and 50 % of the requests. The rows that only\n"
        "the tasks of several statements have are the four of Figure 8.\n"
    )
    return [caption(list(runs[FIRST])), about, *table(heads, lines)]


def _figure_3(runs: Sequence[Run]) -> list[str]:
    at = (250, 500, 1000, 2000, 4000, 6000, 8000)
    policies = (*STATIC, *CLASSIFIERS, "anthelion")
    lines = []
    for policy in policies:
        curves = [run.accuracy for run in _of(runs, policy)]
        means = [np.mean([np.interp(n, c["pages"], c["accuracy"]) for c in curves]) for n in at]
        lines.append([f"`{policy}`", *(f"{mean:.3f}" for mean in means)])
    return [
        caption(runs),
        "Share of the pages crawled so far that were predicted rightly, each just before it was",
        "learned from; by pages crawled.\n",
        *table(["policy", *(f"{n:,}" for n in at)], lines),
    ]


def _table_1(lines: Sequence[classifiers.Line]) -> list[str]:
    paper = dict(
        zip(
            ("hta", "htb", "htc", "nba", "nbb", "nbc"),
            (".7656", ".8165", ".7431", ".7146", ".7710", ".7147"),
            strict=True,
        )
    )
    cells = [
        [
            line.model.upper(),
            line.features,
            f"{line.accuracy:.4f} ±{line.spread:.4f}",
            paper[line.model + line.features],
            f"{line.ms:.2f}",
        ]
        for line in sorted(lines, key=lambda line: (line.model, line.features))
    ]
    return [
        f"*markup-web; {STUDIED} repetitions; {today()}, version {VERSION}; used in development*\n",
        "As many relevant pages as others in random order, each predicted before it is learned",
        "from. Attribute sets: a URL, b parents, c both.\n",
        *table(["classifier", "set", "accuracy", "paper", "ms per page"], cells),
    ]


if __name__ == "__main__":
    main()
