"""The intermediate rewards of Han et al. (ICWE 2018).

    python -m bench.topic_rewards [--corpora DIR] [--glove FILE] [--topics NAME,NAME]
        [--seeds N] [--rows FILE]

Tasks of 1,000 requests, five in a row, with and without rewards for pages that are near to
the topic, by the installed word vectors and by a text file of GloVe's, which the paper used.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from bench.pages import arguments, parsed, table, today
from bench.topics import REQUESTS, ROOT, SITE, TOPICS
from lodehound.lab.race import RaceOptions, prepared
from lodehound.lab.repeated_tasks import race_tasks
from lodehound.papers.han.sarsa import NEAR_COSINES, NEAR_SHARES
from lodehound.read.subject import Subject
from lodehound.read.vectors import exceeded_by
from lodehound.stores.topics import TopicOptions, split_names
from lodehound.stores.verdicts import Judged
from lodehound.version import VERSION

TASKS = 5
POLICIES = ("best-first", "sarsa", "sarsa:near=true")
Row = dict[str, Any]


def main() -> None:
    parser = arguments(__doc__ or "", "topics-rewards.md", seeds=2)
    parser.add_argument("--glove", default="", help="a text file of GloVe vectors")
    parser.add_argument("--topics", default=",".join(TOPICS), help="separated by commas")
    given = parsed(parser)
    topics = given.topics.split(",")
    site = (given.corpora / "webs" / SITE,)
    sources = {"installed": "auto"} | ({"GloVe": given.glove} if given.glove else {})
    rows, near = [], []
    for topic in topics:
        for name, vectors in sources.items():
            options = _options(topic, vectors, given.cache)
            rows += _tasks(site, (topic, name), options, given.seeds, given.rows)
            near.append([topic, name, *_near(site, options)])
    given.out.write_text(page(topics, rows, near, list(sources), given.seeds), encoding="utf-8")


def _options(topic: str, vectors: str, cache: Path | None) -> RaceOptions:
    categories, start = TOPICS[topic]
    return RaceOptions(
        want=f"topic:{topic}",
        starts=(f"{ROOT}{start}.htm",),
        exclude=("*/images/*",),
        requests=REQUESTS,
        topic=TopicOptions(categories=split_names(categories), vectors=vectors),
        cache=cache,
    )


def _tasks(
    site: tuple[Path, ...],
    key: tuple[str, str],
    options: RaceOptions,
    trials: int,
    kept: Path | None,
) -> list[Row]:
    """Run what the file of rows does not have yet; return all rows of a topic and its vectors."""
    lines = kept.read_text(encoding="utf-8").splitlines() if kept and kept.exists() else []
    rows = [row for row in map(json.loads, lines) if (row["topic"], row["vectors"]) == key]
    missing = [policy for policy in POLICIES if policy not in {row["policy"] for row in rows}]
    for policy in missing:
        made = race_tasks([site], [policy], tasks=TASKS, trials=trials, options=options)
        some = [row.as_json() | {"topic": key[0], "vectors": key[1]} for row in made]
        print(*key, policy, [row["found"] for row in some], flush=True)
        if kept:
            with kept.open("a", encoding="utf-8") as file:
                file.writelines(json.dumps(row) + "\n" for row in some)
        rows += some
    return rows


def _near(site: tuple[Path, ...], options: RaceOptions) -> list[str]:
    """Return the cosines for the rewards, and how many irrelevant pages exceed them."""
    target = prepared(site, options)[1].target
    subject = target.subject
    if not isinstance(target, Judged) or not isinstance(subject, Subject) or not subject.vectors:
        raise TypeError("a topic with word vectors is needed")
    cosines = exceeded_by(subject.vectors, NEAR_SHARES, NEAR_COSINES)
    told = [json.loads(v.details)["near"][0] for v in target.verdicts if not v.found and v.details]
    counts = [sum(value > cosine for value in told) for cosine in (*cosines, NEAR_COSINES[1])]
    shares = [f"{100 * count / len(told):.1f}" for count in counts]
    return [*(f"{cosine:.2f}" for cosine in cosines), *shares]


def page(
    topics: Sequence[str],
    rows: Sequence[Row],
    near: Sequence[Sequence[str]],
    sources: Sequence[str],
    trials: int,
) -> str:
    """Write the page."""
    heads = [f"{policy}, {name}" for name in sources for policy in POLICIES]
    lines = [
        [topic, *(_cell(_of(rows, topic, policy, name)) for name in sources for policy in POLICIES)]
        for topic in topics
    ]
    about = f"schools-wiki; {trials} trials; {today()}, version {VERSION}; used in development"
    parts = [
        "# Topics: intermediate rewards\n",
        "Written by `python -m bench.topic_rewards`. Han et al. also reward pages that are not",
        "relevant, with 30 and 20 if their word vectors are near enough to the topic:",
        "`near=true`, by cosines that as many pairs of frequent words exceed as the paper's under",
        "GloVe. [topics.md](topics.md) discusses the figures.\n",
        "## Relevant pages per task\n",
        f"*{about}.*\n",
        f"{TASKS} tasks of {REQUESTS:,} requests in a row, each with the weights of the one",
        "before: first task, last task, and the mean of all.\n",
        *table(["topic", *heads], lines),
        "## How many pages are near\n",
        "Cosines for 30 and 20, the percentage of the pages that are not relevant which exceed",
        "them, and the percentage that exceeds the paper's lower cosine, 0.4.\n",
        *table(["topic", "vectors", "30", "20", "over it, %", "over it, %", "over 0.4, %"], near),
    ]
    return "\n".join(parts)


def _of(rows: Iterable[Row], topic: str, policy: str, name: str) -> list[Row]:
    wanted = (topic, policy, name)
    return [row for row in rows if (row["topic"], row["policy"], row["vectors"]) == wanted]


def _cell(rows: Sequence[Row]) -> str:
    last = max(row["task"] for row in rows)
    ends = [[row["found"] for row in rows if row["task"] == task] for task in (0, last)]
    means = [statistics.fmean(some) for some in (*ends, [row["found"] for row in rows])]
    return f"{means[2]:.0f}" if not last else ", ".join(f"{mean:.0f}" for mean in means)


if __name__ == "__main__":
    main()
