"""Policies on topics, each without earlier weights: docs/research/topics-policies.md, written anew.

    python -m bench.topic_policies [--corpora DIR] [--seeds N] [--rows FILE] [--cache DIR]

Finds in 1,000 requests: the six topics on Schools' Wikipedia, and topics on other sites, which
are words that some of their pages contain.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from pathlib import Path

from bench.pages import arguments, made, parsed, table, today
from bench.topics import LEARNING, REQUESTS, SITE, TOPICS, Job
from lodehound.lab.race import RaceEntry, RaceOptions, Run, seeds_of
from lodehound.stores.topics import TopicOptions, split_names
from lodehound.version import VERSION

OURS = "lodehound"
POLICIES = ("bfs", "best-first", *LEARNING, OURS)
ELSEWHERE = {  # topic: site, categories, start if it is not the first page
    "assessment": ("sites/mirandanet", "education,school,teaching", ""),
    "safety": ("sites/mirandanet", "internet,children,school", ""),
    "graph": ("sites/skimage", "mathematics,network", ""),
    "series": ("sites/statsmodels", "time,forecast", ""),
    "school": ("sites/dclaw", "education,child", ""),
    "wireless": ("sites/openbsd", "network,device", ""),
    "database": ("webs/markup-web", "software,data", "https://directory.invalid/"),
}


def main() -> None:
    given = parsed(arguments(__doc__ or "", "topics-policies.md", seeds=3))
    wiki = [
        _line(made(_plan(given.corpora / "webs" / SITE, options, given.seeds), given.rows))
        for options in (Job(topic, OURS, whole=False).options(given.cache) for topic in TOPICS)
    ]
    other = [
        _line(made(_plan(given.corpora / f"{site}.warc.zst", options, given.seeds), given.rows))
        for site, options in _elsewhere(given.cache)
    ]
    given.out.write_text(page(wiki, other), encoding="utf-8")


def _elsewhere(cache: Path | None) -> list[tuple[str, RaceOptions]]:
    return [
        (
            site,
            RaceOptions(
                want=f"topic:{topic}",
                scope="web" if site.startswith("webs/") else "",
                starts=(start,) if start else (),
                requests=REQUESTS,
                topic=TopicOptions(categories=split_names(categories)),
                cache=cache,
            ),
        )
        for topic, (site, categories, start) in ELSEWHERE.items()
    ]


def _plan(site: Path, options: RaceOptions, seeds: int) -> list[tuple[RaceEntry, RaceOptions]]:
    return [
        (RaceEntry((site,), policy, seed), options)
        for policy in POLICIES
        for seed in seeds_of(policy, seeds)
    ]


def _line(runs: Sequence[Run]) -> list[str]:
    """Return the line of a topic on a site."""
    found = {p: [run.row.found for run in runs if run.label == p] for p in POLICIES}
    best = max(statistics.fmean(found[policy]) for policy in LEARNING)
    ratio = statistics.fmean(found[OURS]) / best if best else math.inf
    total = f"{runs[0].row.targets_total:,}"
    return [runs[0].row.site, total, *map(_spread, found.values()), f"{ratio:.2f}"]


def _spread(found: Sequence[int]) -> str:
    mean = f"{statistics.fmean(found):.0f}"
    return mean if len(found) == 1 else f"{mean} ({min(found)} to {max(found)})"


def page(wiki: Sequence[Sequence[str]], other: Sequence[Sequence[str]]) -> str:
    """Write the page."""
    heads = ["relevant", *(policy.rpartition("=")[2] for policy in POLICIES), f"{OURS} : sarsa"]
    about = f"*{today()}, version {VERSION}; sites used in development.*\n"
    parts = [
        "# Topics: policies side by side\n",
        "Written by `python -m bench.topic_policies`. Relevant pages in 1,000 requests: mean, in",
        "brackets the fewest and the most of all seeds. Every run begins without earlier weights.",
        "Synchronous, asynchronous and moderated are ways to update `sarsa`; the last column",
        f"compares `{OURS}` with the best of them.\n",
        about,
        "## Schools' Wikipedia\n",
        f"All of these topics had a part in the choice of how `{OURS}` sees a topic, so none of",
        "the figures is held out: [what was tried](what-was-tried.md) says",
        "which decided what, and has the held-out figures of an earlier state.\n",
        *table(["topic", *heads], [[t, *line[1:]] for t, line in zip(TOPICS, wiki, strict=True)]),
        "## Other sites\n",
        "The topics are words that some pages of these sites contain.\n",
        *table(
            ["site", "topic", *heads],
            [
                [n.partition(".")[0], t, *rest]
                for t, (n, *rest) in zip(ELSEWHERE, other, strict=True)
            ],
        ),
    ]
    return "\n".join(parts)


if __name__ == "__main__":
    main()
