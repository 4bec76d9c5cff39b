"""lodehound race: compares policies on recorded sites."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from lodehound.core.errors import ConfigError

if TYPE_CHECKING:
    from lodehound.cli.console import Console
    from lodehound.lab.race import RaceOptions, Run

Sites = Annotated[list[str], typer.Argument(help="Recorded sites: WARC files, folders, A+B.")]
Policies = Annotated[
    list[str] | None, typer.Option("--policy", help="NAME[:param=value,...]; may be repeated.")
]

KINDS = ("--classifier-study", "--feature-study", "--rounds", "--fleet", "--tasks")
ROUND_POLICIES = ["revisit-all", "revisit-uniform", "revisit-rate", "recrawl", "lodehound"]


def race(
    sites: Sites,
    policy: Policies = None,
    want: Annotated[
        str, typer.Option(help="What counts as a find: see 'targets'.")
    ] = "files:paper",
    seeds: Annotated[int, typer.Option(min=1, help="Number of random seeds per policy.")] = 3,
    requests: Annotated[int | None, typer.Option(min=1, help="Maximum requests per run.")] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Processes.")] = 1,
    json: Annotated[Path | None, typer.Option(help="Write one JSON object per run.")] = None,
    curves: Annotated[Path | None, typer.Option(help="Plot to .html, .png or .svg.")] = None,
    start: Annotated[
        list[str] | None, typer.Option("--from", "--start", help="Start URL, file or -.")
    ] = None,
    scope: Annotated[
        Literal["site", "web"] | None, typer.Option(help="Stay on the start's site, or any host.")
    ] = None,
    sweep: Annotated[list[str] | None, typer.Option(help="param=value,value,...")] = None,
    measure: Annotated[
        Literal["targets", "harvest", "retrieved", "forecast"],
        typer.Option(help="Requests to 90 %, share of finds, percentage of all, or forecasts."),
    ] = "targets",
    classifier_study: Annotated[
        bool, typer.Option(help="Evaluate the page classifiers instead of policies.")
    ] = False,
    feature_study: Annotated[
        bool, typer.Option(help="Evaluate the features of URIs instead of policies.")
    ] = False,
    confusion: Annotated[bool, typer.Option(help="Show the URL classifier's errors.")] = False,
    early_stop: Annotated[str, typer.Option(help="off, auto or paper.")] = "off",
    stop_nu: Annotated[int, typer.Option(min=1, help="Early stop: requests per slope.")] = 1000,
    stop_epsilon: Annotated[float, typer.Option(help="Early stop: minimum rate of finds.")] = 0.2,
    stop_gamma: Annotated[float, typer.Option(help="Early stop: decay of the average.")] = 0.05,
    stop_kappa: Annotated[int, typer.Option(min=1, help="Early stop: slopes in a row.")] = 15,
    block: Annotated[bool, typer.Option(help="Leave out multimedia by name and type.")] = True,
    traps: Annotated[bool, typer.Option(help="Leave out URLs that look like traps.")] = True,
    exclude: Annotated[list[str] | None, typer.Option(help="No URLs that match (*).")] = None,
    shortcuts: Annotated[str, typer.Option(help="APIs: auto, off or NAME,NAME...")] = "off",
    categories: Annotated[str, typer.Option(help="Topic: broader subjects.")] = "",
    about: Annotated[list[str] | None, typer.Option(help="Topic: text files.")] = None,
    like: Annotated[list[str] | None, typer.Option(help="Topic: example pages.")] = None,
    vectors: Annotated[str, typer.Option(help="wordllama, a file, or none.")] = "auto",
    idf: Annotated[str, typer.Option(help="A corpus, or document frequencies.")] = "",
    weights: Annotated[Path | None, typer.Option(help="Initial weights, if it exists.")] = None,
    rounds: Annotated[
        bool, typer.Option("--rounds", help="Timelines: come back at every snapshot.")
    ] = False,
    budget: Annotated[
        str, typer.Option(help="With --rounds: maximum requests per round: 200, 5% or 1%,5%,10%.")
    ] = "",
    fleet: Annotated[
        bool, typer.Option("--fleet", help="One budget of --requests for all sites, three ways.")
    ] = False,
    tasks: Annotated[int, typer.Option(min=0, help="Repeat and keep the weights.")] = 0,
    corpora: Annotated[Path | None, typer.Option(help="Folder to look up sites by name.")] = None,
    cache: Annotated[Path | None, typer.Option(help="Cache folder for parsed sites.")] = None,
) -> None:
    """Race policies on recorded sites and print the paper's tables."""
    from lodehound.cli.console import Console
    from lodehound.lab.curves import check_format
    from lodehound.lab.race import RaceOptions
    from lodehound.lab.race import sweep as swept
    from lodehound.stores.locate import locate
    from lodehound.stores.topics import TopicOptions, read_about, read_weights, split_names

    _refuse_several(classifier_study, feature_study, rounds, fleet, tasks, budget=budget)
    if curves is not None:
        check_format(curves)
    located = [locate(site, corpora) for site in sites]
    stop = {"nu": stop_nu, "epsilon": stop_epsilon, "gamma": stop_gamma, "kappa": stop_kappa}
    topic = TopicOptions(
        categories=split_names(categories), vectors=vectors, idf=idf,
        about=read_about(about or (), like or (), [p for files in located for p in files]),
        weights=read_weights(weights) if weights is not None else (),
    )  # fmt: skip
    options = RaceOptions(
        want=want,
        scope=scope or "",
        starts=_starts(start or []),
        requests=requests,
        early_stop=_early_stop(early_stop, stop),
        auto_stop=early_stop == "auto",
        block=block,
        traps=traps,
        cache=cache,
        curves=curves is not None,
        confusion=confusion,
        measure=measure,
        exclude=tuple(exclude or ()),
        topic=topic,
        shortcuts=shortcuts,
    )
    if classifier_study or feature_study:
        _study(Console(), located, seeds, options, pages=classifier_study)
        return
    if rounds:
        run = partial(_rounds, seeds=seeds, jobs=jobs, options=options, json=json, curves=curves)
        run(located, policy or ROUND_POLICIES, budget)
        return
    if fleet:
        _fleet(located, policy, seeds, options, json)
        return
    usual = ["best-first", "sarsa"] if tasks else _default_policies(want, weights, idf)
    policies = policy or usual
    _need(policies, weights=weights, idf=idf)
    if tasks:
        _repeat(located, policies, tasks, seeds, options, json)
        return
    plan = swept(policies, sweep or [])
    runs = _run(located, plan, seeds=seeds, jobs=jobs, options=options, json=json)
    _print(Console(), runs, options)
    if curves is not None:
        from lodehound.lab.curves import write_curves

        write_curves(curves, runs, measure=measure)


def _refuse_several(*given: object, budget: object) -> None:
    """Refuse options that ask for different races: the values of KINDS, and of --budget."""
    chosen = [name for name, value in zip(KINDS, given, strict=True) if value]
    if budget and "--rounds" not in chosen:
        raise ConfigError("--budget is for --rounds: use --requests to limit other races.")
    if len(chosen) > 1:
        raise ConfigError(f"{' and '.join(chosen)} are different races: give one of them.")


def _starts(given: list[str]) -> tuple[str, ...]:
    from lodehound.stores.locate import read_starts

    return read_starts(given, sys.stdin.buffer, "--start (or --from)")  # it has two names


def _study(
    console: Console,
    sites: list[tuple[Path, ...]],
    repetitions: int,
    options: RaceOptions,
    *,
    pages: bool,
) -> None:
    from importlib import import_module

    from lodehound.stores.cache import site_name

    lab = import_module(f"lodehound.lab.{'classifiers' if pages else 'feature_study'}")
    if not console.is_terminal:
        console.width = 120
    for site in sites:
        lines = lab.study(site, options=options, repetitions=repetitions)
        console.print(lab.study_table(site_name(site), lines))


def _need(policies: list[str], **given: object) -> None:
    """Refuse options that no policy of the race takes."""
    from lodehound.registry import need_parameter

    for name in [name for name, value in given.items() if value]:
        need_parameter(name, policies)


def _default_policies(want: str, *learned: object) -> list[str]:
    """Return baselines, and the target's default policy with weights, if any."""
    from lodehound.registry import default_policy, load_target, parse

    plain = ["bfs", "files-first"] if load_target(parse("target", want)).inspected else ["bfs"]
    default = default_policy(want, taught=any(learned))
    return list(dict.fromkeys([*plain, "sb-classifier", default]))


def _repeat(
    sites: list[tuple[Path, ...]],
    policies: list[str],
    tasks: int,
    trials: int,
    options: RaceOptions,
    json: Path | None,
) -> None:
    """Run tasks in a row and print the figures of Han et al. as tables."""
    from lodehound.cli.console import Console
    from lodehound.lab import task_tables
    from lodehound.lab.repeated_tasks import race_tasks
    from lodehound.lab.row_files import Rows

    rows = []
    with Rows(json) as written:
        for row in race_tasks(sites, policies, tasks=tasks, trials=trials, options=options):
            written.write(row)
            rows.append(row)
    console = Console()
    if not console.is_terminal:
        console.width = 130
    for site in dict.fromkeys(row.site for row in rows):
        mine = [row for row in rows if row.site == site]
        title = f"{site}, {options.want}: {mine[0].targets_total} finds can be reached"
        console.print(title, markup=False, emoji=False, highlight=False)
        console.print(task_tables.learning_table(mine))
        console.print(task_tables.steps_table(mine))
        console.print(task_tables.intervals_table(mine))


def _fleet(
    sites: list[tuple[Path, ...]],
    policies: list[str] | None,
    seeds: int,
    options: RaceOptions,
    json: Path | None,
) -> None:
    """Share one budget between all sites, and print what each way to share finds."""
    from lodehound.cli.console import Console
    from lodehound.lab.row_files import Rows
    from lodehound.lab.shared_budget import fleet_table, race_fleet
    from lodehound.registry import default_policy

    policies = policies or [default_policy(options.want)]
    if options.requests is None or len(policies) > 1:
        raise ConfigError("--fleet needs one policy and a budget for all sites: --requests N.")
    rows = []
    with Rows(json) as written:
        total = options.requests
        for row in race_fleet(sites, policies[0], total=total, seeds=seeds, options=options):
            written.write(row)
            rows.append(row)
    Console().print(fleet_table(rows))


def _rounds(
    timelines: list[tuple[Path, ...]],
    policies: list[str],
    budget: str,
    *,
    seeds: int,
    jobs: int,
    options: RaceOptions,
    json: Path | None,
    curves: Path | None,
) -> None:
    """Come back at every snapshot, and print what was found with how many requests."""
    from lodehound.cli.console import Console
    from lodehound.lab.round_tables import delay_table, rounds_table
    from lodehound.lab.row_files import Rows
    from lodehound.lab.timeline_race import race_rounds

    runs = []
    with Rows(json) as written:
        for run in race_rounds(
            timelines, policies, seeds=seeds, jobs=jobs, options=options, budget=budget
        ):
            for row in run.rows:
                written.write(row)
            runs.append(run)
    console = Console()
    if not console.is_terminal:
        console.width = 60 + 24 * len(timelines)
    budgets = [text.strip() for text in budget.split(",")]
    runs.sort(key=lambda run: (budgets.index(run.budget), policies.index(run.label)))
    console.print(delay_table(runs) if budget else rounds_table(runs))
    if curves is not None:
        from lodehound.lab.curves import write_round_curves

        write_round_curves(curves, runs)


def _early_stop(mode: str, parameters: dict[str, float]) -> tuple[tuple[str, float], ...] | None:
    if mode not in {"off", "auto", "paper"}:
        raise ConfigError(f"--early-stop {mode!r} is not understood: use off, auto or paper.")
    return tuple(parameters.items()) if mode == "paper" else None


def _run(
    sites: list[tuple[Path, ...]],
    policies: list[str],
    *,
    seeds: int,
    jobs: int,
    options: RaceOptions,
    json: Path | None,
) -> list[Run]:
    """Run the race with a progress bar; write every run to disk as soon as it ends."""
    from rich.markup import escape
    from rich.progress import Progress

    from lodehound.cli.console import Console
    from lodehound.lab import race as lab
    from lodehound.lab.row_files import Rows

    console = Console(stderr=True)
    runs = []
    hidden = not console.is_terminal  # elsewhere it would leave an empty line
    with Rows(json) as rows, Progress(console=console, transient=True, disable=hidden) as progress:
        task = progress.add_task("racing", total=None)
        for run in lab.race(
            sites,
            policies,
            seeds=seeds,
            jobs=jobs,
            options=options,
            started=lambda total: progress.update(task, total=total),
        ):
            rows.write(run)
            runs.append(run)
            text = escape(f"{run.row.site} {run.label}")
            progress.update(task, advance=1, description=text)
    _warn(console, runs)
    return sorted(
        runs, key=lambda run: (_place(sites, run), policies.index(run.label), run.row.seed)
    )


def _place(sites: list[tuple[Path, ...]], run: Run) -> int:
    from lodehound.stores.cache import site_name

    return [site_name(site) for site in sites].index(run.row.site)


def _warn(console: Console, runs: list[Run]) -> None:
    for note, lost in dict.fromkeys((run.damage, run.lost) for run in runs if run.damage):
        text = f"warning: {'; '.join(note)}: at least {lost} records lost"
        console.print(text, style="yellow", markup=False, soft_wrap=True)


def _print(console: Console, runs: list[Run], options: RaceOptions) -> None:
    from lodehound.lab import tables

    sites = list(dict.fromkeys(run.row.site for run in runs))
    if not console.is_terminal:
        console.width = 60 + sum(max(len(site), 16) + 3 for site in sites)
    if options.measure != "targets":
        _print_other(console, runs, sites, options)
        return
    fitting = max((console.width - 30) // 17, 1)
    for first in range(0, len(sites), fitting):
        shown = [run for run in runs if run.row.site in sites[first : first + fitting]]
        console.print(tables.requests_table(shown))
        console.print(tables.first_table(shown))
        console.print(tables.volume_table(shown))
        if options.early_stop is not None or options.auto_stop:
            console.print(tables.early_stop_table(shown))
    if options.confusion:
        for label in dict.fromkeys(run.label for run in runs if run.confusion is not None):
            console.print(tables.confusion_table(runs, label))


def _print_other(console: Console, runs: list[Run], sites: list[str], options: RaceOptions) -> None:
    """Print what was measured instead of the requests to 90 % of the targets."""
    from lodehound.lab import tables
    from lodehound.lab.forecast_table import forecast_table

    if not console.is_terminal:
        console.width = 170
    if options.measure == "forecast":
        console.print(forecast_table(runs))
        return
    harvest = options.measure == "harvest"
    table = tables.harvest_table if harvest else tables.retrieved_table
    for site in sites:
        console.print(table(runs, site))
