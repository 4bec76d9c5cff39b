"""How the worker processes of a fleet begin.

They are forked from a server process that has imported everything and opened nothing, so that a
worker starts at once and shares the memory of the code with the others. A fork of the parent itself
would inherit its open databases.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from lodehound.drivers.environment import with_variable
from lodehound.drivers.fleet.open_files import raise_limit

if TYPE_CHECKING:
    from multiprocessing.context import ForkServerContext, SpawnContext

# Many small crawls: numpy would back every array with huge pages, and malloc would keep memory
# for each of the many threads.
LEAN = {"NUMPY_MADVISE_HUGEPAGE": "0", "MALLOC_ARENA_MAX": "2"}
# multiprocessing starts "python -c": a json.py in the current folder would be imported by it.
SAFE_PATH = "PYTHONSAFEPATH"
SPAWN = multiprocessing.get_context("spawn")
CONTEXT: ForkServerContext | SpawnContext = SPAWN
if sys.platform != "win32":
    CONTEXT = multiprocessing.get_context("forkserver")
PRELOADED = "lodehound.drivers.fleet.preloaded"


def safe_path() -> AbstractContextManager[None]:
    """Start Python processes that import nothing from the current folder."""
    return with_variable(SAFE_PATH, "1")


def prepare() -> ForkServerContext | SpawnContext:
    """Begin to import what workers need, in the background; return how to start them."""
    for variable, value in LEAN.items():
        os.environ.setdefault(variable, value)
    raise_limit()
    os.environ[SAFE_PATH] = "1"
    if sys.platform != "win32":
        from multiprocessing import forkserver  # noqa: PLC0415 - not on Windows

        multiprocessing.set_forkserver_preload([PRELOADED])
        # Ctrl-C is for the parent. The server inherits the mask; what is pending comes afterwards.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            forkserver.ensure_running()
        except OSError:  # its socket needs a place: the path of a TMPDIR may be too long for one
            return SPAWN
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return CONTEXT
