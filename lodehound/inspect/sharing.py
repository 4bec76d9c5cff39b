"""One process that inspects the files of many crawls, one file at a time."""

from __future__ import annotations

import threading
from pathlib import Path

from lodehound.inspect.limits import Options
from lodehound.inspect.records import Inspection
from lodehound.inspect.worker import Reader

LOOK = 1.0  # seconds between two looks at whether the crawl has ended meanwhile
INTERRUPTED = "interrupted"


class SharedReader:
    """Gives every crawl of a process its share of one reader.

    >>> shared = SharedReader()
    >>> with shared.share() as reader:
    ...     reader.inspect(Path("no such file.csv")).error[:12]
    'not readable'
    >>> shared.close()
    """

    def __init__(self, options: Options | None = None) -> None:
        self._reader = Reader(options)
        self._lock = threading.Lock()

    def share(self) -> Reader:
        """Return a reader whose end is not that of the others."""
        return _Share(self._reader, self._lock)

    def close(self) -> None:
        self._reader.interrupt()
        with self._lock:
            self._reader.close()


class _Share(Reader):
    def __init__(self, reader: Reader, lock: threading.Lock) -> None:
        super().__init__()
        self._reader = reader
        self._lock = lock
        self._reading = False

    def inspect(self, path: Path, mime: str = "") -> Inspection:
        while not self._lock.acquire(timeout=LOOK):
            if self._interrupted:
                return Inspection("unknown", error=INTERRUPTED)
        try:
            self._reading = not self._interrupted
            if not self._reading:
                return Inspection("unknown", error=INTERRUPTED)
            return self._reader.inspect(path, mime)
        finally:
            self._reading = False
            self._lock.release()

    def interrupt(self) -> None:
        self._interrupted = True
        if self._reading:
            self._reader.kill_child()
