"""Copies files, very many of them in a process of its own.

A hundred thousand files take as long to copy as to describe. Threads gain nothing here, for most
of the time is Python's own; a second process does, where there is a second core.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import IO, Any

FEW = 2000  # files that are copied before another Python has started
SMALL = 1 << 20  # bytes that are read at once
PROGRAM = "from lodehound.exports.copying import main; main()"
GLANCE = 100  # files between two looks whether the parent is still there


@dataclass(slots=True)
class CopyCounts:
    """How many files were copied, and how many had vanished before they could be."""

    copied: int = 0
    lost: int = 0


def copy_files(pairs: Iterable[tuple[str, str]], tally: CopyCounts | None = None) -> CopyCounts:
    """Copy each file to its new place; folders are made as needed. No links.

    Who mends a table in the copy would change the crawl. A file that is no longer there is left
    out and counted.
    """
    tally = tally or CopyCounts()
    folders: set[str] = set()
    for source, target in pairs:
        folder = target.rpartition("/")[0]
        if folder not in folders:
            os.makedirs(folder, exist_ok=True)  # noqa: PTH103 - texts: very many Paths take long
            folders.add(folder)
        try:
            _copy(source, target)
            tally.copied += 1
        except FileNotFoundError:
            if os.path.lexists(source):
                raise  # the folder that it goes to is gone
            tally.lost += 1
    return tally


def _copy(source: str, target: str) -> None:
    with open(source, "rb", buffering=0) as file:  # noqa: PTH123 - as above
        if os.fstat(file.fileno()).st_size <= SMALL:
            body = file.readall()
            with open(target, "wb") as out:  # noqa: PTH123
                out.write(body)
            return
    shutil.copyfile(source, target)  # in the kernel, where it can


@contextmanager
def copied_beside(pairs: Iterator[tuple[str, str]]) -> Iterator[CopyCounts]:
    """Copy files while the body of the with-statement runs; at its end all of them are there.

    Yields:
        What came of it, which is known at the end.

    Raises:
        OSError: A file could not be copied.
    """
    tally = CopyCounts()
    first = [pair for _, pair in zip(range(FEW), pairs, strict=False)]
    with _Second(pairs) as second:
        copy_files(first, tally)
        yield tally
        second.finish(tally)


class _Second:
    """A second process that copies files; where there can be none, this one does, at the end."""

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        self._files = ExitStack()
        enter = self._files.enter_context
        self._names, self._told, self._complaints = (
            enter(tempfile.TemporaryFile())  # noqa: SIM115 - closed when all is done
            for _ in range(3)
        )
        self._count = 0
        for pair in pairs:
            self._names.write(json.dumps(pair).encode() + b"\n")
            self._count += 1
        self._names.seek(0)
        self._child = self._started() if self._count and sys.executable else None

    def __enter__(self) -> _Second:
        return self

    def __exit__(self, *_: object) -> None:
        if self._child is not None:
            self._child.kill()
            self._child.wait()
        self._files.close()

    def finish(self, tally: CopyCounts) -> None:
        """Wait until all files are copied.

        Raises:
            OSError: They are not.
        """
        if self._child is None:
            self._names.seek(0)
            copy_files(_pairs(self._names), tally)
            return
        code = self._child.wait()
        told = _json(self._told)
        if code:
            raise self._failure(code, told)
        copied, lost = told.get("copied", 0), told.get("lost", 0)
        if copied + lost != self._count:
            raise OSError(
                f"the copying process copied {copied + lost} of {self._count} files: try again"
            )
        tally.copied += copied
        tally.lost += lost

    def _failure(self, code: int, told: dict[str, Any]) -> OSError:
        if told.get("errno"):
            return OSError(told["errno"], told["strerror"], told["filename"])
        self._complaints.seek(0)
        said = self._complaints.read().decode("utf-8", "replace").strip()[-500:]
        how = f"signal {-code}" if code < 0 else f"code {code}"
        return OSError(said or f"the copying process ended with {how}: try again")

    def _started(self) -> subprocess.Popen[bytes] | None:
        # It finds what we find, and nothing else: not what lies where the export is run.
        path = os.pathsep.join(filter(None, sys.path))
        environment = {**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"}
        utf8 = f"utf8={sys.flags.utf8_mode}"  # names of files mean the same bytes to both
        try:
            return subprocess.Popen(  # noqa: S603 - our own program
                [sys.executable, "-P", "-X", utf8, "-c", PROGRAM, str(os.getpid())],
                stdin=self._names,
                stdout=self._told,
                stderr=self._complaints,
                env=environment,
            )
        except OSError:
            return None


def _json(file: IO[bytes]) -> dict[str, Any]:
    file.seek(0)
    try:
        told = json.loads(file.read())
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}


def _pairs(lines: Iterable[bytes]) -> Iterator[tuple[str, str]]:
    for line in lines:
        source, target = json.loads(line)
        yield source, target


def _watched(pairs: Iterable[tuple[str, str]], parent: int) -> Iterator[tuple[str, str]]:
    """Hand on what is to be copied, for as long as somebody waits for it."""
    for number, pair in enumerate(pairs):
        if number % GLANCE == 0 and os.name == "posix" and os.getppid() != parent:
            raise SystemExit("the export that wanted these files has ended")
        yield pair


def main() -> None:
    """Copy what the standard input names; say on the standard output what came of it."""
    try:
        tally = copy_files(_watched(_pairs(sys.stdin.buffer), int(sys.argv[1])))
    except OSError as error:
        name = None if error.filename is None else str(error.filename)
        told = {"errno": error.errno, "strerror": error.strerror, "filename": name}
        sys.stdout.write(json.dumps(told))
        sys.exit(str(error))
    sys.stdout.write(json.dumps({"copied": tally.copied, "lost": tally.lost}))
