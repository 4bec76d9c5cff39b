"""A demonstration: two policies crawl a generated site side by side.

The parts are independent: ``make_site`` generates the site, ``live`` or ``crawl``
crawls it, ``race`` shows the steps as they happen, ``report`` prints the
results.
"""

from __future__ import annotations

import importlib.util
import math
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from queue import SimpleQueue

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Table

from lodehound.api import CrawlRun
from lodehound.config import CrawlConfig
from lodehound.core.errors import ConfigError, reason_of
from lodehound.core.messages import Step
from lodehound.core.policy import Policy
from lodehound.core.stop import Budget
from lodehound.drivers.replay import replay
from lodehound.policies.bfs import Bfs
from lodehound.policies.lodehound import LodehoundPolicy
from lodehound.sites import StatsOffice
from lodehound.sites.server import SiteServer
from lodehound.stores.cache import open_site
from lodehound.stores.site import RecordedSite
from lodehound.stores.warc import write_warc
from lodehound.targets.files import Files

SECONDS = 3.0  # duration of the display of a complete crawl on a terminal
SHARES = (50, 90, 100)  # per cent of the files
LAST_PAGES = 3

Runs = Mapping[str, Sequence[Step]]


def run_demo(out: Path | None, seed: int, console: Console) -> None:
    """Generate a site, crawl it with bfs and with lodehound, and compare them.

    The site is served on this machine and crawled over HTTP; if live crawling is not
    installed, its recording is replayed.

    Args:
        out: Folder for the recorded site; by default a temporary one.
        seed: Random seed of the site and the policy.
        console: The output; delays and progress bars only on a terminal.
    """
    folder = nullcontext(out) if out else tempfile.TemporaryDirectory(prefix="lodehound-demo-")
    with folder as place:
        office = StatsOffice(seed=seed)
        site = make_site(office, Path(place), console)
        runs = (_live if _can_crawl() else _replayed)(office, site, console)
        report(runs, office.files, console)


def _can_crawl() -> bool:
    return importlib.util.find_spec("aiohttp") is not None


def _replayed(office: StatsOffice, site: RecordedSite, console: Console) -> dict[str, list[Step]]:
    console.print("Live crawling is not installed (lodehound[live]): replaying.", markup=False)
    policies = {"bfs": Bfs(), "lodehound": LodehoundPolicy(seed=office.seed)}
    crawls = {name: crawl(site, policy, office.files) for name, policy in policies.items()}
    delay = SECONDS / len(site.urls) if console.is_terminal else 0.0
    return race(crawls, office.files, console, delay)


def _live(office: StatsOffice, _: RecordedSite, console: Console) -> dict[str, list[Step]]:
    with SiteServer() as server, tempfile.TemporaryDirectory(prefix="lodehound-") as folder:
        server.serve(replace(office, host=server.url).records())
        console.print(f"Served at {server.url}, crawled over HTTP.", highlight=False)
        crawls = {
            name: live(server.url, name, office, Path(folder) / name)
            for name in ("bfs", "lodehound")
        }
        return race(crawls, office.files, console)


def live(url: str, policy: str, office: StatsOffice, out: Path) -> Iterator[Step]:
    """Crawl the served site with one request in flight until every file is found."""
    # Our own server needs no delay, and one request at a time shows the order of the policy.
    config = CrawlConfig(
        urls=(url,),
        policy=policy,
        seed=office.seed,
        finds=office.files,
        delay=0.0,
        concurrency=1,
        inspect=False,
    )
    steps: SimpleQueue[Step | None] = SimpleQueue()
    with CrawlRun(config, out, on_step=steps.put) as crawl:
        while (step := steps.get()) is not None:
            yield step
        crawl.wait()


def make_site(office: StatsOffice, folder: Path, console: Console) -> RecordedSite:
    """Write the site into the folder as a WARC file, and open it like any recorded site."""
    path = folder / f"stats-office-{office.seed}.warc.gz"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_warc(path, office.records())
    except OSError as error:
        raise ConfigError(
            f"{str(folder)!r} cannot be written ({reason_of(error)}): choose another."
        ) from error
    console.print(
        f"A statistics office: {office.pages} pages, {office.files} data files in an archive "
        f"{office.depth} clicks deep, {office.redirects} redirects, "
        f"{office.dead:.0%} dead links. Recorded as {path.name}.",
        highlight=False,
        soft_wrap=True,
    )
    return open_site([path], cache=folder)


def crawl(site: RecordedSite, policy: Policy, files: int) -> Iterator[Step]:
    """Crawl the site until every file is found."""
    budget = Budget(finds=files)
    return replay(site, policy=policy, target=Files.from_argument("paper"), budget=budget)[1]


# --- showing --------------------------------------------------------------------------------------


def race(
    crawls: Mapping[str, Iterable[Step]], files: int, console: Console, delay: float = 0.0
) -> dict[str, list[Step]]:
    """Run all crawls in turn, show their progress, and return their steps.

    Args:
        crawls: The steps of each crawl, by the name of the policy.
        files: Number of files to find.
        console: The output.
        delay: Seconds between two rounds.
    """
    runs: dict[str, list[Step]] = {name: [] for name in crawls}
    rounds = zip_longest(*crawls.values())
    with _bars(console) as bars:
        tasks = {name: bars.add_task(name, total=files, requests=0) for name in crawls}
        for number, steps in enumerate(rounds, start=1):
            for name, step in zip(crawls, steps, strict=True):
                if step is not None:
                    runs[name].append(step)
                    bars.update(tasks[name], advance=step.found, requests=number)
            if not console.is_terminal and number % 100 == 0:
                _line(runs, number, console)
            if delay:
                time.sleep(delay)
    return runs


def _bars(console: Console) -> Progress:
    return Progress(
        TextColumn("{task.description:<14}"),
        BarColumn(),
        TextColumn("{task.completed:.0f} of {task.total:.0f} files"),
        TextColumn("{task.fields[requests]:>4} requests"),
        console=console,
        disable=not console.is_terminal,
    )


def _line(runs: Runs, number: int, console: Console) -> None:
    finds = ", ".join(f"{name} {_finds(steps)} files" for name, steps in runs.items())
    console.print(f"after {number} requests: {finds}", highlight=False, soft_wrap=True)


def _finds(steps: Iterable[Step]) -> int:
    return sum(step.found for step in steps)


# --- results --------------------------------------------------------------------------------------


def report(runs: Runs, files: int, console: Console) -> None:
    """Print the requests of each policy, the conclusion, and the reasons for the last finds."""
    table = Table(title="Requests needed")
    table.add_column("policy")
    for share in SHARES:
        table.add_column(f"{share} % of the files", justify="right")
    for name, steps in runs.items():
        needed = (requests_to(steps, files, share) for share in SHARES)
        table.add_row(name, *("-" if number is None else str(number) for number in needed))
    console.print(table)
    console.print(conclusion(runs, files), style="bold", highlight=False, soft_wrap=True)
    _print_reasons(runs["lodehound"], console)


def requests_to(steps: Sequence[Step], files: int, share: float) -> int | None:
    """Return the requests until this percentage of the files was found, or None."""
    needed = math.ceil(share * files / 100 - 1e-9)
    numbers = [step.number for step in steps if step.found]
    return numbers[needed - 1] if 0 < needed <= len(numbers) else None


def conclusion(runs: Runs, files: int, share: int = 90) -> str:
    """Return one line on which policy was faster, and by how much."""
    needed = {name: requests_to(steps, files, share) for name, steps in runs.items()}
    learned, blind = needed["lodehound"], needed["bfs"]
    if learned is None or blind is None:
        missing = ", ".join(name for name, number in needed.items() if number is None)
        return f"{missing} did not find {share} % of the files."
    return (
        f"lodehound had {share} % of the files after {learned} requests; "
        f"bfs needed {blind / learned:.1f} times as many ({blind})."
    )


def _print_reasons(steps: Sequence[Step], console: Console) -> None:
    """Print why the last finds and the pages that link to them were fetched."""
    asked = {step.url: step for step in steps if step.method == "GET"}
    # One find per page; otherwise all of them could be from a single page.
    last = {step.source: step for step in steps if step.found and step.source in asked}
    console.print("\nWhy lodehound fetched the last pages with files, and a file of each:")
    for step in list(last.values())[-LAST_PAGES:]:
        for shown in (asked[step.source], step):
            line = f"  {shown.number:>4}  {shown.url}\n        {shown.why}"
            console.print(line, markup=False, highlight=False, soft_wrap=True)
