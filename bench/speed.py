"""How fast reading and replay are, beside the released SB kit, and what our policy costs.

    python -m bench.speed [--corpora DIR] [--json FILE]

Without recorded sites (``--corpora`` or LODEHOUND_CORPORA) a generated site is
measured. Every site runs in a child process of its own; the kit's CPU seconds
are those measured for its own runs, start-up and parsing included. A request
costs all of its replay; a new link costs what the policy does before it waits,
and on most pages there is only one.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from lodehound.core.link import Link
from lodehound.drivers.replay import replay
from lodehound.papers.sb_classifier.sb_classifier import SbClassifier, Visit
from lodehound.policies.lodehound import LodehoundPolicy
from lodehound.policies.lodehound.features import SourcePage
from lodehound.policies.lodehound.visits import PageWorth
from lodehound.stores.site import RecordedSite
from lodehound.targets.files import Files

# User CPU seconds of one SB-CLASSIFIER run of the released kit on the same recordings.
KIT_CPU = {
    "irishaid": 1.7, "jaiio43": 1.5, "modelica2012": 2.0, "skimage": 8.3, "who-immz": 20.9,
    "statsmodels": 20.3, "compliance": 15.2, "rdatasets": 14.4, "dclaw": 100.0,
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", type=Path, default=os.environ.get("LODEHOUND_CORPORA"))
    parser.add_argument("--json", type=Path)
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(measure(arguments.one)))
        return
    with tempfile.TemporaryDirectory() as folder:
        rows = [_child(site) for site in _sites(arguments.corpora, Path(folder))]
    _print(rows)
    if arguments.json:
        arguments.json.write_text("".join(json.dumps(row) + "\n" for row in rows))


def _sites(corpora: Path | None, folder: Path) -> list[Path]:
    if corpora is not None:
        return sorted((Path(corpora) / "sites").glob("*.warc.zst"))
    from lodehound.sites import StatsOffice
    from lodehound.stores.warc import write_warc

    path = folder / "generated.warc.gz"
    write_warc(path, StatsOffice(pages=5000, files=1000).records())
    return [path]


def _child(site: Path) -> dict[str, Any]:
    command = [sys.executable, "-m", "bench.speed", "--one", str(site)]
    answer = subprocess.run(command, check=True, capture_output=True, text=True)
    row: dict[str, Any] = json.loads(answer.stdout)
    return row


def measure(path: Path) -> dict[str, Any]:
    """Read a site afresh, then race the policies with one seed, read and cached."""
    from lodehound.lab.race import RaceEntry, RaceOptions, run_entry
    from lodehound.stores.cache import open_site

    with tempfile.TemporaryDirectory() as folder:
        options = RaceOptions(cache=Path(folder))
        begun = time.process_time()
        site = open_site([path], cache=Path(folder))
        parse = time.process_time() - begun
        pages = int((site.starts[1:] > site.starts[:-1]).sum())
        begun = time.process_time()
        run = run_entry(RaceEntry((path,), "sb-classifier", 0), options)
        whole = time.process_time() - begun
        ours = run_entry(RaceEntry((path,), "lodehound", 0), options)
    name = path.name.partition(".")[0]
    return {
        "site": name,
        "requests": run.row.requests,
        "pages_per_s": pages / parse,
        "us_per_request": 1e6 * run.row.cpu_s / run.row.requests,
        "us_per_new_link": _sorting_cost(site),
        "lodehound_us_per_request": 1e6 * ours.row.cpu_s / ours.row.requests,
        "lodehound_us_per_new_link": _adding_cost(site),
        "cpu_s": run.row.cpu_s,
        "race_cpu_s": whole,
        "kit_cpu_s": KIT_CPU.get(name),
    }


def _clock_cost(times: int = 10_000) -> float:
    """Return the seconds that reading the clock takes: most pages have one new link."""
    begun = time.process_time()
    for _ in range(times):
        time.process_time()
    return (time.process_time() - begun) / times


def _sorting_cost(site: RecordedSite) -> float:
    """Return the microseconds a new link costs: classified, and put into its group or queue."""
    clock = _clock_cost()

    class Timed(SbClassifier):
        seconds = 0.0
        links = 0

        def _sort(self, visit: Visit) -> bool:
            before, begun = visit.at, time.process_time()
            sorted_out = super()._sort(visit)
            self.seconds += time.process_time() - begun - clock
            self.links += visit.at - before
            return sorted_out

    policy = Timed(seed=0)
    for _ in replay(site, policy=policy, target=Files.from_argument("paper"))[1]:
        pass
    return 1e6 * policy.seconds / max(policy.links, 1)


def _adding_cost(site: RecordedSite) -> float:
    """Return the microseconds that a new link costs our policy: features, estimates, a score."""
    clock = _clock_cost()

    class Timed(LodehoundPolicy):
        seconds = 0.0
        links = 0

        def _add(self, links: tuple[Link, ...], source: SourcePage) -> PageWorth:
            begun = time.process_time()
            added = super()._add(links, source)
            self.seconds += time.process_time() - begun - clock
            self.links += len(links)
            return added

    policy = Timed(seed=0)
    for _ in replay(site, policy=policy, target=Files.from_argument("paper"))[1]:
        pass
    return 1e6 * policy.seconds / max(policy.links, 1)


def _print(rows: list[dict[str, Any]]) -> None:
    print(
        f"{'site':16}{'requests':>9}{'read, pages/s':>15}{'us/request':>12}{'us/link':>9}", end=""
    )
    print(
        f"{'run, s':>8}{'race, s':>9}{'kit / race':>12}{'lodehound: us/request':>23}{'us/link':>9}"
    )
    for row in rows:
        ratio = f"{row['kit_cpu_s'] / row['race_cpu_s']:.1f}" if row["kit_cpu_s"] else "-"
        print(
            f"{row['site']:16}{row['requests']:9}{row['pages_per_s']:15.0f}"
            f"{row['us_per_request']:12.0f}{row['us_per_new_link']:9.1f}"
            f"{row['cpu_s']:8.2f}{row['race_cpu_s']:9.2f}{ratio:>12}"
            f"{row['lodehound_us_per_request']:23.0f}{row['lodehound_us_per_new_link']:9.1f}"
        )
    print("mean over sites:")
    for policy, prefix in (("sb-classifier", ""), ("lodehound", "lodehound_")):
        request, link = (
            statistics.fmean(row[f"{prefix}us_per_{unit}"] for row in rows)
            for unit in ("request", "new_link")
        )
        print(f"  {policy}: {request:.0f} us per request, {link:.1f} us per new link")


if __name__ == "__main__":
    main()
