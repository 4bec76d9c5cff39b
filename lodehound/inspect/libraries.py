"""Loads the libraries that read files, when the first file needs them.

Their code takes address space, of which the process that reads files has a limit: the limit is for
files, so it grows by what a library takes.
"""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from typing import Any

_limited = False  # whether this process has a limit of its own
_start = 0  # bytes mapped without any file


def limit_memory(most: int) -> None:
    """Limit what this process may use, in addition to what it needs now, where that is possible."""
    global _limited, _start  # noqa: PLW0603 - a limit is the process's
    _start = _address_space()
    _limited = _set_limit(most + _start)


def memory_kept() -> int:
    """Return how many bytes earlier files have left mapped, in a process with a limit."""
    return max(0, _address_space() - _start) if _limited else 0


def library(name: str) -> Any:
    """Return a module.

    Raises:
        ImportError: It is not installed.
    """
    if name in sys.modules or not _limited:
        return importlib.import_module(name)
    global _start  # noqa: PLW0603
    import resource  # noqa: PLC0415 - not on Windows

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    before = _address_space()
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
    try:
        return importlib.import_module(name)
    finally:
        taken = max(0, _address_space() - before)
        _start += taken
        _set_limit(soft + taken)


def _set_limit(soft: int) -> bool:
    """Set the limit of address space; return whether the system supports it."""
    try:
        import resource  # noqa: PLC0415 - not on Windows

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        soft = soft if hard == resource.RLIM_INFINITY else min(soft, hard)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
    except (ImportError, ValueError, OSError):
        return False
    return True


def _address_space() -> int:
    """Return the number of bytes already mapped, or 0 if the system does not report it."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except (OSError, ValueError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
