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
from contextlib import contextmanager
from typing import IO

FEW = 2000  # files that are copied before another Python has started
SMALL = 1 << 20  # bytes that are read at once
PROGRAM = "from lodehound.exports.copying import main; main()"
GLANCE = 100  # files between two looks whether the parent is still there


def copy_files(pairs: Iterable[tuple[str, str]]) -> None:
    """Copy each file to its new place; folders are made as needed. No links.

    Who mends a table in the copy would change the crawl.
    """
    folders: set[str] = set()
    for source, target in pairs:
        folder = target.rpartition("/")[0]
        if folder not in folders:
            os.makedirs(folder, exist_ok=True)  # noqa: PTH103 - texts: very many Paths take long
            folders.add(folder)
        _copy(source, target)


def _copy(source: str, target: str) -> None:
    with open(source, "rb", buffering=0) as file:  # noqa: PTH123 - as above
        if os.fstat(file.fileno()).st_size <= SMALL:
            body = file.readall()
            with open(target, "wb") as out:  # noqa: PTH123
                out.write(body)
            return
    shutil.copyfile(source, target)  # in the kernel, where it can


@contextmanager
def copied_beside(pairs: Iterator[tuple[str, str]]) -> Iterator[None]:
    """Copy files while the body of the with-statement runs; at its end all of them are there.

    Raises:
        OSError: A file could not be copied.
    """
    first = [pair for _, pair in zip(range(FEW), pairs, strict=False)]
    with tempfile.TemporaryFile() as rest, tempfile.TemporaryFile() as complaints:
        count = 0
        for count, pair in enumerate(pairs, 1):  # noqa: B007 - counted
            rest.write(json.dumps(pair).encode() + b"\n")
        child = _started(rest, complaints) if count else None
        try:
            copy_files(first)
            yield
            if child is not None and child.wait():
                complaints.seek(0)
                raise OSError(complaints.read().decode("utf-8", "replace").strip()[-500:])
        finally:
            if child is not None:
                child.kill()
                child.wait()


def _started(names: IO[bytes], complaints: IO[bytes]) -> subprocess.Popen[bytes]:
    names.seek(0)
    # It finds what we find, and nothing else: not what lies where the export is run.
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-P", "-c", PROGRAM, str(os.getpid())],
        stdin=names,
        stdout=subprocess.DEVNULL,
        stderr=complaints,
        env=environment,
    )


def _told(lines: Iterable[bytes], parent: int) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(lines):
        if number % GLANCE == 0 and os.name == "posix" and os.getppid() != parent:
            return  # nobody waits for the rest
        source, target = json.loads(line)
        yield source, target


def main() -> None:
    """Copy what the standard input names."""
    try:
        copy_files(_told(sys.stdin.buffer, int(sys.argv[1])))
    except OSError as error:
        sys.exit(str(error))
