"""Copies files, using a second process if there are many.

Copying a hundred thousand files takes as long as describing them. Threads do not help, because
most of the time is spent in Python; a second process does, if there is a second core.
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

from lodehound.text.counts import counted

FEW = 2000  # files that are copied before another Python has started
SMALL = 1 << 20  # bytes that are read at once
PROGRAM = "from lodehound.exports.copying import main; main()"
CHECK_EVERY = 100  # files between two checks that the parent is still running


@dataclass(slots=True)
class CopyCounts:
    """How many files were copied, and how many had disappeared before."""

    copied: int = 0
    lost: int = 0


def copy_files(pairs: Iterable[tuple[str, str]], counts: CopyCounts | None = None) -> CopyCounts:
    """Copy each file to its new place and create folders as needed.

    The copies are not links: editing a copy must not change the crawl. Missing files are skipped
    and counted.
    """
    counts = counts or CopyCounts()
    folders: set[str] = set()
    for source, target in pairs:
        folder = target.rpartition("/")[0]
        if folder not in folders:
            os.makedirs(folder, exist_ok=True)  # noqa: PTH103 - strings: many Paths are slow
            folders.add(folder)
        try:
            _copy(source, target)
            counts.copied += 1
        except FileNotFoundError:
            if os.path.lexists(source):
                raise  # the target folder is gone
            counts.lost += 1
    return counts


def _copy(source: str, target: str) -> None:
    with open(source, "rb", buffering=0) as file:  # noqa: PTH123 - as above
        if os.fstat(file.fileno()).st_size <= SMALL:
            body = file.readall()
            with open(target, "wb") as out:  # noqa: PTH123
                out.write(body)
            return
    shutil.copyfile(source, target)  # by the kernel, if possible


@contextmanager
def background_copy(pairs: Iterator[tuple[str, str]]) -> Iterator[CopyCounts]:
    """Copy files while the body of the with-statement runs, and wait for the rest at its end.

    Yields:
        The counts, complete after the body.

    Raises:
        OSError: A file could not be copied.
    """
    counts = CopyCounts()
    first = [pair for _, pair in zip(range(FEW), pairs, strict=False)]
    with _CopyProcess(pairs) as second:
        copy_files(first, counts)
        yield counts
        second.finish(counts)


class _CopyProcess:
    """A second process that copies files. If it cannot start, this one copies them at the end."""

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        self._files = ExitStack()
        enter = self._files.enter_context
        self._names, self._result, self._stderr = (
            enter(tempfile.TemporaryFile())  # noqa: SIM115 - closed at the end
            for _ in range(3)
        )
        self._count = 0
        for pair in pairs:
            self._names.write(json.dumps(pair).encode() + b"\n")
            self._count += 1
        self._names.seek(0)
        self._child = self._started() if self._count and sys.executable else None

    def __enter__(self) -> _CopyProcess:
        return self

    def __exit__(self, *_: object) -> None:
        if self._child is not None:
            self._child.kill()
            self._child.wait()
        self._files.close()

    def finish(self, counts: CopyCounts) -> None:
        """Wait until all files are copied.

        Raises:
            OSError: Not all files were copied.
        """
        if self._child is None:
            self._names.seek(0)
            copy_files(_pairs(self._names), counts)
            return
        code = self._child.wait()
        result = _json(self._result)
        if code:
            raise self._failure(code, result)
        copied, lost = result.get("copied", 0), result.get("lost", 0)
        if copied + lost != self._count:
            raise OSError(
                f"the copying process copied {copied + lost} of {counted(self._count, 'file')}: "
                f"try again"
            )
        counts.copied += copied
        counts.lost += lost

    def _failure(self, code: int, result: dict[str, Any]) -> OSError:
        if result.get("errno"):
            return OSError(result["errno"], result["strerror"], result["filename"])
        self._stderr.seek(0)
        message = self._stderr.read().decode("utf-8", "replace").strip()[-500:]
        how = f"signal {-code}" if code < 0 else f"code {code}"
        return OSError(message or f"the copying process ended with {how}: try again")

    def _started(self) -> subprocess.Popen[bytes] | None:
        # The child imports what we import, and nothing from the current directory.
        path = os.pathsep.join(filter(None, sys.path))
        environment = {**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"}
        utf8 = f"utf8={sys.flags.utf8_mode}"  # file names mean the same bytes to both
        try:
            return subprocess.Popen(  # noqa: S603 - our own program
                [sys.executable, "-P", "-X", utf8, "-c", PROGRAM, str(os.getpid())],
                stdin=self._names,
                stdout=self._result,
                stderr=self._stderr,
                env=environment,
            )
        except OSError:
            return None


def _json(file: IO[bytes]) -> dict[str, Any]:
    file.seek(0)
    try:
        result = json.loads(file.read())
    except ValueError:
        return {}
    return result if isinstance(result, dict) else {}


def _pairs(lines: Iterable[bytes]) -> Iterator[tuple[str, str]]:
    for line in lines:
        source, target = json.loads(line)
        yield source, target


def _watched(pairs: Iterable[tuple[str, str]], parent: int) -> Iterator[tuple[str, str]]:
    """Yield the files to copy, as long as the parent is running."""
    for number, pair in enumerate(pairs):
        if number % CHECK_EVERY == 0 and os.name == "posix" and os.getppid() != parent:
            raise SystemExit("the export that needs these files has ended")
        yield pair


def main() -> None:
    """Copy the files named on standard input; write the counts to standard output."""
    try:
        counts = copy_files(_watched(_pairs(sys.stdin.buffer), int(sys.argv[1])))
    except OSError as error:
        name = None if error.filename is None else str(error.filename)
        result = {"errno": error.errno, "strerror": error.strerror, "filename": name}
        sys.stdout.write(json.dumps(result))
        sys.exit(str(error))
    sys.stdout.write(json.dumps({"copied": counts.copied, "lost": counts.lost}))
