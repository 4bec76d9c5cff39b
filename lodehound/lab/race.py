"""Runs policies on sites, seed by seed: the runs behind every table."""

from __future__ import annotations

import gc
import multiprocessing
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache, partial
from itertools import product
from pathlib import Path
from typing import Any, Literal, TypeVar

from lodehound.core.errors import ConfigError
from lodehound.core.lanes import Lanes
from lodehound.core.messages import Group, Outcome
from lodehound.core.policy import Policy
from lodehound.core.scope import Scope
from lodehound.core.stop import Budget, EarlyStop, StopRule
from lodehound.core.target import Target
from lodehound.core.truth import Kind
from lodehound.core.urls import canonical
from lodehound.drivers.fleet.processes import safe_path
from lodehound.drivers.replay import replay, scope_of
from lodehound.lab.accuracy import Accuracy
from lodehound.lab.confusion import Confusion
from lodehound.lab.forecasts import forecast_rules, forecasts_of
from lodehound.lab.metrics import AllTargetsFound, Meter, percent
from lodehound.lab.site_truth import SiteTruth, survey
from lodehound.lab.timed import Timed
from lodehound.lab.usage import Usage
from lodehound.registry import PAPER, accepts, load_policy, make_policy, make_shortcuts, make_target
from lodehound.registry import parse as parse_spec
from lodehound.stores.cache import open_site, site_name
from lodehound.stores.replica import Replica
from lodehound.stores.site import ABSENT, RecordedSite
from lodehound.stores.topics import TopicOptions
from lodehound.stores.verdicts import judged

Measure = Literal["targets", "harvest", "retrieved", "forecast"]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RaceOptions:
    """The options that all runs of a race share."""

    want: str = "files:paper"
    scope: Literal["", "site", "web"] = ""  # "": the default of the target
    starts: tuple[str, ...] = ()
    requests: int | None = None
    early_stop: tuple[tuple[str, Any], ...] | None = None  # parameters of EarlyStop
    auto_stop: bool = False  # use AutoStop, for policies that make an estimate
    enough: bool = False  # end a run when the rest does not change its requests to 90 %
    block: bool = True
    traps: bool = True
    cache: Path | None = None
    curves: bool = False
    confusion: bool = False
    groups: bool = False  # keep what the policy knows of its groups at the end
    accuracy: bool = False  # of the page classifier, as the crawl goes on
    measure: Measure = "targets"
    exclude: tuple[str, ...] = ()  # patterns of URLs to leave out
    topic: TopicOptions = field(default_factory=TopicOptions)
    shortcuts: str = "off"  # off: comparisons of policies stay fair


@dataclass(frozen=True, slots=True)
class RaceEntry:
    """One run: a policy with its parameters, a site and a seed."""

    site: tuple[Path, ...]
    policy: str  # as written, with parameters
    seed: int


@dataclass(frozen=True, slots=True)
class Row:
    """One line of ``--json``. The names are a contract."""

    site: str
    policy: str
    params: dict[str, str]
    seed: int
    targets_total: int
    requests_total: int
    found: int
    requests: int
    requests_to_90: int | None
    pct_requests_to_90: float | None
    pct_volume_to_90: float | None
    cpu_s: float
    peak_rss_mb: float
    stop_reason: str
    floor_requests: float
    bytes_total: int
    retrieved: dict[str, float]  # percentage of all targets within 10, 25, 50, 100 % of the budget
    harvest: dict[str, float]  # share of finds among the first 10, 25, 50, 100 % of the budget
    choose_ms: float  # time of the policy per choice; 0 unless the harvest is measured
    learn_ms: float
    # Share of finds among the pages in the same parts of the budget.
    precision: dict[str, float] = field(default_factory=dict)
    found_after: dict[str, int] = field(default_factory=dict)  # 100, 300 and 1,000 requests
    forecasts: list[dict[str, Any]] = field(default_factory=list)  # what was expected, what came


@dataclass(frozen=True, slots=True)
class Run:
    """A row and the data that is too long for it."""

    row: Row
    label: str  # the policy as written
    curve: dict[str, list[float]] = field(default_factory=dict)
    confusion: Confusion | None = None
    groups: tuple[Group, ...] = ()
    accuracy: dict[str, list[float]] = field(default_factory=dict)
    damage: tuple[str, ...] = ()  # what could not be read from the site
    lost: int = 0  # number of lost records, at least

    @property
    def site(self) -> str:
        return self.row.site

    def as_json(self) -> dict[str, Any]:
        return asdict(self.row)


def race(
    sites: Sequence[tuple[Path, ...]],
    policies: Sequence[str],
    *,
    seeds: int = 1,
    jobs: int = 1,
    options: RaceOptions | None = None,
    started: Callable[[int], None] | None = None,
) -> Iterator[Run]:
    """Run every policy on every site with every seed; yield runs as they finish.

    A policy without a ``seed`` parameter is deterministic and runs once.

    Args:
        sites: The files of each recorded site.
        policies: As written on the command line.
        seeds: Number of random seeds: 0, 1, ...
        jobs: Number of processes.
        options: The options that all runs share.
        started: Called with the number of runs before the first one starts.
    """
    options = options or RaceOptions()
    # Find mistakes before hours of runs.
    target_of(options)
    _check_names(sites)
    plans = {policy: seeds_of(policy, seeds) for policy in policies}
    entries = [
        RaceEntry(site, policy, seed)
        for site in sites
        for policy, chosen in plans.items()
        for seed in chosen
    ]
    if started is not None:
        started(len(entries))
    yield from in_processes([partial(run_entry, entry, options) for entry in entries], jobs)


def in_processes(tasks: Sequence[Callable[[], T]], jobs: int) -> Iterator[T]:
    """Do tasks in so many processes, in this one if that is 1; yield results as they finish."""
    if jobs <= 1:
        yield from (task() for task in tasks)
        return
    # Fork would copy the threads of a progress display; spawn starts clean.
    context = multiprocessing.get_context("spawn")
    make = partial(ProcessPoolExecutor, jobs, mp_context=context, initializer=_end_with_parent)
    with safe_path(), make() as pool:
        futures = [pool.submit(task) for task in tasks]
        try:
            for future in as_completed(futures):
                yield future.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _end_with_parent() -> None:
    """End a worker process when the race that started it is gone, for whatever reason."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


class _Nothing:
    """A truth without any targets: enough to check that a policy can be created."""

    def kind(self, url: str) -> Kind:  # noqa: ARG002 - part of the protocol
        return "neither"

    def targets(self) -> Sequence[str]:
        return ()

    def first(self, count: int) -> Sequence[Outcome]:  # noqa: ARG002
        return ()


def seeds_of(policy: str, seeds: int) -> list[int]:
    """Return the seeds to run a policy with, after checking its parameters."""
    spec = parse_spec("policy", policy)
    make_policy(spec, truth=_Nothing())
    if "seed" in spec.params:
        return [int(spec.params["seed"])]
    return list(range(seeds if accepts(load_policy(spec), "seed") else 1))


def _check_names(sites: Sequence[tuple[Path, ...]]) -> None:
    """Refuse sites that have the same name in tables and rows."""
    counts = Counter(site_name(site) for site in sites)
    twice = [name for name, count in counts.items() if count > 1]
    if twice:
        raise ConfigError(f"Two sites are called {twice[0]!r}: rename one of them.")


def run_entry(entry: RaceEntry, options: RaceOptions) -> Run:
    """Make one run; shortcuts need the bodies of the site."""
    if options.shortcuts == "off":
        return _run(entry, options, None)
    with Replica.open(entry.site) as replica:
        return _run(entry, options, replica)


def _run(entry: RaceEntry, options: RaceOptions, replica: Replica | None) -> Run:
    site, truth, scope = prepared(entry.site, options)
    spec = parse_spec("policy", entry.policy)
    usage = Usage()
    given = options.topic.of_policy(truth.target)
    policy = make_policy(spec, seed=entry.seed, truth=truth, given=given)
    confusion = Confusion.watching(policy, truth) if options.confusion else None
    accuracy = Accuracy.watching(policy) if options.accuracy else None
    timed = Timed(policy) if options.measure == "harvest" else None
    rules = _rules(options, policy, truth)
    crawl, steps = replay(
        site,
        policy=timed or policy,
        target=truth.target,
        starts=options.starts,
        scope=scope,
        budget=Budget(requests=options.requests),
        rules=rules,
        shortcuts=make_shortcuts(options.shortcuts),
        replica=replica,
    )
    meter = Meter()
    meter.watch(steps)
    row = _row(entry, truth, meter, usage, crawl.stopped)
    budget = options.requests or truth.requests_total
    row = replace(
        row,
        harvest=meter.harvest(budget),
        precision=meter.precision(budget),
        retrieved=meter.retrieved(budget, truth),
        found_after=meter.found_after(),
        forecasts=forecasts_of(rules, meter, truth, whole=crawl.stopped == "exhausted"),
    )
    if timed is not None:
        choose_ms, learn_ms = map(timed.per_choice, (timed.choosing, timed.learning))
        row = replace(row, choose_ms=round(choose_ms, 5), learn_ms=round(learn_ms, 5))
    return Run(
        row=row,
        label=entry.policy,
        curve=meter.curve() if options.curves else {},
        confusion=confusion,
        groups=tuple(crawl.lanes.groups()) if options.groups else (),
        accuracy=accuracy.curve() if accuracy is not None else {},
        damage=tuple(site.damage.notes),
        lost=site.damage.lost,
    )


@lru_cache(maxsize=1)  # runs come site by site, so one site is enough to cache
def prepared(
    paths: tuple[Path, ...], options: RaceOptions
) -> tuple[RecordedSite, SiteTruth, Scope]:
    """Open and survey a site."""
    target = target_of(options)
    site = open_site(paths, cache=options.cache, reads=target.reads)
    gc.freeze()  # the site stays in memory: the garbage collector need not scan it again
    starts = starts_of(site, options)
    written = f"{options.want} {options.topic.written}".strip()
    scope = race_scope(site, target, options)
    target = judged(paths, site, target, written=written, cache=options.cache)
    return site, survey(site, target=target, starts=starts, scope=scope), scope


def target_of(options: RaceOptions) -> Target:
    """Return what a race looks for."""
    return make_target(parse_spec("target", options.want), options.topic.of_target())


def starts_of(site: RecordedSite, options: RaceOptions) -> tuple[str, ...]:
    """Return the start URLs of a race on a site; refuse them if the site has none of them."""
    starts = given_starts(site, options)
    if all(site.number(url) == ABSENT for url in starts):
        first = (options.starts or starts)[0]
        raise ConfigError(f"{site.name} has no response for {first!r}: choose another start.")
    return starts


def given_starts(site: RecordedSite, options: RaceOptions) -> tuple[str, ...]:
    """Return the start URLs of a race on a site, by default its own."""
    return tuple(map(canonical, options.starts)) or (site.root,)


def race_scope(site: RecordedSite, target: Target, options: RaceOptions) -> Scope:
    """Return which URLs of a site belong to a race."""
    web = (options.scope or target.scope) == "web"
    starts = given_starts(site, options)
    scope = scope_of(site, starts, web=web, block=options.block, traps=options.traps)
    return replace(target.adapt(scope), exclude=options.exclude)


def _rules(options: RaceOptions, policy: Policy, truth: SiteTruth) -> list[StopRule]:
    rules: list[StopRule] = [AllTargetsFound(truth)] if options.enough else []
    rules += forecast_rules(options, Lanes(policy), truth)
    if options.early_stop is not None:
        rules.append(EarlyStop(**dict(options.early_stop)))
    return rules


def _row(entry: RaceEntry, truth: SiteTruth, meter: Meter, usage: Usage, reason: str) -> Row:
    spec = parse_spec("policy", entry.policy)
    to_90 = meter.requests_to_share(truth)
    volume = meter.volume_to_share(truth)
    return Row(
        site=truth.site.name,
        policy=spec.name,
        params=spec.params,
        seed=entry.seed,
        targets_total=truth.targets_total,
        requests_total=truth.requests_total,
        found=meter.finds,
        requests=meter.requests,
        requests_to_90=to_90,
        pct_requests_to_90=percent(to_90, truth.requests_total),
        pct_volume_to_90=percent(volume, 1),
        cpu_s=round(usage.cpu_seconds(), 4),
        peak_rss_mb=round(usage.peak_mb(), 1),
        stop_reason=reason,
        floor_requests=truth.floor,
        bytes_total=truth.target_bytes + truth.other_bytes,
        retrieved={},
        harvest={},
        choose_ms=0.0,
        learn_ms=0.0,
    )


def sweep(policies: Sequence[str], sweeps: Sequence[str]) -> list[str]:
    """Return every policy with every combination of swept values.

    >>> sweep(["bfs", "sb-classifier:b=5"], ["alpha=0.1,30"])
    ['bfs', 'sb-classifier:b=5,alpha=0.1', 'sb-classifier:b=5,alpha=30']
    """
    grid = [_swept(text) for text in sweeps]
    written = []
    for policy in policies:
        spec = parse_spec("policy", policy)
        cls = load_policy(spec)
        usable = [[(name, v) for v in values] for name, values in grid if accepts(cls, name)]
        for chosen in product(*usable):
            # A swept value replaces the one written after the name.
            values = spec.params | dict(chosen)
            words = [PAPER] if values.pop(PAPER, "") else []
            params = ",".join([*words, *(f"{name}={value}" for name, value in values.items())])
            written.append(f"{spec.name}:{params}" if params else spec.name)
    for name, _ in grid:
        if not any(accepts(load_policy(parse_spec("policy", p)), name) for p in policies):
            raise ConfigError(f"No policy in this race has a parameter {name!r} to sweep.")
    return written


def _swept(text: str) -> tuple[str, list[str]]:
    name, equals, values = text.partition("=")
    listed = [value.strip() for value in values.split(",") if value.strip()]
    if not equals or not listed:
        raise ConfigError(f"--sweep {text!r} is not understood: write param=value,value,...")
    return name.strip(), listed
