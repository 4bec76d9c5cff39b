"""Crawls as a user runs them: the real command line against real servers on this machine."""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from tests.prefork import run_in_fork

ROOT = Path(__file__).parents[2]
ENDLESS = 180.0  # seconds that no child takes, however busy the machine is

# No pauses between requests, and no process to inspect finds. Timeouts are long: on a busy machine
# any answer may take a while.
HASTE = {"--delay": 0, "--backoff": 0.05, "--retries": 2, "--render": "never", "--inspect": False}
HASTE |= {"--connect-timeout": 20, "--read-timeout": 20, "--total-timeout": 40}


class Request(Protocol):
    """One line of a test server's log."""

    @property
    def time(self) -> float: ...
    @property
    def method(self) -> str: ...
    @property
    def path(self) -> str: ...


class Row(NamedTuple):
    """What a crawl wrote down of one answer."""

    url: str
    status: int
    mime: str
    declared_mime: str
    size: int
    location: str
    error: str
    cut: int
    tries: int
    sent: int
    found: int


@dataclass(frozen=True)
class Crawled:
    """A crawl that has ended: what it said and what it left."""

    code: int
    out: str
    err: str
    path: Path

    @property
    def rows(self) -> dict[str, Row]:
        """The answers by URL; the last GET of each counts."""
        names = ", ".join(f"answers.{name}" for name in Row._fields)
        wanted = f"SELECT {names} FROM answers JOIN asks USING (number) ORDER BY method DESC, 1"
        return {row[0]: Row(*row) for row in query(self.path, wanted)}

    @property
    def finds(self) -> dict[str, str]:
        """The digests of the finds, by the URL they were fetched from."""
        return dict(query(self.path, "SELECT final_url, sha256 FROM finds"))

    @property
    def said(self) -> str:
        return self.out + self.err


def query(path: Path, statement: str) -> list[Any]:
    """Look into a crawl directory as anybody may, at any time."""
    database = sqlite3.connect(f"{(path / 'crawl.sqlite').as_uri()}?mode=ro", uri=True)
    try:
        return database.execute(statement).fetchall()
    finally:
        database.close()


PROGRAM = ("-m", "lodehound")


def crawl_words(*words: object, out: Path, **changed: object) -> list[object]:
    """Return the words of a hasty crawl; ``read_timeout=1`` changes an option, None drops it."""
    options = HASTE | {f"--{name.replace('_', '-')}": value for name, value in changed.items()}
    given = [_option(name, value) for name, value in options.items() if value is not None]
    return ["crawl", *words, "--out", out, *(word for pair in given for word in pair)]


def _option(name: str, value: object) -> tuple[object, ...]:
    if isinstance(value, bool):
        return (name if value else name.replace("--", "--no-", 1),)
    return name, value


def start(
    *words: object, program: Sequence[str] = PROGRAM, **options: Any
) -> subprocess.Popen[str]:
    """Start a command; its output is kept for ``communicate``.

    Args:
        words: What a user would type after ``lodehound``.
        program: What Python is told to run: the command line, perhaps in odd circumstances.
        options: Those of ``Popen``.
    """
    return subprocess.Popen(
        [sys.executable, *program, *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def run(*words: object, out: Path = Path(), **options: Any) -> Crawled:
    """Run a command to its end; one without ``options`` in a fork, which starts sooner."""
    if not options:
        return Crawled(*run_in_fork([str(word) for word in words], ENDLESS), out)
    with start(*words, **options) as child:
        try:
            said, complained = child.communicate(timeout=ENDLESS)
        finally:
            child.kill()
    return Crawled(child.returncode, said, complained, out)


def run_many(commands: Sequence[Sequence[object]], folder: Path) -> list[Crawled]:
    """Run commands one after the other in a folder."""
    texts = [[str(word) for word in words] for words in commands]
    return [Crawled(*run_in_fork(words, ENDLESS, folder), folder) for words in texts]


def in_terminal(words: list[object]) -> str:
    """Run a command in a terminal of its own; return what it shows."""
    import pty  # noqa: PLC0415 - not on Windows

    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "lodehound", *map(str, words)]
    env = os.environ | {"COLUMNS": "120", "LINES": "40", "TERM": "xterm"}
    with subprocess.Popen(command, stdout=theirs, stderr=theirs, env=env) as child:
        os.close(theirs)
        shown = b""
        with suppress(OSError):  # its other end is closed
            while piece := os.read(ours, 65536):
                shown += piece
        child.wait(ENDLESS)
    os.close(ours)
    return shown.decode()


def crawl(*words: object, out: Path, **changed: object) -> Crawled:
    """Crawl in haste to the end."""
    return run(*crawl_words(*words, out=out, **changed), out=out)


def resume(out: Path, *words: object) -> Crawled:
    return run("resume", out, *words, out=out)


def paths(log: Iterable[Request]) -> list[str]:
    """Return what was asked for, robots.txt left out: it is charged to no budget."""
    return [entry.path for entry in log if entry.path != "/robots.txt"]


def wait_for(happened: Callable[[], object]) -> None:
    """Wait until something is the case."""
    end = time.monotonic() + ENDLESS
    while not happened():
        if time.monotonic() > end:
            raise TimeoutError("It never happened.")
        time.sleep(0.005)


@contextmanager
def refusing() -> Iterator[str]:
    """Give a URL whose port refuses connections, and keep others from taking the port."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{taken.getsockname()[1]}/"


def limited(what: int, most: int) -> Callable[[], None]:
    """Return a ``preexec_fn`` that sets a limit of the system, such as RLIMIT_FSIZE."""
    import resource  # noqa: PLC0415 - not on Windows

    return lambda: resource.setrlimit(what, (most, most))


def interrupt(child: subprocess.Popen[str]) -> None:
    """Press Ctrl-C."""
    child.send_signal(signal.SIGINT if os.name != "nt" else signal.SIGTERM)


def everything_in(path: Path) -> bytes:
    """Return all bytes of all files of a folder."""
    return b"\n".join(file.read_bytes() for file in path.rglob("*") if file.is_file())
