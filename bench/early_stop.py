"""What --early-stop auto loses and saves: docs/research/early-stop.md, written anew.

    python -m bench.early_stop [--corpora DIR] [--seeds N] [--rows FILE] [--out FILE]

The policy lodehound on every site of CORPORA/sites, on the last snapshot of every timeline of
CORPORA/timelines, and on the generated portals without an end (lodehound.sites.endless). With
``--rows`` runs are kept in a file as they end and are not made again.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import get_args

from bench.pages import arguments, parsed, table, today
from lodehound.core.auto_stop import AutoStop
from lodehound.core.crawl import Crawl
from lodehound.core.forecasts import Forecaster
from lodehound.core.lanes import Lanes
from lodehound.core.link import Link
from lodehound.core.messages import Answer, Ask, Step
from lodehound.core.scope import Scope
from lodehound.core.stop import Budget
from lodehound.drivers.replay import replay, run, scope_of
from lodehound.lab.site_truth import SiteTruth, survey
from lodehound.policies.lodehound import LodehoundPolicy
from lodehound.read.mime import split_content_type
from lodehound.read.page import read_page
from lodehound.sites.endless import EndlessPortal, Trap
from lodehound.stores.cache import open_site
from lodehound.stores.site import RecordedSite
from lodehound.stores.timeline import open_timeline
from lodehound.targets.files import Files
from lodehound.version import VERSION

TINY = 300  # requests: too few to judge an early stop by
DATASETS = (30, 120, 600)  # of a generated portal
MOST = 20_000  # requests to a portal without an end


@dataclass(frozen=True, slots=True)
class Stopped:
    """One crawl that was to stop by itself."""

    site: str
    seed: int
    targets: int
    found: int
    requests_total: int  # of an exhaustive crawl; 0: it has no end
    requests: int
    last_find: int  # number of the request
    reason: str

    @property
    def lost(self) -> float:
        """The share of targets that were not found, in percent."""
        return 100 * (1 - self.found / self.targets)

    @property
    def late(self) -> int:
        """Requests after the last find."""
        return self.requests - self.last_find


def main() -> None:
    given = parsed(arguments(str(__doc__), "early-stop.md", seeds=2))
    runs = list(_runs(given.corpora, given.seeds, given.rows, given.cache))
    given.out.write_text(_page(runs), encoding="utf-8")


# --- runs ----------------------------------------------------------------------------------------


def _runs(corpora: Path, seeds: int, rows: Path | None, cache: Path | None) -> Iterator[Stopped]:
    done = _kept(rows)
    for name, opened in _places(corpora, cache):
        missing = [seed for seed in range(seeds) if (name, seed) not in done]
        crawl = opened() if missing else None
        for seed in range(seeds):
            if crawl is not None and seed in missing:
                made = done[name, seed] = crawl(seed)
                print(made, flush=True)
                if rows is not None:
                    with rows.open("a", encoding="utf-8") as lines:
                        lines.write(json.dumps(asdict(made)) + "\n")
            yield done[name, seed]


def _kept(rows: Path | None) -> dict[tuple[str, int], Stopped]:
    if rows is None or not rows.exists():
        return {}
    made = [Stopped(**json.loads(line)) for line in rows.read_text(encoding="utf-8").splitlines()]
    return {(one.site, one.seed): one for one in made}


CrawlOnce = Callable[[int], Stopped]


def _places(corpora: Path, cache: Path | None) -> Iterator[tuple[str, Callable[[], CrawlOnce]]]:
    """Yield the names of all sites, and what opens each for crawls by seed."""
    sites = sorted((corpora / "sites").glob("*.warc.zst"), key=lambda path: path.stat().st_size)
    for path in sites:
        yield _name(path), partial(_on_site, _name(path), partial(open_site, [path], cache=cache))
    for path in sorted((corpora / "timelines").glob("*.warc.zst")):
        name = f"{_name(path)}, last snapshot"
        yield name, partial(_on_site, name, partial(_last_snapshot, path, cache))
    for datasets in DATASETS:
        for trap in get_args(Trap):
            yield f"{trap}, {datasets}", partial(_on_portal, trap, datasets)


def _name(path: Path) -> str:
    return path.name.partition(".")[0]


def _last_snapshot(path: Path, cache: Path | None) -> RecordedSite:
    timeline = open_timeline(path, cache=cache)
    return timeline.at(len(timeline.dates) - 1)


def _on_site(name: str, opened: Callable[[], RecordedSite]) -> CrawlOnce:
    site, target = opened(), Files.from_argument("paper")
    starts = [site.root]
    scope = target.adapt(scope_of(site, starts))
    truth = survey(site, target=target, starts=starts, scope=scope)

    def crawl(seed: int) -> Stopped:
        policy = LodehoundPolicy(seed=seed)
        forecaster = Forecaster(Lanes(policy))
        rules = [forecaster, AutoStop(forecaster)]
        made, steps = replay(
            site,
            policy=policy,
            target=target,
            scope=scope,
            rules=rules,
        )
        return _stopped(name, seed, made, list(steps), truth)

    return crawl


def _on_portal(trap: Trap, datasets: int) -> CrawlOnce:
    portal = EndlessPortal(trap, datasets=datasets)

    def answer(ask: Ask) -> Answer:
        record = portal.get(ask.url)
        mime, charset = split_content_type(record.content_type)
        return Answer(ask, record.status, mime, record.body, record.size, charset=charset)

    def crawl(seed: int) -> Stopped:
        policy = LodehoundPolicy(seed=seed)
        forecaster = Forecaster(Lanes(policy))
        rules = [forecaster, AutoStop(forecaster)]
        made = Crawl(
            [Link(portal.host)],
            policy=policy,
            target=Files.from_argument("paper"),
            read=read_page,
            scope=Scope.around([portal.host]),
            budget=Budget(requests=MOST),
            rules=rules,
        )
        return _stopped(f"{trap}, {datasets}", seed, made, list(run(made, answer)), datasets)

    return crawl


def _stopped(
    name: str, seed: int, crawl: Crawl, steps: Sequence[Step], truth: SiteTruth | int
) -> Stopped:
    targets = truth if isinstance(truth, int) else truth.targets_total
    total = 0 if isinstance(truth, int) else truth.requests_total
    last = max((at for at, step in enumerate(steps, 1) if step.found), default=0)
    reason = crawl.stopped or "exhausted"
    return Stopped(name, seed, targets, crawl.finds, total, len(steps), last, reason)


# --- the page ------------------------------------------------------------------------------------


def _page(runs: Sequence[Stopped]) -> str:
    sites = [run for run in runs if run.requests_total]
    traps = [run for run in runs if not run.requests_total]
    large = [run for run in sites if run.requests_total >= TINY]
    heads = ("site", "requests in all", "stopped after", "targets", "lost, %")
    trap_heads = ("portal, datasets", "stopped after", "last find", "further requests", "found")
    within = sum(run.late <= max(500, 0.25 * run.requests) for run in traps)
    seeds = len({run.seed for run in runs})
    about = (
        "`python -m bench.early_stop` writes this page: the policy `lodehound` with "
        "`--early-stop auto` ([the rule](../budgets.md)) on recorded sites and on generated "
        "portals without an end. Figures are given for every seed.\n"
    )
    lost = (
        f"Lost in the mean: {statistics.mean(run.lost for run in sites):.2f} % of the targets "
        f"({statistics.mean(run.lost for run in large):.2f} % without sites under {TINY} "
        f"requests); at most {max(run.lost for run in sites):.1f} % in one crawl.\n"
    )
    ended = (
        f"{within} of {len(traps)} crawls ended within 500 requests of the last find, or within "
        f"a quarter of the requests made. Where every link has a new session id (`session`), the "
        f"same pages come back under new URLs, and a crawl may end before it has seen them all: "
        f"the worst found {min(run.found / run.targets for run in traps):.0%} of the files.\n"
    )
    lines = [
        "# Early stopping, measured\n",
        about,
        f"*{seeds} seeds; {today()}, version {VERSION}; sites used in development.*\n",
        "## Recorded sites\n",
        *table(heads, (_site_row(name, sites) for name in _names(sites))),
        lost,
        "## Portals without an end\n",
        *table(trap_heads, (_trap_row(name, traps) for name in _names(traps))),
        ended,
    ]
    return "\n".join(lines)


def _names(runs: Sequence[Stopped]) -> list[str]:
    return list(dict.fromkeys(run.site for run in runs))


def _site_row(name: str, runs: Sequence[Stopped]) -> list[str]:
    mine = [run for run in runs if run.site == name]
    after = ", ".join(f"{run.requests:,}" for run in mine)
    lost = ", ".join(f"{run.lost:.1f}" for run in mine)
    return [name, f"{mine[0].requests_total:,}", after, f"{mine[0].targets:,}", lost]


def _trap_row(name: str, runs: Sequence[Stopped]) -> list[str]:
    mine = [run for run in runs if run.site == name]
    columns = (
        [f"{run.requests:,}" for run in mine],
        [f"{run.last_find:,}" for run in mine],
        [f"{run.late:,}" for run in mine],
        [f"{run.found:,}" for run in mine],
    )
    return [name, *(", ".join(column) for column in columns)]


if __name__ == "__main__":
    main()
