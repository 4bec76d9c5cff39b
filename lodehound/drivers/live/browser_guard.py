"""Ends a browser that costs too much, whatever the event loop is busy with.

A page can flood the event loop with events, or allocate gigabytes between two of its turns. A
thread looks at the time and the memory of the browser, and kills it. Linux also limits the memory
that the processes of pages may allocate.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from pathlib import Path

LOOK = 0.02  # seconds between two looks
FAMILY = 5  # looks between two looks for new processes
SPARE = 256 * 1024 * 1024  # bytes that a page's process may allocate and does not use
PAGES = "--type=renderer"
PARENT_OF_PAGES = "--type=zygote"  # they inherit its limits


class BrowserGuard:
    """Watches a running browser while it renders pages.

    Args:
        pid: The browser process.
        memory: The most that the processes of pages may use, in bytes.

    Attributes:
        reason: Why the browser was killed; "" if it was not.
    """

    def __init__(self, pid: int, memory: int) -> None:
        self.pid = pid
        self.memory = memory
        self.reason = ""
        self._deadline = (float("inf"), "")
        self._ended = threading.Event()
        self._limit()

    def start(self) -> None:
        """Begin to watch; nothing is watched where there is no /proc."""
        if Path("/proc/self/status").exists():
            threading.Thread(target=self._watch, name="browser guard", daemon=True).start()

    def kill_at(self, deadline: float, reason: str) -> None:
        """Kill the browser at a time by ``time.monotonic``, unless it is put off before."""
        self._deadline = (deadline, reason)

    def stop(self) -> None:
        self._ended.set()

    def end(self, reason: str) -> None:
        """Kill the browser now, where processes are known."""
        if Path("/proc/self/status").exists():
            self._kill(reason)

    def _limit(self) -> None:
        """Limit what pages can allocate to little more than they may use, where the system can."""
        if sys.platform == "linux":
            import resource  # noqa: PLC0415 - not everywhere

            most = self.memory + SPARE
            for pid in family(self.pid):
                if PARENT_OF_PAGES in words_of(pid):
                    with contextlib.suppress(OSError, ValueError):
                        resource.prlimit(pid, resource.RLIMIT_DATA, (most, most))

    def _watch(self) -> None:
        looks, pages = 0, list[int]()
        while not self._ended.wait(LOOK):
            if looks % FAMILY == 0:
                pages = [pid for pid in family(self.pid) if PAGES in words_of(pid)]
            looks += 1
            deadline, reason = self._deadline
            if time.monotonic() > deadline:
                self._kill(reason)
            elif sum(map(memory_of, pages)) > self.memory:
                self._kill(f"stopped at {self.memory // 2**20} MiB of memory")

    def _kill(self, reason: str) -> None:
        """Kill the browser, and the program between it and us, which may be full of its events."""
        self.reason = self.reason or reason
        self._ended.set()
        for pid in (*_above(self.pid), self.pid, *family(self.pid)):
            if pid <= 1:  # not known: the signal would go to all processes of our group
                continue
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def words_of(pid: int) -> str:
    return _read(f"/proc/{pid}/cmdline").replace("\0", " ")


def family(pid: int) -> list[int]:
    """Return the processes below one."""
    found: list[int] = []
    todo = [pid]
    while todo:
        parent = todo.pop()
        with contextlib.suppress(OSError):
            for thread in Path(f"/proc/{parent}/task").iterdir():
                children = _read(f"{thread}/children").split()
                todo += map(int, children)
                found += map(int, children)
    return found


def _above(pid: int) -> list[int]:
    """Return the processes between one and this one; none if it is not below this one."""
    found: list[int] = []
    while (pid := int(_figures(pid).get("PPid", "0"))) > 1:
        if pid == os.getpid():
            return found
        found.append(pid)
    return []


def _figures(pid: int) -> dict[str, str]:
    lines = (line.partition(":") for line in _read(f"/proc/{pid}/status").splitlines())
    return {name: text.strip() for name, _, text in lines}


def memory_of(pid: int) -> int:
    """Return the memory that only a process uses, in bytes; 0 if that is unknown."""
    figures = _figures(pid)
    return 1024 * sum(int(figures.get(name, "0").split()[0]) for name in ("RssAnon", "RssShmem"))
