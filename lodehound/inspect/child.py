"""The process that reads files: ``python -m lodehound.inspect.child``. It ends with its parent.

It reads one line of JSON at a time and answers each with one line. The first line contains the
options and is answered when the process is ready; every other line names a file.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import sys
import threading
from pathlib import Path
from typing import BinaryIO

from lodehound.inspect.files import inspect_file
from lodehound.inspect.libraries import limit_memory, memory_kept
from lodehound.inspect.limits import FileLimits, options_from_json
from lodehound.inspect.values import value_lines

WRITTEN = 1 << 20  # bytes: this process writes no files, but libraries write to stderr
MERCY = 2.0  # seconds: the parent kills the process first; this is for a parent that is gone


def main() -> None:
    """Answer until the input ends."""
    # Output of libraries must not mix with the answers.
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    options = options_from_json(sys.stdin.buffer.readline())
    _limit(options.limits)
    answers.write(b"{}\n")
    for path, mime in iter(_listen(sys.stdin.buffer).get, None):
        _alarm(options.limits.seconds + MERCY)
        found = inspect_file(Path(path), mime, options)
        for line in value_lines(found, options.limits.value_bytes):
            _write(answers, line)
        _write(answers, found.to_json().encode() + b"\n")
        _alarm(0)
        if memory_kept() > options.limits.memory_bytes // 2:
            os._exit(0)  # the next file gets a new process, and its whole share


def _write(answers: BinaryIO, line: bytes) -> None:
    while line:  # a pipe takes as much as it has room for
        line = line[answers.write(line) :]


def _listen(file: BinaryIO) -> queue.SimpleQueue[tuple[str, str] | None]:
    """Read the input in a thread, so that the process ends with its parent even while it works."""
    asked: queue.SimpleQueue[tuple[str, str] | None] = queue.SimpleQueue()

    def listen() -> None:
        for line in file:
            asked.put(tuple(json.loads(line)))
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    return asked


def _alarm(seconds: float) -> None:
    """Set the time after which the system kills this process: native code may hold the GIL."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _limit(limits: FileLimits) -> None:
    """Limit memory and file sizes, where the system supports it."""
    limit_memory(limits.memory_bytes)
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return
    for what, most in (
        (resource.RLIMIT_FSIZE, WRITTEN),
        (resource.RLIMIT_CORE, 0),
    ):
        # A lower limit may already be set, or the system may not support it.
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(what, (most, most))


if __name__ == "__main__":
    main()
