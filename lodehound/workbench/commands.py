"""Starts, pauses and resumes crawls, by the commands that a user would type.

A crawl is a process of its own: it goes on when the workbench ends.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from lodehound.assembly.begin_again import fleet_of
from lodehound.assembly.changes import with_changes
from lodehound.assembly.trust import refuse_unnamed, unnamed
from lodehound.config import CrawlConfig, secrets_of
from lodehound.core.errors import ConfigError
from lodehound.options import NOTHING_USED
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.files.layout import DATABASE, FLEET, OURS, STOP
from lodehound.stores.locks.stopping import ask_to_stop
from lodehound.text.shell import joined, quoted
from lodehound.workbench.crawls import WatchedCrawl

# name, label, hint
BUDGETS = (
    ("requests", "Requests", "500, or +500 for 500 more"),
    ("finds", "Finds", "100"),
    ("bytes", "Volume", "500MB, 2GB"),
    ("time", "Time", "90s, 15m, 2h"),
    ("delay", "Delay", "seconds between two requests to a host"),
)
FIELDS = (
    ("url", "Start address", "https://www.example.org/"),
    ("folder", "Name of the folder", "letters, digits, points, hyphens"),
    ("want", "What counts as a find", "files, files:csv,xlsx, rdf, markup, topic:..."),
    ("policy", "Policy", "the target's own unless given"),
    ("requests", "Requests", "500 are enough for a first look"),
    *BUDGETS[1:],
)
BEGIN_WITH = {"requests": "500"}  # what the form of a new crawl holds at first
RESERVED = {*OURS, FLEET}
FOLDER = re.compile(r"[\w][\w.-]{0,99}")
BEGIN = 30.0  # seconds that a crawl takes to begin on a busy machine


def crawl_command(place: Path, given: Mapping[str, str]) -> list[str]:
    """Return the command that starts a crawl.

    Args:
        place: The folder in which its directory is made.
        given: The fields of the form.
    """
    options = _options(given, [name for name, *_ in FIELDS if name not in {"url", "folder"}])
    out = place / given.get("folder", "")
    return ["lodehound", "crawl", given.get("url", ""), "--out", str(out), *options]


def resume_command(crawl: WatchedCrawl, given: Mapping[str, str]) -> list[str]:
    """Return the command that continues a crawl with other budgets."""
    names = [name for name, *_ in BUDGETS]
    return ["lodehound", "resume", str(crawl.folder), *_options(given, names)]


def _options(given: Mapping[str, str], names: list[str]) -> list[str]:
    # With "=", a value that begins with a hyphen is no option.
    return [f"--{name}={given[name]}" for name in names if given.get(name)]


def pause_command(crawl: WatchedCrawl) -> list[str]:
    """Return the command that stops a crawl in order; [] if it cannot be stopped by itself."""
    return [] if fleet_of(crawl.folder) else ["touch", str(crawl.folder / STOP)]


def start(place: Path, given: Mapping[str, str], log: Path) -> None:
    """Start a crawl.

    Raises:
        ConfigError: It cannot be run.
    """
    if not FOLDER.fullmatch(given.get("folder", "")) or ".." in given["folder"]:
        raise ConfigError("The folder needs a name of letters, digits, points and hyphens.")
    if given["folder"].lower() in RESERVED:  # the folder around it would be taken for a crawl
        raise ConfigError(f"{given['folder']!r} is the name of a file of crawls: choose another.")
    _refuse_other_fields(given, [name for name, *_ in FIELDS], "crawl")
    options = {name: value for name, value in given.items() if name not in {"url", "folder"}}
    config = CrawlConfig.made_of({"urls": [given.get("url", "")]} | _given_values(options))
    if plug_ins := unnamed(replace(config, named=frozenset())):
        raise ConfigError(
            f"The workbench loads no code: module:Class in {' and '.join(plug_ins)} is for the "
            f"terminal. Write the name of a shipped or installed one."
        )
    made = WatchedCrawl(place / given["folder"])
    if (made.folder / DATABASE).exists():
        raise ConfigError(f"There is a crawl in {given['folder']!r} already: choose another name.")
    if not any(given.get(name) for name in NOTHING_USED):
        raise ConfigError(
            "The crawl has no budget: give it requests, finds, a volume or a time. "
            "To follow every link, start it in a terminal by the command below."
        )
    _run(crawl_command(place, given), log, lambda: not made.flaw())


def resume(crawl: WatchedCrawl, given: Mapping[str, str], log: Path) -> None:
    """Continue a crawl.

    Raises:
        ConfigError: It cannot be run.
    """
    if crawl.crawling:
        raise ConfigError("The crawl is running: pause it first.")
    _refuse_other_fields(given, [name for name, *_ in BUDGETS], "resume")
    with CrawlDir.open(crawl.folder, write=False) as directory:
        if secrets := missing_secrets(directory):
            raise ConfigError(f"This crawl needs {secrets}: resume it in a terminal.")
        config = CrawlConfig.from_json(directory.config)
        refuse_unnamed(config, crawl.folder, f"lodehound resume {quoted(crawl.folder)}")
        with_changes(config, _given_values(given), directory.summary())
    _run(resume_command(crawl, given), log, lambda: bool(crawl.crawling))


def _refuse_other_fields(given: Mapping[str, str], fields: list[str], command: str) -> None:
    """Refuse options that the form does not have: they would be dropped."""
    if others := [name for name in _given_values(given) if name not in fields]:
        options = " and ".join(f"--{name.replace('_', '-')}"[:100] for name in others[:5])
        raise ConfigError(
            f"The workbench does not take {options}: use 'lodehound {command}' in a terminal."
        )


def pause(crawl: WatchedCrawl) -> None:
    """Ask a crawl to stop: what is in flight is finished and kept.

    Raises:
        ConfigError: It does not run, is one site of a fleet, or may not be stopped.
    """
    if fleet := fleet_of(crawl.folder):
        raise ConfigError(f"The crawl is a site of the fleet {fleet.name!r}: stop that by Ctrl-C.")
    if not crawl.crawling:
        raise ConfigError("The crawl is not running.")
    ask_to_stop(crawl.folder)


def missing_secrets(directory: CrawlDir) -> str:
    """Return the options that a crawl was started with and that are not stored."""
    return ", ".join(f"--{name}" for name in secrets_of(directory.config))


def _given_values(given: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in given.items() if value}


def _run(command: list[str], log: Path, has_begun: Callable[[], bool]) -> None:
    """Start a command that outlives us, and wait until it crawls; report why it does not."""
    with log.open("wb") as out:
        child = subprocess.Popen(  # noqa: S603 - its parts were checked, and no shell reads it
            # Without -P, a typer.py in the current folder would be run.
            [sys.executable, "-P", "-m", *command, "--quiet"],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            start_new_session=True,
        )
    CHILDREN.append(child)
    begun = time.monotonic()
    while child.poll() is None and not has_begun() and time.monotonic() - begun < BEGIN:
        time.sleep(0.1)
    if child.returncode:
        lines = log.read_text("utf-8", "replace").strip().splitlines() or ["It failed."]
        raise ConfigError(lines[-1].removeprefix("lodehound: "))


CHILDREN: list[subprocess.Popen[bytes]] = []  # kept, so that those that end leave no zombie


def tidy() -> None:
    """Forget crawls that have ended."""
    CHILDREN[:] = [child for child in CHILDREN if child.poll() is None]


def written(command: list[str]) -> str:
    return joined(command)
