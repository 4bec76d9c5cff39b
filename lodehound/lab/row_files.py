"""Writes runs as lines of JSON."""

from __future__ import annotations

import json
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self, TextIO

from lodehound.core.errors import ConfigError, reason_of
from lodehound.stores.files.replacing import refuse_crawl


class Written(Protocol):
    """Any type of run."""

    def as_json(self) -> dict[str, Any]: ...


class Rows:
    """Writes one JSON object per run; does nothing without a path.

    Args:
        path: The file. It is overwritten when the first run ends, not before: a mistake in the
            command must not destroy the rows of an earlier race.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._file: TextIO | None = None

    def __enter__(self) -> Self:
        if self.path is not None:
            refuse_crawl(self.path)
            try:
                self.path.open("a", encoding="utf-8").close()
            except OSError as error:
                raise ConfigError(
                    f"{str(self.path)!r} cannot be written: {reason_of(error)}."
                ) from error
        return self

    def write(self, run: Written) -> None:
        if self.path is None:
            return
        if self._file is None:
            self._file = self.path.open("w", encoding="utf-8")
        self._file.write(json.dumps(run.as_json()) + "\n")
        self._file.flush()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._file is not None:
            self._file.close()
