"""Inspects files in a process of its own, so that no file can stop or slow a crawl.

`Reader` asks one such process and waits, for a set time at most; `Worker` does so in a thread.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Hashable, Iterable, Iterator
from pathlib import Path
from typing import IO, Generic, Self, TypeVar

from lodehound.inspect.limits import Options, options_to_json
from lodehound.inspect.records import CRASHED, OUT_OF_MEMORY, TOO_LONG, Inspection

Key = TypeVar("Key", bound=Hashable)
# Starting Python, on a machine that is busy with a crawl; not charged to the file.
START_SECONDS = 60.0
# What allocators of native code say before they give up.
MEMORY_WORDS = (b"memory allocation", b"bad_alloc", b"MemoryError", b"out of memory")
NAMED = frozenset("csv tsv xlsx xlsb xls ods json xml html zip gz pdf".split())
COMPLAINTS = 1 << 16  # bytes of them that are read


class Reader:
    """One child process, started when first needed, and again after each that had to be ended."""

    def __init__(self, options: Options | None = None) -> None:
        self._options = options or Options()
        self._child: subprocess.Popen[bytes] | None = None
        self._complaints: IO[bytes] | None = None
        self._fresh = True
        self._interrupted = False

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the child."""
        self.close()

    def inspect(self, path: Path, mime: str = "") -> Inspection:
        """Say what is in a file. It takes a set time at most, and does not raise.

        A child that crashes may have been spoiled by the files before: the file then gets one
        more, new child.
        """
        spoiled = self._child is not None and not self._fresh
        found = self._ask(path, mime)
        if found.error in {CRASHED, OUT_OF_MEMORY} and spoiled and not self._interrupted:
            found = self._ask(path, mime)
        return found

    def interrupt(self) -> None:
        """End the file that is being read, from another thread; the reader is of no more use."""
        self._interrupted = True
        child = self._child
        if child is not None:
            child.kill()

    def close(self) -> None:
        """End the child."""
        child, self._child = self._child, None
        complaints, self._complaints = self._complaints, None
        if child is not None:
            child.kill()
            child.wait()
            for pipe in (child.stdin, child.stdout):
                _close(pipe)
        _close(complaints)

    def _ask(self, path: Path, mime: str) -> Inspection:
        try:
            asked = json.dumps([os.fspath(path.absolute()), mime])
            child = self._started()
        except OSError as error:
            self.close()
            return Inspection(_kind_by_name(path), error=f"no process to read it: {error}")
        self._fresh = False
        line, late = _answer(child, asked, self._options.limits.seconds)
        if line.endswith(b"\n"):
            found = Inspection.from_json(line.decode())
            if late or found.error == OUT_OF_MEMORY:
                self.close()
            return found
        why = TOO_LONG if late else self._last_words(child)
        self.close()
        return Inspection(_kind_by_name(path), error=why)

    def _started(self) -> subprocess.Popen[bytes]:
        """Return the child, started if it is not."""
        if self._child is not None:
            return self._child
        self._fresh = True
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the child
        # The child finds what we find, and nothing else: not what lies where a crawl is run.
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            "OPENBLAS_NUM_THREADS": "1",  # each one maps memory
        }
        self._child = subprocess.Popen(
            [sys.executable, "-P", "-m", "lodehound.inspect.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._complaints,
            env=environment,
            start_new_session=True,  # Ctrl-C is for the parent
        )
        if self._interrupted:
            self._child.kill()
        ready, _ = _answer(self._child, options_to_json(self._options), START_SECONDS)
        if not ready.endswith(b"\n"):
            raise OSError("it does not start")
        return self._child

    def _last_words(self, child: subprocess.Popen[bytes]) -> str:
        """Return why a child died: of memory, if it said so."""
        child.kill()
        child.wait()
        if self._complaints is None:
            return CRASHED
        self._complaints.seek(0)
        words = self._complaints.read(COMPLAINTS)
        return OUT_OF_MEMORY if any(word in words for word in MEMORY_WORDS) else CRASHED


class Worker(Generic[Key]):
    """Inspects files one after another, beside a crawl.

    >>> worker = Worker[str]()
    >>> worker.submit("find 1", Path("no such file.csv"))
    >>> worker.close(wait_seconds=60)
    []
    >>> [(key, found.error[:12]) for key, found in worker.results()]
    [('find 1', 'not readable')]
    """

    def __init__(self, options: Options | None = None) -> None:
        self._reader = Reader(options)
        self._asked: queue.SimpleQueue[tuple[Key, Path, str] | None] = queue.SimpleQueue()
        self._found: queue.SimpleQueue[tuple[Key, Inspection]] = queue.SimpleQueue()
        self._waiting: dict[Key, None] = {}
        self._stopped = False
        self._thread: threading.Thread | None = None

    def submit(self, key: Key, path: Path, mime: str = "") -> None:
        """Have a file inspected. This returns at once; a key that waits already is left as it is.

        Args:
            key: What the result is called in `results`.
            path: The file, which must stay until then.
            mime: The type it was sent with.
        """
        if self._stopped:
            raise ValueError("this worker is closed")
        if key in self._waiting:
            return
        self._waiting[key] = None
        self._asked.put((key, path, mime))
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="inspect", daemon=True)
            self._thread.start()

    @property
    def waiting(self) -> int:
        """Return how many files are not inspected yet."""
        return len(self._waiting)

    def results(self) -> Iterator[tuple[Key, Inspection]]:
        """Yield what is ready, each result once, and do not wait for more."""
        while True:
            try:
                yield self._found.get_nowait()
            except queue.Empty:
                return

    def close(self, wait_seconds: float = 0.0) -> list[Key]:
        """Finish the files that wait, within a time; return those that were not inspected.

        What was inspected can still be had from `results`.
        """
        end = time.monotonic() + wait_seconds
        if self._thread is not None:
            self._asked.put(None)
            self._thread.join(max(0.0, end - time.monotonic()))
            self._stopped = True
            self._reader.interrupt()
            self._thread.join()
        self._stopped = True
        return list(self._waiting)

    def _work(self) -> None:
        with self._reader:
            for key, path, mime in iter(self._asked.get, None):
                if self._stopped:
                    return
                found = self._reader.inspect(path, mime)
                if self._stopped:
                    return
                self._found.put((key, found))
                self._waiting.pop(key, None)


def inspect_pending(
    files: Iterable[tuple[Key, Path, str]], options: Options | None = None
) -> Iterator[tuple[Key, Inspection]]:
    """Inspect files (key, path, type) that a crawl has left, one after another, in their order."""
    with Reader(options) as reader:
        for key, path, mime in files:
            yield key, reader.inspect(path, mime)


def _answer(child: subprocess.Popen[bytes], line: str, seconds: float) -> tuple[bytes, bool]:
    """Say a line to a child; return the line it answers, and whether it was killed for waiting."""
    late = threading.Event()

    def kill() -> None:
        late.set()
        child.kill()

    timer = threading.Timer(seconds, kill)
    timer.daemon = True
    timer.start()
    answer = b""
    try:
        if child.stdin and child.stdout:
            child.stdin.write(line.encode() + b"\n")
            child.stdin.flush()
            answer = child.stdout.readline()
    except (OSError, ValueError):
        pass  # it is gone: there is no answer
    finally:
        # Joined, so that it cannot kill the child over the next file.
        timer.cancel()
        timer.join()
    return answer, late.is_set()


def _kind_by_name(path: Path) -> str:
    """Return what a file is by its name, where nothing else is known of it."""
    suffix = path.suffix.lower().lstrip(".")
    return suffix if suffix in NAMED else "unknown"


def _close(file: IO[bytes] | None) -> None:
    try:
        if file is not None:
            file.close()
    except OSError:
        pass  # a pipe with a line that nobody will read
