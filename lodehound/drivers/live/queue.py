"""The requests that were decided on and wait: for their host, or for its robots.txt."""

from __future__ import annotations

from collections.abc import Iterator

from lodehound.core.messages import Ask
from lodehound.core.urls import host_of
from lodehound.drivers.live.politeness import Politeness
from lodehound.drivers.live.tasks import Task, TaskKind


class Queue:
    """Requests that wait, in the order in which they are made."""

    def __init__(self) -> None:
        self._tasks: list[Task] = []
        self._parked: dict[str, list[Task]] = {}  # until the origin's robots.txt is there
        self._numbers = 0

    def __bool__(self) -> bool:
        return bool(self._tasks or self._parked)

    def __iter__(self) -> Iterator[Task]:
        """Yield what waits for nothing but its host."""
        return iter(self._tasks)

    @property
    def asks(self) -> int:
        """How many requests that the crawl chose wait."""
        parked = [task for tasks in self._parked.values() for task in tasks]
        return sum(task.ask is not None for task in (*self._tasks, *parked))

    def make(
        self,
        url: str,
        *,
        method: str = "GET",
        kind: TaskKind = "page",
        source: str = "",
        ask: Ask | None = None,
        origin: str = "",
    ) -> Task:
        """Make a request; it does not wait yet."""
        self._numbers += 1
        return Task(self._numbers, url, method, kind, source, ask, origin)

    def of(self, ask: Ask) -> Task:
        """Make the request for a page."""
        return self.make(ask.url, method=ask.method, source=ask.source, ask=ask)

    def put(self, task: Task) -> None:
        """Let a request wait behind all others; what a page in the browser needs comes first."""
        end = len(self._tasks)
        if task.kind == "resource":
            kinds = enumerate(waiting.kind for waiting in self._tasks)
            end = next((index for index, kind in kinds if kind != "resource"), end)
        self._tasks.insert(end, task)

    def take(self, now: float, politeness: Politeness) -> Task | None:
        """Remove and return the first request that may be made now."""
        for index, task in enumerate(self._tasks):
            held = task.kind == "robots"  # its host is held until it is there
            if task.ready_at <= now and politeness.allows(host_of(task.url), now, held=held):
                return self._tasks.pop(index)
        return None

    def take_for(self, host: str) -> list[Task]:
        """Remove and return what waits for a host."""
        theirs = [task for task in self._tasks if task.is_for(host)]
        self._tasks = [task for task in self._tasks if not task.is_for(host)]
        return theirs

    def take_resources(self) -> list[Task]:
        """Remove and return what rendered pages asked for."""
        parked = [task for tasks in self._parked.values() for task in tasks]
        found = [task for task in (*self._tasks, *parked) if task.kind == "resource"]
        self._tasks = [task for task in self._tasks if task.kind != "resource"]
        for origin, tasks in self._parked.items():
            self._parked[origin] = [task for task in tasks if task.kind != "resource"]
        return found

    def park(self, task: Task, origin: str) -> bool:
        """Let a request wait for robots.txt; return whether it is the first of its origin."""
        first = origin not in self._parked
        self._parked.setdefault(origin, []).append(task)
        return first

    def unpark(self, origin: str) -> list[Task]:
        """Remove and return what waited for the robots.txt of an origin."""
        return self._parked.pop(origin, [])
