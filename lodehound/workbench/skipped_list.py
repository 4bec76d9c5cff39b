"""The skipped URLs of one crawl in a temporary file, so that pages show a few at a time."""

from __future__ import annotations

import json
import tempfile
import threading
import weakref
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from lodehound.reports.skipped import Skipped


class SkippedList:
    """The list as it was counted.

    Args:
        folder: For the file, outside of the crawl directory.
        rows: The list.
    """

    def __init__(self, folder: Path, rows: Iterable[Skipped]) -> None:
        self._places: defaultdict[str, array[int]] = defaultdict(lambda: array("Q"))  # by reason
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - as long as the list
        weakref.finalize(self, self._file.close)
        self._lock = threading.Lock()
        for row in rows:
            for reason in ("", row.reason):
                self._places[reason].append(self._file.tell())
            line = json.dumps([row.url, row.reason, row.detail, row.found_on])
            self._file.write(line.encode() + b"\n")

    def rows(self, reason: str = "", *, first: int = 0, most: int = 1 << 62) -> Iterator[Skipped]:
        """Yield URLs that were skipped for a reason, or for any."""
        for place in self._places.get(reason, array("Q"))[first : first + most]:
            with self._lock:
                self._file.seek(place)
                line = self._file.readline()
            yield Skipped(*json.loads(line))
