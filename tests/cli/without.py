"""Runs commands as if some packages were not installed; prints how each ended.

WITHOUT='["aiohttp"]' python -c 'from tests.cli.without import main; main()' '[["policies"]]'

A ``sitecustomize`` that calls ``hide`` must be on the path: it hides the packages from child
processes, too.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import sys
from collections.abc import Iterable, Sequence
from typing import Any


class Without:
    """A finder that does not find some packages."""

    def __init__(self, finder: Any, missing: Iterable[str]) -> None:
        self._finder = finder
        self._missing = frozenset(missing)

    def find_spec(self, name: str, *args: Any) -> Any:
        if name.partition(".")[0] in self._missing:
            return None
        return self._finder.find_spec(name, *args)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._finder, name)


def run(command: Sequence[str]) -> tuple[int, str]:
    """Run one command line; return its exit code and what it said of errors."""
    main = importlib.import_module("lodehound.cli").main
    sys.argv = ["lodehound", *command]
    said = io.StringIO()
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")  # some commands write bytes
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(said):
            main()
    except SystemExit as end:
        return int(end.code or 0), said.getvalue()
    except Exception as error:
        return -1, f"{type(error).__name__}: {error}"
    return 0, said.getvalue()


def hide() -> None:
    """Hide the packages that the environment names from this process."""
    modules = json.loads(os.environ["WITHOUT"])
    if loaded := [name for name in modules if name in sys.modules]:
        raise SystemExit(f"imported already: {loaded}")
    sys.meta_path[:] = [Without(finder, modules) for finder in sys.meta_path]


def main() -> None:
    sys.stdout.write(json.dumps([run(command) for command in json.loads(sys.argv[1])]))
    sys.stdout.flush()
    # DuckDB complains of what is left when Python ends with all the other packages loaded.
    os._exit(0)
