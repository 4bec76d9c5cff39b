"""Fits the weights of forecasts on recorded sites, and tells how true they are on others.

    LODEHOUND_CORPORA=DIR python -m bench.fit_forecast ROWS.jsonl [--seeds 3] [--check] [--write]

Every site of DIR/sites, and the last snapshot of some of DIR/timelines, is crawled by the policy
lodehound for all files and for few types of files. The facts of some moments and what came are
kept in ROWS.jsonl; crawls that are there are not made again. ``--check`` leaves each site out in
turn, prints how true its forecasts were, and draws docs/images/forecast.svg. ``--write`` writes
lodehound/core/forecast_weights.py.

Linear quantile regression on y = log(finds + 5) at 5, 50 and 95 %, by gradient descent (Adam) on
the pinball loss: the loss of the outer two is the interval score.
"""

from __future__ import annotations

import argparse
import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.calibration import draw
from lodehound.core.forecasts import AHEAD, Forecaster
from lodehound.core.lanes import Lanes
from lodehound.core.messages import Step, Stop
from lodehound.core.stop import StopRule
from lodehound.drivers.replay import replay, scope_of
from lodehound.lab.forecasts import FEW, MOMENTS, Interval
from lodehound.policies.lodehound import LodehoundPolicy
from lodehound.stores.cache import open_site
from lodehound.stores.site import RecordedSite
from lodehound.stores.timeline import open_timeline
from lodehound.targets.files import Files

Floats = NDArray[np.float64]

TARGETS = ("left", *map(str, AHEAD))
QUANTILES = np.array([0.05, 0.5, 0.95])
TRAINED = (2, 3, 4, 5, 7, 10, 14, 20, 27, 35, 42, 50, 60, 70, 80, 90)  # percent of the requests
MIDDLE = ("rate 50", "rate 1000")  # facts that only the middle reads
SNAPSHOTS = ("jaalonso", "llvm")
CONSTANT = "constant"
LARGE = 10_000_000  # bytes of a file: one seed is enough
FEW_TYPES = {
    "hplgit": "pdf", "skimage": "zip", "who-immz": "csv,xlsx", "docbook": "pdf,zip",
    "maxsat": "pdf,csv", "openbsd": "pdf", "openbsd-opaque": "pdf", "sea-coahuila": "xlsx",
    "sdgmeta-vn": "xml", "mirandanet": "doc", "emijrp": "pdf", "irishaid": "docx",
    "doe-directives": "doc", "sg-customs": "docx,doc", "cpc-coahuila": "xlsx,docx",
    "4m-association": "doc,docx,pptx", "modelica2012": "zip",
}  # fmt: skip


class Facts(StopRule):
    """Writes down the facts of a crawl now and then."""

    def __init__(self, forecaster: Forecaster, lanes: Lanes) -> None:
        self._forecaster, self._lanes = forecaster, lanes
        self._requests, self._next = 0, 5
        self.seen: list[tuple[int, dict[str, float]]] = []

    def watch(self, step: Step) -> Stop | None:  # noqa: ARG002 - only the number of steps counts
        self._requests += 1
        if self._requests >= self._next:
            self._next = self._requests + max(1, self._requests // 60)
            estimate = self._lanes.remaining_yield()
            if estimate is not None and estimate.evidence is not None:
                facts = self._forecaster.facts(estimate, estimate.evidence)
                self.seen.append((self._requests, facts))
        return None


# --- crawls ------------------------------------------------------------------------------------


def crawled(folder: Path, rows: Path, seeds: int) -> list[dict[str, Any]]:
    """Return one row per crawl, with facts and truths; make what is missing."""
    kept = rows.read_text(encoding="utf-8").splitlines() if rows.exists() else []
    made = [json.loads(line) for line in kept]
    done = {(row["site"], row["want"], row["seed"]) for row in made}
    with rows.open("a", encoding="utf-8") as lines:
        for path in _paths(folder):
            name = path.name.partition(".")[0]
            wants = ["paper", *([FEW_TYPES[name]] if name in FEW_TYPES else [])]
            some = 1 if path.stat().st_size > LARGE or name in {"zookeeper", "uima-2019"} else seeds
            plans = [(name, want, seed) for want in wants for seed in range(some)]
            missing = [plan for plan in plans if plan not in done]
            if not missing:
                continue
            site = _open(path, rows.parent / "cache")
            for plan in missing:
                made.append(_row(site, *plan))
                lines.write(json.dumps(made[-1]) + "\n")
                lines.flush()
                print(*plan, made[-1]["requests"], flush=True)
    return made


def _paths(folder: Path) -> list[Path]:
    sites = sorted((folder / "sites").glob("*.warc.zst"), key=lambda path: path.stat().st_size)
    return sites + [folder / "timelines" / f"{name}.warc.zst" for name in SNAPSHOTS]


def _open(path: Path, cache: Path) -> RecordedSite:
    if path.parent.name == "timelines":
        timeline = open_timeline(path, cache=cache)
        return timeline.at(len(timeline.dates) - 1)
    return open_site([path], cache=cache)


def _row(site: RecordedSite, name: str, want: str, seed: int) -> dict[str, Any]:
    target = Files.from_argument(want)
    lanes = Lanes(LodehoundPolicy(seed=seed))
    log = Facts(forecaster := Forecaster(lanes), lanes)
    _, steps = replay(
        site,
        policy=lanes.policy,
        target=target,
        scope=target.adapt(scope_of(site, [site.root])),
        rules=[forecaster, log],
    )
    found = np.cumsum([0, *(step.found for step in steps)])
    last = len(found) - 1
    moments = []
    for percent in sorted({*TRAINED, *MOMENTS}):
        requests, facts = min(log.seen, key=lambda seen: abs(seen[0] - last * percent / 100))
        ends = {what: min(requests + int(what), last) for what in TARGETS[1:]} | {"left": last}
        came = {what: int(found[end] - found[requests]) for what, end in ends.items()}
        moments.append({"percent": percent, "facts": facts, "came": came})
    return {"site": name, "want": want, "seed": seed, "requests": last, "moments": moments}


# --- fitting -----------------------------------------------------------------------------------


class Table(NamedTuple):
    """The moments of all crawls."""

    sites: NDArray[np.str_]  # the same pages with other URLs are one site
    tasks: NDArray[np.str_]
    percents: NDArray[np.int64]
    facts: Floats
    came: Floats  # in logarithms


def table(rows: list[dict[str, Any]], what: str, names: list[str]) -> Table:
    every = [
        (row["site"].removesuffix("-opaque"), f"{row['site']} {row['want']}", moment["percent"],
         [moment["facts"][name] for name in names], np.log(moment["came"][what] + FEW))
        for row in rows
        for moment in row["moments"]
    ]  # fmt: skip
    return Table(*map(np.array, zip(*every, strict=True)))


def fitted(some: Table) -> Floats:
    """Return the weights of the facts, and a constant, for each quantile."""
    mean, spread = some.facts.mean(0), some.facts.std(0) + 1e-9
    scaled = np.c_[(some.facts - mean) / spread, np.ones(len(some.came))]
    share = _shares(some)[:, None]
    weights = np.zeros((scaled.shape[1], len(QUANTILES)))
    weights[-1] = np.quantile(some.came, QUANTILES)
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    rounds, step, soft, ridge = 1000, 0.05, 0.05, 3e-4
    for at in range(1, rounds + 1):
        error = some.came[:, None] - scaled @ weights
        slope = -(QUANTILES - 0.5 + np.clip(error / soft, -1, 1) / 2) * share
        gradient = scaled.T @ slope
        gradient[:-1] += ridge * weights[:-1]
        first = 0.9 * first + 0.1 * gradient
        second = 0.99 * second + 0.01 * gradient**2
        move = first / (1 - 0.9**at) / (np.sqrt(second / (1 - 0.99**at)) + 1e-8)
        weights -= step * (1 - at / rounds) ** 0.5 * move
    plain = weights[:-1] / spread[:, None]
    unscaled: Floats = np.r_[plain, (weights[-1] - mean @ plain)[None]]
    return unscaled


def _shares(some: Table) -> Floats:
    """Let tasks count alike, and several tasks of one site a little less each."""
    moments = Counter(some.tasks.tolist())
    pairs = list(zip(some.sites.tolist(), some.tasks.tolist(), strict=True))
    tasks = Counter(site for site, _ in set(pairs))
    each = np.array([1 / moments[task] / tasks[site] ** 0.5 for site, task in pairs])
    shares: Floats = each / each.sum()
    return shares


Weights = dict[str, tuple[float, float, float]]


def weights_of(rows: list[dict[str, Any]], what: str) -> Weights:
    """Return the weights of each fact in a forecast: its lower end, middle and upper end."""
    names = list(rows[0]["moments"][0]["facts"])
    outer = [name for name in names if name not in MIDDLE]
    ends, middle = (
        dict(zip([*some, CONSTANT], fitted(table(rows, what, some)).tolist(), strict=True))
        for some in (outer, names)
    )
    none = (0.0, 0.0, 0.0)
    return {
        name: (
            round(ends.get(name, none)[0], 4),
            round(middle[name][1], 4),
            round(ends.get(name, none)[2], 4),
        )
        for name in [*names, CONSTANT]
    }


# --- what comes of it --------------------------------------------------------------------------


def left_out(rows: list[dict[str, Any]], what: str) -> Iterator[tuple[str, int, Interval]]:
    """Leave each site out in turn; yield its tasks, percents and forecasts."""
    for site in sorted({row["site"].removesuffix("-opaque") for row in rows}):
        others = [row for row in rows if row["site"].removesuffix("-opaque") != site]
        weights = weights_of(others, what)
        for row in rows:
            if row["site"].removesuffix("-opaque") == site:
                for moment in row["moments"]:
                    if moment["percent"] in MOMENTS:
                        task = f"{row['site']} {row['want']}"
                        yield task, moment["percent"], _forecast(moment, weights, what)


def _forecast(moment: dict[str, Any], weights: Weights, what: str) -> Interval:
    facts = {**moment["facts"], CONSTANT: 1.0}
    columns = zip(*([w * facts[name] for w in each] for name, each in weights.items()), strict=True)
    most = np.inf if what == "left" else np.log(int(what) + FEW)
    low, middle, high = np.clip(sorted(map(sum, columns)), np.log(FEW), most)
    return Interval(low, middle, high, float(np.log(moment["came"][what] + FEW)))


def told(what: str, made: list[tuple[str, int, Interval]]) -> str:
    """Return the figures of forecasts in a line."""
    tasks: dict[str, list[tuple[int, Interval]]] = {}
    for task, percent, one in made:
        tasks.setdefault(task, []).append((percent, one))
    held = {task: np.mean([one.holds for _, one in some]) for task, some in tasks.items()}
    scores = [np.mean([one.score for _, one in some]) for some in tasks.values()]
    later = [one.factor for _, percent, one in made if percent >= 20]
    worst = min(held, key=lambda task: held[task])
    return (
        f"{what:5} {len(tasks)} tasks: score {np.mean(scores):.2f}, "
        f"held {100 * np.mean(list(held.values())):.1f} %, "
        f"least {100 * held[worst]:.0f} % ({worst}), median factor from 20 % on "
        f"{np.median(later):.2f}"
    )


def written(rows: list[dict[str, Any]]) -> str:
    """Return the module with the weights."""
    sites = len({row["site"].removesuffix("-opaque") for row in rows})
    tasks = len({(row["site"], row["want"]) for row in rows})
    lines = [
        '"""The weights of forecasts: made by python -m bench.fit_forecast --write.',
        "",
        f"Linear quantile regression over {len(rows)} crawls: {tasks} tasks on {sites} sites.",
        "The facts are those of lodehound.core.forecasts; each has a weight in the lower end",
        "(5 %), the middle and the upper end (95 %) of a forecast, in logarithms of finds.",
        '"""',
        "",
        "from __future__ import annotations",
        "",
        f"FEW = {FEW}  # added to finds before their logarithm is taken",
        f'CONSTANT = "{CONSTANT}"',
        "",
        "WEIGHTS: dict[str, dict[str, tuple[float, float, float]]] = {",
    ]
    for what in TARGETS:
        weights = weights_of(rows, what)
        lines += [
            f'    "{what}": {{',
            *(f'        "{n}": {w},' for n, w in weights.items()),
            "    },",
        ]
    return "\n".join([*lines, "}", ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=Path)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    root = Path(__file__).parents[1]
    rows = crawled(Path(os.environ["LODEHOUND_CORPORA"]), given.rows, given.seeds)
    if given.write:
        weights = root / "lodehound" / "core" / "forecast_weights.py"
        weights.write_text(written(rows), encoding="utf-8")
    if given.check:
        made = {what: list(left_out(rows, what)) for what in TARGETS}
        for what in TARGETS:
            print(told(what, made[what]), flush=True)
        picture = draw({what: [one for *_, one in made[what]] for what in TARGETS})
        (root / "docs" / "images" / "forecast.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
