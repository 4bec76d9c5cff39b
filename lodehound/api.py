"""Crawling from a program: every find as it comes.

    for find in lodehound.crawl("https://www.example.org/", want="files:csv", requests=500):
        print(find.url, find.path)

The crawl runs in a process of its own, so this works in a script, in a notebook
(where an event loop runs already) and beside any other framework.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from lodehound.core.errors import ConfigError, LodehoundError

GRACE = 15.0  # seconds a crawl has to finish what is in flight when its finds are no longer wanted


@dataclass(frozen=True, slots=True)
class Find:
    """One find, and where it came from."""

    url: str
    final_url: str  # where the redirects ended
    path: Path  # the file on this disk
    mime: str
    bytes: int
    truncated: bool  # longer than max_file: the beginning was kept
    sha256: str  # "" for a truncated one
    found_on: str  # the page that linked to it
    page_title: str
    anchor: str
    tag_path: str
    depth: int
    why: str
    details: str = ""  # JSON: what the target says of it (the statements of a page, say)


def crawl(
    url: str | Sequence[str], *, out: str | Path | None = None, **options: Any
) -> Iterator[Find]:
    """Crawl a site and yield every find as soon as it is on disk.

    Args:
        url: Where to start; several are fine.
        out: The crawl directory; a new temporary one unless given. It is kept either way.
        options: Those of ``lodehound crawl``, under the same names (``max_file="50MB"``).

    Raises:
        ConfigError: What was asked for cannot be run.
        LodehoundError: Nothing could be reached, the disk is full, or the crawl failed.
    """
    folder = Path(out) if out is not None else Path(tempfile.mkdtemp(prefix="lodehound-")) / "crawl"
    urls = [url] if isinstance(url, str) else list(url)
    for event in run(urls, folder, options):
        if event["event"] == "step" and "find" in event:
            yield _find(folder, event["find"])


def run(urls: Sequence[str], out: Path, options: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Run a crawl in a child process and yield its JSON log, event by event."""
    with tempfile.NamedTemporaryFile("w", suffix=".toml", encoding="utf-8") as config:
        # A file that only we can read: credentials do not belong on a command line.
        config.write(_toml(options))
        config.flush()
        command = [sys.executable, "-m", "lodehound", "crawl", *urls, "--out", str(out)]
        command += ["--config", config.name, "--json-log"]
        # Complaints go to a file: a pipe that nobody reads meanwhile could fill and block.
        with (
            tempfile.TemporaryFile("w+", encoding="utf-8") as complaints,
            subprocess.Popen(  # noqa: S603 - our own program
                command,
                stdout=subprocess.PIPE,
                stderr=complaints,
                text=True,
                start_new_session=True,  # Ctrl-C is ours to hand on
            ) as child,
        ):
            yield from _events(child, complaints)


def _events(child: subprocess.Popen[str], complaints: TextIO) -> Iterator[dict[str, Any]]:
    if child.stdout is None:
        raise RuntimeError("A child without a pipe.")
    ended = False
    try:
        for line in child.stdout:
            event = json.loads(line)
            ended = ended or event["event"] == "end"
            yield event
        code = child.wait()
        complaints.seek(0)
        _raise_for(code, complaints.read())
        if not ended:
            raise LodehoundError("The crawl ended without a word.")
    finally:
        _stop(child)


def _raise_for(code: int, complaint: str) -> None:
    text = complaint.strip().removeprefix("lodehound: ") or f"the crawl ended with code {code}"
    if code == 2:
        raise ConfigError(text)
    if code not in {0, 4}:
        raise LodehoundError(text)


def _stop(child: subprocess.Popen[str]) -> None:
    """Let a crawl whose finds are no longer wanted finish what is in flight."""
    if child.poll() is None:
        child.send_signal(signal.SIGINT if os.name != "nt" else signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.communicate(timeout=GRACE)
    if child.poll() is None:
        child.kill()


def _toml(options: dict[str, Any]) -> str:
    lines = []
    for name, value in options.items():
        if value is None:
            continue
        if not isinstance(value, str | int | float | bool | list | tuple):
            raise ConfigError(f"{name}={value!r} is not understood: give text, numbers or lists.")
        # Texts, numbers, booleans and lists are written in TOML as they are in JSON.
        lines.append(f"{name} = {json.dumps(value)}\n")
    return "".join(lines)


def _find(folder: Path, row: dict[str, Any]) -> Find:
    names = [name for name in Find.__dataclass_fields__ if name != "path"]
    return Find(path=folder / row["file"], **{name: row[name] for name in names})
