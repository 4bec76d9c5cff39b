"""The page that bench.sb_tables writes: each table of the SB paper, and which claims hold."""

from __future__ import annotations

import math
import statistics
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.pages import caption, table, today
from lodehound.lab.confusion import TRUE_KINDS, Confusion
from lodehound.lab.race import Row, Run
from lodehound.lab.site_facts import SiteFacts
from lodehound.lab.tables import is_all_training
from lodehound.version import VERSION

SB, ORACLE = "sb-classifier", "sb-oracle"
PLAIN = "files-first"  # a baseline that the paper lacks: what users would write themselves
BASELINES = (ORACLE, PLAIN, "focused", "tp-off", "bfs", "dfs", "random")
ALPHAS = (f"{ORACLE}:alpha=0.1", ORACLE, f"{ORACLE}:alpha=30")
LENGTHS = (f"{ORACLE}:n=1", ORACLE, f"{ORACLE}:n=3")
THETAS = (f"{ORACLE}:theta=0.55", ORACLE, f"{ORACLE}:theta=0.95")
ORACLES = tuple(p for p in (*ALPHAS, *LENGTHS, *THETAS) if p != ORACLE)
CLASSIFIERS = (
    SB,
    *(f"{SB}:model={model}" for model in ("svm", "nb", "pa")),
    f"{SB}:features=context",
    *(f"{SB}:features=context,model={model}" for model in ("svm", "nb", "pa")),
)
NAMES = [
    f"{what}-{model}" for what in ("URL_ONLY", "URL_CONT") for model in ("LR", "SVM", "NB", "PA")
]
RANKS = 10

Cell = tuple[str, str]  # site, policy as written
Measure = Callable[[Row], float | None]


def page(runs: Sequence[Run], facts: Mapping[str, SiteFacts], picture: Path) -> str:
    """Write the page, and the picture beside it."""
    stops = [run for run in runs if run.label == SB and not run.curve]
    runs = [run for run in runs if run.label != SB or run.curve]
    means = _means(runs, lambda row: row.pct_requests_to_90)
    volumes = _means(runs, lambda row: row.pct_volume_to_90)
    parts = [
        "# SB-CLASSIFIER: the paper's tables on recorded sites\n",
        f"Measured {today()} with version {VERSION} by `python -m bench.sb_tables`. All of these",
        "sites were used while the program was developed, and none of them is one of the paper's.",
        "How we read the paper is in [sb-classifier.md](sb-classifier.md); the policy `lodehound`",
        "on the same sites is in [results.md](results.md).\n",
        "## Which of the paper's claims hold here\n",
        *_summary(runs, stops, means, facts),
        *_claims(runs, stops, means),
        *_table_1(runs, facts),
        *_table_2(runs, stops, means),
        *_plain("Table 3: percent of the other volume to 90 % of the target volume", runs, volumes),
        *_table_4(runs, means, volumes),
        *_table_5(runs, means),
        *_confusions(runs),
        *_rewards(runs),
        *_figure_15(runs, stops, picture),
    ]
    return "\n".join(parts)


# --- what the tables are made of ------------------------------------------------------------------


def _means(runs: Iterable[Run], measure: Measure) -> dict[Cell, float]:
    values: dict[Cell, list[float]] = {}
    for run in runs:
        value = measure(run.row)
        values.setdefault((_site(run), run.label), []).append(math.inf if value is None else value)
    return {cell: statistics.fmean(some) for cell, some in values.items()}


def _site(run: Run) -> str:
    return run.row.site.partition(".")[0]


def _sites(runs: Iterable[Run]) -> list[str]:
    return list(dict.fromkeys(map(_site, runs)))


def _of(runs: Iterable[Run], *policies: str) -> list[Run]:
    return [run for run in runs if run.label in policies]


def _percent(value: float) -> str:
    return "∞" if math.isinf(value) else f"{value:.1f}"


def _saved_and_lost(stops: Sequence[Run], site: str) -> tuple[float, float]:
    rows = [run.row for run in stops if _site(run) == site]
    saved = [100 * max(row.requests_total - row.requests, 0) / row.requests_total for row in rows]
    lost = [100 * (1 - row.found / max(row.targets_total, 1)) for row in rows]
    return statistics.fmean(saved), statistics.fmean(lost)


# --- claims ---------------------------------------------------------------------------------------


def _summary(
    runs: Sequence[Run],
    stops: Sequence[Run],
    means: Mapping[Cell, float],
    facts: Mapping[str, SiteFacts],
) -> list[str]:
    sites = _sites(runs)
    focused = sum(means[site, "focused"] < means[site, SB] for site in sites)
    deep = sum(means[site, "dfs"] < means[site, SB] for site in sites)
    worst = max(sites, key=lambda site: _saved_and_lost(stops, site)[1])
    sizes = [fact.available for fact in facts.values()]
    wrong = _misclassified(_average(runs, SB))
    lost = _saved_and_lost(stops, worst)[1]
    said = (
        f"On these sites, FOCUSED needs fewer requests than SB-CLASSIFIER on {focused} of "
        f"{len(sites)}, and depth first on {deep}. The URL classifier misclassifies "
        f"{wrong:.1f} % of the pages and targets (2.6 % in the paper). "
        f"Early stopping by the paper's rule loses {lost:.0f} % of the targets of {worst}. "
        f"The sites are smaller than the paper's: {min(sizes):,} to "
        f"{max(sizes):,} available URLs instead of 4,360 to 993,870."
    )
    return [textwrap.fill(said, 100), ""]


def _claims(runs: Sequence[Run], stops: Sequence[Run], means: Mapping[Cell, float]) -> list[str]:
    sites = _sites(runs)

    def wins(one: str, other: str) -> int:
        return sum(means[site, one] < means[site, other] for site in sites)

    def count(number: int) -> str:
        return f"{number} of {len(sites)}"

    best = sum(
        means[site, SB] < min(means[site, other] for other in BASELINES[2:]) for site in sites
    )
    ahead = "SB-CLASSIFIER needs fewer requests than"
    lines = [[f"{ahead} every baseline (Sec. 4.5)", count(best)]]
    lines += [[f"{ahead} {other.upper()}", count(wins(SB, other))] for other in BASELINES[1:]]
    lines.append(["SB-ORACLE needs fewer requests than SB-CLASSIFIER", count(wins(ORACLE, SB))])
    for said, three in (("alpha = 2√2", ALPHAS), ("n = 2", LENGTHS), ("theta = 0.75", THETAS)):
        lowest = sum(means[site, ORACLE] <= min(means[site, p] for p in three) for site in sites)
        lines.append([f"{said} is best of the three values (Sec. 4.6)", count(lowest)])
    unbeaten = sum(
        min(means[site, p] for p in CLASSIFIERS[1:]) > 0.98 * means[site, SB] for site in sites
    )
    lines.append(
        ["no classifier needs 2 % fewer requests than URL_ONLY-LR (Sec. 4.6)", count(unbeaten)]
    )
    kept = sum(_saved_and_lost(stops, site)[1] < 5 for site in sites)
    lines.append(["early stopping loses less than 5 % of the targets (Sec. 4.8)", count(kept)])
    return table(["claim", "sites where it holds"], lines)


# --- tables ---------------------------------------------------------------------------------------


def _table_1(runs: Sequence[Run], facts: Mapping[str, SiteFacts]) -> list[str]:
    heads = [
        "site",
        "start URL",
        "whole",
        "available URLs",
        "targets",
        "HTML to target, %",
        "size MB",
        "depth",
    ]
    lines = [
        [
            name.partition(".")[0],
            fact.start,
            "yes" if fact.whole else "no",
            f"{fact.available:,}",
            f"{fact.targets:,}",
            f"{fact.html_to_target:.2f}",
            f"{fact.size[0]:.2f} ({fact.size[1]:.2f})",
            f"{fact.depth[0]:.2f} ({fact.depth[1]:.2f})",
        ]
        for name, fact in facts.items()
    ]
    about = (
        "Size and depth of the targets: mean, and standard deviation in brackets. A site is whole\n"
        "if no page that exists is missing from its recording.\n"
    )
    return ["## Table 1: the sites\n", caption(_of(runs, SB)), about, *table(heads, lines)]


def _table_2(runs: Sequence[Run], stops: Sequence[Run], means: Mapping[Cell, float]) -> list[str]:
    lines = []
    for site in _sites(runs):
        saved, lost = _saved_and_lost(stops, site)
        values = [_percent(means[site, policy]) for policy in (SB, *BASELINES)]
        values = [
            value + _spread(_of(runs, policy), site)
            for value, policy in zip(values, (SB, *BASELINES), strict=True)
        ]
        lines.append([site, *values, f"{saved:.1f}", f"{lost:.1f}"])
    return [
        "## Table 2: percent of requests to 90 % of the targets\n",
        caption(_of(runs, SB)),
        "The last two columns are early stopping by the paper's rule with its parameters: requests",
        "saved, and targets lost, in percent. It needs 15,000 requests at least before it stops.",
        "± is one standard deviation over the seeds; (bfs): the training requests of TP-OFF cover",
        "the whole site.\n",
        *table(["site", SB, *BASELINES, "saved", "lost"], lines),
    ]


def _spread(runs: Sequence[Run], site: str) -> str:
    """Return what follows a mean: the spread over the seeds, or that TP-OFF is BFS."""
    rows = [run.row for run in runs if _site(run) == site]
    values = [row.pct_requests_to_90 for row in rows if row.pct_requests_to_90 is not None]
    if any(map(is_all_training, rows)):
        return " (bfs)"
    return f" ±{statistics.stdev(values):.1f}" if len(values) == len(rows) > 1 else ""


def _plain(title: str, runs: Sequence[Run], means: Mapping[Cell, float]) -> list[str]:
    policies = (SB, *BASELINES)
    lines = [[s, *(_percent(means[s, policy]) for policy in policies)] for s in _sites(runs)]
    return [f"## {title}\n", caption(_of(runs, SB)), *table(["site", *policies], lines)]


def _table_4(
    runs: Sequence[Run], means: Mapping[Cell, float], volumes: Mapping[Cell, float]
) -> list[str]:
    heads = ["default"] + [policy.partition(":")[2].replace("=", " = ") for policy in ORACLES]
    lines = [
        [site]
        + [f"{_percent(means[site, p])} / {_percent(volumes[site, p])}" for p in (ORACLE, *ORACLES)]
        for site in _sites(runs)
    ]
    return [
        "## Table 4: parameters, with the oracle\n",
        caption(_of(runs, ORACLE, *ORACLES)),
        "Percent of requests / of the other volume. The default is alpha = 2√2, n = 2, theta =",
        "0.75.\n",
        *table(["site", *heads], lines),
    ]


def _table_5(runs: Sequence[Run], means: Mapping[Cell, float]) -> list[str]:
    lines = [[s, *(_percent(means[s, policy]) for policy in CLASSIFIERS)] for s in _sites(runs)]
    rates = [f"{_misclassified(_average(runs, policy)):.2f}" for policy in CLASSIFIERS]
    return [
        "## Table 5: URL classifiers, percent of requests to 90 % of the targets\n",
        caption(_of(runs, *CLASSIFIERS)),
        "MR: misclassified among HTML pages and targets, in percent, mean of the sites.\n",
        *table(["site", *NAMES], [*lines, ["MR", *rates]]),
    ]


def _average(runs: Sequence[Run], policy: str) -> dict[tuple[str, bool], float]:
    """Return the mean over the sites of the shares of a confusion matrix."""
    by_site: dict[str, list[Confusion]] = {}
    for run in _of(runs, policy):
        if run.confusion is not None:
            by_site.setdefault(_site(run), []).append(run.confusion)
    totals = [Confusion.total(some) for some in by_site.values()]
    return {
        (kind, taken): statistics.fmean(one.share(kind, predicted_target=taken) for one in totals)
        for kind in TRUE_KINDS
        for taken in (False, True)
    }


def _misclassified(shares: Mapping[tuple[str, bool], float]) -> float:
    judged = sum(shares[kind, taken] for kind in TRUE_KINDS[:2] for taken in (False, True))
    return 100 * (shares["html", True] + shares["target", False]) / (judged or 1)


def _confusions(runs: Sequence[Run]) -> list[str]:
    heads = [f"{kind} as {taken}" for kind in TRUE_KINDS for taken in ("HTML", "target")]
    lines = []
    for number, (name, policy) in enumerate(zip(NAMES, CLASSIFIERS, strict=True), start=8):
        shares = _average(runs, policy)
        lines.append([f"{number}: {name}", *(f"{share:.2f}" for share in shares.values())])
    return [
        "## Tables 8 to 16: confusion matrices of the URL classifiers\n",
        caption(_of(runs, *CLASSIFIERS)),
        "Percent of all predictions, mean of the sites: what a URL was, and what it was taken for.",
        "Table 16 is that of the default, as Table 8.\n",
        *table(["table", *heads], lines),
    ]


def _rewards(runs: Sequence[Run]) -> list[str]:
    """Table 6 and Figure 5: the mean rewards of groups, over the seeds."""
    six, five = [], []
    for site in _sites(runs):
        agents = [_group_rewards(run) for run in _of(runs, SB) if _site(run) == site]
        rewards = [reward for agent in agents for reward in agent]
        groups = statistics.fmean(map(len, agents))
        spread = statistics.pstdev(rewards) if rewards else 0.0
        mean = statistics.fmean(rewards) if rewards else 0.0
        six.append([site, f"{groups:.0f}", f"{mean:.1f}", f"{spread:.1f}"])
        five.append([site, *(_at_rank(agents, rank) for rank in range(RANKS))])
    about = caption(_of(runs, SB))
    return [
        "## Table 6: mean rewards of the groups that had any\n",
        about,
        *table(["site", "groups", "mean", "standard deviation"], six),
        "## Figure 5: mean reward of the ten best groups\n",
        about,
        "A group's mean reward is the targets that its pages led to, per page.\n",
        *table(["site", *map(str, range(1, RANKS + 1))], five),
    ]


def _at_rank(agents: Sequence[Sequence[float]], rank: int) -> str:
    rewards = [agent[rank] for agent in agents if len(agent) > rank]
    return f"{statistics.fmean(rewards):.1f}" if rewards else "-"


def _group_rewards(run: Run) -> list[float]:
    """Return the mean rewards of the groups that had any, the highest first."""
    rewards = [group.finds / group.visits for group in run.groups if group.visits and group.finds]
    return sorted(rewards, reverse=True)


def _figure_15(runs: Sequence[Run], stops: Sequence[Run], picture: Path) -> list[str]:
    """Draw the sites on which the paper's rule stopped at all."""
    ended = {_site(run): run for run in stops if run.row.stop_reason == "early-stop"}
    if not ended:
        return ["## Figure 15: early stopping\n", "The rule stopped on none of these sites.\n"]
    whole = {_site(run): run for run in _of(runs, SB) if run.row.seed == 0}
    draw_stops([(whole[site], run.row) for site, run in ended.items()], picture)
    return [
        "## Figure 15: early stopping\n",
        caption(list(ended.values())),
        "Targets against requests of SB-CLASSIFIER; the black rule is where it stops.\n",
        f"![Targets against requests, and where the rule stops]({picture.name})\n",
    ]


def draw_stops(pairs: Sequence[tuple[Run, Row]], picture: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(
        1, len(pairs), figsize=(4.5 * len(pairs), 3.2), squeeze=False, layout="constrained"
    )
    for axis, (run, row) in zip(axes[0], pairs, strict=True):
        _draw(axis, run, row)
    figure.savefig(picture, dpi=80)
    pyplot.close(figure)


def _draw(axis: Any, run: Run, row: Row) -> None:
    axis.plot(run.curve["requests"], run.curve["found"], color="#1f6feb", linewidth=1.6)
    axis.axvline(row.requests, color="black", linewidth=1.2)
    axis.set(xlabel="requests", ylabel="targets", title=_site(run))
    axis.spines[["top", "right"]].set_visible(False)
