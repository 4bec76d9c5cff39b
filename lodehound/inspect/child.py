"""The process that reads files: ``python -m lodehound.inspect.child``. It dies with its parent.

One line of JSON in, one out. The first line in holds the options and is answered when all is
ready; each other one names a file.
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
from lodehound.inspect.limits import FileLimits, options_from_json

WRITTEN = 1 << 20  # bytes: nothing here writes files, but libraries complain on stderr
MERCY = 2.0  # seconds: the parent kills first; this is for a parent that is gone


def main() -> None:
    """Answer until there is no more to read."""
    # What libraries print must not stand between our answers.
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    options = options_from_json(sys.stdin.buffer.readline())
    _limit(options.limits)
    answers.write(b"{}\n")
    for path, mime in iter(_listen(sys.stdin.buffer).get, None):
        _alarm(options.limits.seconds + MERCY)
        found = inspect_file(Path(path), mime, options)
        _alarm(0)
        answers.write(found.to_json().encode() + b"\n")


def _listen(file: BinaryIO) -> queue.SimpleQueue[tuple[str, str] | None]:
    """Read what is asked in a thread of its own, so that the end of the parent ends us at work."""
    asked: queue.SimpleQueue[tuple[str, str] | None] = queue.SimpleQueue()

    def listen() -> None:
        for line in file:
            asked.put(tuple(json.loads(line)))
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    return asked


def _alarm(seconds: float) -> None:
    """Let the system end us: native code may hold the interpreter, so that no thread can."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _limit(limits: FileLimits) -> None:
    """Bound memory and written files, where the system can."""
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return
    for what, most in (
        (resource.RLIMIT_AS, limits.memory_bytes + _address_space()),
        (resource.RLIMIT_FSIZE, WRITTEN),
        (resource.RLIMIT_CORE, 0),
    ):
        # A lower limit may be set already, or the system may have none.
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(what, (most, most))


def _address_space() -> int:
    """Return the bytes that are mapped already, where the system tells."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except (OSError, ValueError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    main()
