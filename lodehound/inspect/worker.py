"""Inspects files in a separate process, so that no file can stop or slow down a crawl.

`Reader` asks this process and waits for a limited time; `Worker` does so in a thread.
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
from lodehound.inspect.patience import Patience
from lodehound.inspect.records import CRASHED, OUT_OF_MEMORY, SKIPPED, TOO_LONG, Inspection

Key = TypeVar("Key", bound=Hashable)
# Time to start Python on a machine that is busy with a crawl; not charged to the file.
START_SECONDS = 60.0
# Messages of native allocators before they give up.
MEMORY_WORDS = (b"memory allocation", b"bad_alloc", b"MemoryError", b"out of memory")
NAMED = frozenset(
    "csv tsv xlsx xlsb xls ods json xml html zip gz bz2 xz zst pdf parquet arrow sqlite gpkg dbf"
    " sav por dta sas7bdat xpt".split()
)
COMPLAINTS = 1 << 16  # bytes of stderr that are read


class Reader:
    """One child process, started when first needed and again after each one that was killed."""

    def __init__(self, options: Options | None = None, rows: IO[bytes] | None = None) -> None:
        """Prepare to read.

        Args:
            options: Limits and rule.
            rows: Where the rows of the current file are written, if they are wanted as values:
                `values.read_values` reads them.
        """
        self._options = options or Options()
        self._rows = rows
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
        """Return what is in a file. This takes a limited time and does not raise.

        A crash may be the effect of earlier files, so the file is then tried once more in a new
        child process.
        """
        spoiled = self._child is not None and not self._fresh
        found = self._ask(path, mime)
        if found.error in {CRASHED, OUT_OF_MEMORY} and spoiled and not self._interrupted:
            found = self._ask(path, mime)
        return found

    def interrupt(self) -> None:
        """Stop reading the current file, from another thread. This ends the use of the reader."""
        self._interrupted = True
        self.kill_child()

    def kill_child(self) -> None:
        """Stop reading the current file, from another thread."""
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
            self._fresh = False
            if self._rows:
                self._rows.seek(0)
                self._rows.truncate()
            line, late = _answer(child, asked, self._options.limits.seconds, self._rows)
        except OSError as error:
            self.close()
            return Inspection(_kind_by_name(path), error=f"cannot start a process: {error}")
        if line.endswith(b"\n"):
            found = Inspection.from_json(line.decode())
            if late or found.error == OUT_OF_MEMORY:
                self.close()
            return found
        why = TOO_LONG if late else self._last_words(child)
        self.close()
        return Inspection(_kind_by_name(path), error=why)

    def _started(self) -> subprocess.Popen[bytes]:
        """Return the child process, started if necessary."""
        if self._child is not None:
            return self._child
        self._fresh = True
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the child
        # The child imports what we import, and nothing from the current directory.
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            "OPENBLAS_NUM_THREADS": "1",  # each thread maps memory
            "MALLOC_ARENA_MAX": "1",
            "ARROW_DEFAULT_MEMORY_POOL": "system",  # the others reserve more than they need
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
            raise OSError("it did not start")
        return self._child

    def _last_words(self, child: subprocess.Popen[bytes]) -> str:
        """Return why a child died: out of memory if stderr says so."""
        child.kill()
        child.wait()
        if self._complaints is None:
            return CRASHED
        self._complaints.seek(0)
        words = self._complaints.read(COMPLAINTS)
        return OUT_OF_MEMORY if any(word in words for word in MEMORY_WORDS) else CRASHED


class Worker(Generic[Key]):
    """Inspects files one by one while a crawl runs.

    >>> worker = Worker[str]()
    >>> worker.submit("find 1", Path("no such file.csv"))
    >>> worker.close(wait_seconds=60)
    []
    >>> [(key, found.error[:12]) for key, found in worker.results()]
    [('find 1', 'not readable')]
    """

    def __init__(self, options: Options | None = None, reader: Reader | None = None) -> None:
        self._reader = reader or Reader(options)
        self._patience = Patience()
        self._asked: queue.SimpleQueue[tuple[Key, Path, str, Hashable] | None]
        self._asked = queue.SimpleQueue()
        self._found: queue.SimpleQueue[tuple[Key, Inspection]] = queue.SimpleQueue()
        self._waiting: dict[Key, None] = {}
        self._stopped = False
        self._thread: threading.Thread | None = None

    def submit(self, key: Key, path: Path, mime: str = "", *, group: Hashable = None) -> None:
        """Queue a file for inspection and return immediately; ignore a key that is already waiting.

        Args:
            key: Identifies the result in `results`.
            path: The file; it must not be removed before.
            mime: Its declared type.
            group: Files of the same origin and type; if several in a row cost their limits, most
                of the others are skipped. None: it is always inspected.
        """
        if self._stopped:
            raise ValueError("this worker is closed")
        if key in self._waiting:
            return
        self._waiting[key] = None
        self._asked.put((key, path, mime, group))
        if self._thread is None:
            thread = threading.Thread(target=self._work, name="inspect", daemon=True)
            thread.start()
            self._thread = thread

    @property
    def waiting(self) -> int:
        """Return the number of files that are not inspected yet."""
        return len(self._waiting)

    def results(self) -> Iterator[tuple[Key, Inspection]]:
        """Yield the results that are ready, each once, without waiting for more."""
        while True:
            try:
                yield self._found.get_nowait()
            except queue.Empty:
                return

    def close(self, wait_seconds: float = 0.0) -> list[Key]:
        """Finish the waiting files within a time limit; return the keys that were not inspected.

        Finished results are still available from `results`.
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
            for key, path, mime, group in iter(self._asked.get, None):
                if self._stopped:
                    return
                found = self._inspected(path, mime, group)
                if self._stopped:
                    return
                self._found.put((key, found))
                self._waiting.pop(key, None)

    def _inspected(self, path: Path, mime: str, group: Hashable) -> Inspection:
        if group is None:
            return self._reader.inspect(path, mime)
        if not self._patience.allows(group):
            return Inspection(_kind_by_name(path), error=SKIPPED)
        found = self._reader.inspect(path, mime)
        self._patience.learn(group, costly=found.error in {TOO_LONG, CRASHED, OUT_OF_MEMORY})
        return found


def inspect_pending(
    files: Iterable[tuple[Key, Path, str]], options: Options | None = None
) -> Iterator[tuple[Key, Inspection]]:
    """Inspect files (key, path, type) that a crawl did not inspect, one by one and in order."""
    with Reader(options) as reader:
        for key, path, mime in files:
            yield key, reader.inspect(path, mime)


def _answer(
    child: subprocess.Popen[bytes], line: str, seconds: float, rows: IO[bytes] | None = None
) -> tuple[bytes, bool]:
    """Send a line to a child; return its answer, and whether it was killed after the timeout.

    The lines before the answer are written to `rows`.

    Raises:
        OSError: There is no thread left for the timeout.
    """
    late = threading.Event()

    def kill() -> None:
        late.set()
        child.kill()

    timer = threading.Timer(seconds, kill)
    timer.daemon = True
    try:
        timer.start()
    except RuntimeError as error:
        raise OSError(str(error)) from error
    answer = b""
    try:
        if child.stdin and child.stdout:
            child.stdin.write(line.encode() + b"\n")
            child.stdin.flush()
            while (answer := child.stdout.readline()).startswith(b"["):
                if rows:
                    rows.write(answer)
    except (OSError, ValueError):
        pass  # the child is gone: there is no answer
    finally:
        # Joined, so that it cannot kill the child while it reads the next file.
        timer.cancel()
        timer.join()
    return answer, late.is_set()


def _kind_by_name(path: Path) -> str:
    """Return the format by the name of a file, if nothing else is known."""
    suffix = path.suffix.lower().lstrip(".")
    return suffix if suffix in NAMED else "unknown"


def _close(file: IO[bytes] | None) -> None:
    try:
        if file is not None:
            file.close()
    except OSError:
        pass  # a pipe with an unread line
