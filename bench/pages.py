"""Pages of results: runs that are kept in a file and not made again, captions and tables."""

from __future__ import annotations

import argparse
import datetime
import json
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from lodehound.core.messages import Group
from lodehound.lab.confusion import Confusion
from lodehound.lab.race import RaceEntry, RaceOptions, Row, Run, run_entry
from lodehound.stores.cache import site_name
from lodehound.version import VERSION

RESEARCH = Path(__file__).parent.parent / "docs" / "research"

Site = tuple[Path, ...]
Plan = list[tuple[RaceEntry, RaceOptions]]


def arguments(about: str, out: str, *, seeds: int) -> argparse.ArgumentParser:
    """Make the options that every page takes."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--corpora", type=Path, default=os.environ.get("LODEHOUND_CORPORA"))
    parser.add_argument("--seeds", type=int, default=seeds)
    parser.add_argument("--rows", type=Path, help="where runs are kept, and looked for")
    parser.add_argument("--out", type=Path, default=RESEARCH / out)
    parser.add_argument("--cache", type=Path)
    return parser


def parsed(parser: argparse.ArgumentParser) -> argparse.Namespace:
    given = parser.parse_args()
    if given.corpora is None:
        parser.error("give --corpora, or set LODEHOUND_CORPORA")
    return given


def made(plan: Plan, kept: Path | None) -> list[Run]:
    """Make the runs that are not kept yet, in the order of the plan; return all."""
    done = _read(kept)
    runs = []
    for entry, options in plan:
        key = _key(entry, options)
        if key not in done:
            run = done[key] = run_entry(entry, options)
            print(entry.policy, run.row.site, options.want, entry.seed, run.row.cpu_s, flush=True)
            if kept is not None:
                with kept.open("a", encoding="utf-8") as lines:
                    lines.write(json.dumps({"key": key} | _written(run)) + "\n")
        runs.append(done[key])
    return runs


def _key(entry: RaceEntry, options: RaceOptions) -> str:
    plain = RaceOptions()
    changed = {
        field.name: value
        for field in fields(options)
        if (value := getattr(options, field.name)) != getattr(plain, field.name)
        and field.name != "cache"
    }
    return f"{site_name(entry.site)} {entry.policy} {entry.seed} {changed}"


def _written(run: Run) -> dict[str, Any]:
    counts = run.confusion.counts if run.confusion is not None else {}
    return asdict(run) | {"confusion": [[*cell, count] for cell, count in counts.items()]}


def _read(kept: Path | None) -> dict[str, Run]:
    if kept is None or not kept.exists():
        return {}
    with kept.open(encoding="utf-8") as lines:
        return {row["key"]: _run(row) for row in map(json.loads, lines)}


def _run(row: dict[str, Any]) -> Run:
    counts = Counter({(kind, taken): count for kind, taken, count in row["confusion"]})
    return Run(
        row=Row(**row["row"]),
        label=row["label"],
        curve=row["curve"],
        confusion=Confusion(counts) if counts else None,
        groups=tuple(Group(**group) for group in row["groups"]),
        accuracy=row["accuracy"],
    )


# --- text -----------------------------------------------------------------------------------------


def today() -> str:
    return datetime.datetime.now(tz=datetime.UTC).date().isoformat()


def caption(runs: Sequence[Run]) -> str:
    """Say what a table was made of."""
    sites = {run.row.site.partition(".")[0] for run in runs}
    seeds = {run.row.seed for run in runs}
    names = ", ".join(sorted(sites)) if len(sites) < 4 else f"{len(sites)} sites"
    many = "1 seed" if len(seeds) == 1 else f"{len(seeds)} seeds"
    return f"*{names}; {many}; {today()}, version {VERSION}; sites used in development.*\n"


def table(heads: Iterable[str], lines: Iterable[Iterable[str]]) -> list[str]:
    """Write a Markdown table."""
    heads = list(heads)
    made = [f"| {' | '.join(line)} |" for line in lines]
    return [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads), *made, ""]
