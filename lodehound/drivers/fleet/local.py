"""Runs a fleet on this machine: worker processes, and the parent that watches over them."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import multiprocessing.connection
import signal
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from lodehound.assembly.running import StopRequest
from lodehound.core.errors import NO_THREAD, LodehoundError, SiteError
from lodehound.drivers.fleet.host import HostOptions, SiteHost
from lodehound.drivers.fleet.processes import CONTEXT, prepare
from lodehound.stores.fleet import FleetStore

LOOK = 0.5  # seconds between two looks at the workers
START = 60.0  # seconds that a worker has until its first sign of life
MOST_STILLBORN = 5


class WorkerError(LodehoundError):
    """An error that ended a worker and would end the others, such as a full disk."""

    def __init__(self, message: str, exit_code: int) -> None:
        super().__init__(message)
        self.exit_code = exit_code


@dataclass(slots=True)
class _Worker:
    name: str
    process: BaseProcess
    reading: Any  # shared with the process: the site whose page it reads, or 0
    words: multiprocessing.connection.Connection  # its last ones: why it ended
    beat: int = -1
    moved_at: float = field(default_factory=time.monotonic)


class LocalFleet:
    """Worker processes on this machine. It starts anew what dies, and kills what hangs.

    Args:
        store: The fleet, listed and begun.
        jobs: How many processes.
        options: How many sites each has, and how often it says that it lives.
        secrets: Options that are stored nowhere.
    """

    def __init__(
        self, store: FleetStore, *, jobs: int, options: HostOptions, secrets: Mapping[str, Any]
    ) -> None:
        self.store = store
        self.jobs = jobs
        self.options = options
        self.secrets = secrets
        self._context = CONTEXT
        self._workers: list[_Worker] = []
        self._notified = False  # the workers know that they should stop
        self._stillborn = 0  # workers in a row that never said that they live

    def run(self, stop: StopRequest, look: Callable[[], float]) -> None:
        """Run until every site is done or the user stops it.

        Args:
            stop: Asks the workers to receive what is in flight and end.
            look: Called now and then, to share the budget and draw the screen; it returns the
                seconds until it wants to be called again.
        """
        self._context = prepare()
        try:
            while self._keep_up(stopping=stop.made):
                if stop.made and not self._notified:
                    self._notified = True
                    self._tell()
                pause = min(look(), LOOK)
                ends = [worker.process.sentinel for worker in self._workers]
                multiprocessing.connection.wait(ends, timeout=pause)
        finally:
            self._end()

    def _keep_up(self, *, stopping: bool) -> bool:
        """Replace dead workers while there is work; say whether any worker is left."""
        self._kill_silent()
        for worker in [one for one in self._workers if not one.process.is_alive()]:
            self._workers.remove(worker)
            worker.process.join()
            with contextlib.suppress(EOFError):  # it said nothing
                raise WorkerError(*worker.words.recv())
            self._stillborn = self._stillborn + 1 if worker.beat < 0 else 0
            if self._stillborn > MOST_STILLBORN and not stopping:
                raise SiteError("The workers of the fleet do not start: see the messages above.")
            # One that was killed was perhaps killed by what it read.
            self.store.dismiss(worker.name, worker.reading.value)
        if not stopping and (left := self.store.count("waiting", "running")):
            for _ in range(min(self.jobs, left) - len(self._workers)):
                self._workers.append(self._started())
        return bool(self._workers)

    def _started(self) -> _Worker:
        name, reading = uuid.uuid4().hex, self._context.Value("q", 0, lock=False)
        words, last_words = self._context.Pipe(duplex=False)
        process = self._context.Process(
            target=work,
            kwargs={
                "folder": self.store.folder,
                "options": self.options,
                "secrets": dict(self.secrets),
                "name": name,
                "reading": reading,
                "last_words": last_words,
            },
            name=f"lodehound-fleet-{name[:8]}",
            daemon=True,
        )
        process.start()
        last_words.close()
        return _Worker(name, process, reading, words)

    def _kill_silent(self) -> None:
        """Kill workers that say nothing: a page may hang its parser, or somebody stopped it."""
        beats, now = self.store.beats(), time.monotonic()
        for worker in self._workers:
            beat = beats.get(worker.name, -1)
            if beat != worker.beat:
                worker.beat, worker.moved_at = beat, now
            elif now - worker.moved_at > (START if beat < 0 else self.options.silence):
                worker.process.kill()

    def _tell(self) -> None:
        for worker in self._workers:
            worker.process.terminate()

    def _end(self) -> None:
        """Leave no process behind."""
        self._tell()
        for worker in self._workers:
            worker.process.join(self.options.silence)
            worker.process.kill()
            worker.process.join()


def work(
    *,
    folder: Path,
    options: HostOptions,
    secrets: Mapping[str, Any],
    name: str,
    reading: Any,
    last_words: multiprocessing.connection.Connection,
) -> None:
    """Run one worker process.

    Args:
        folder: The fleet directory.
        options: How it hosts sites.
        secrets: Options that are stored nowhere.
        name: The worker's.
        reading: Shared with the parent: the site whose page is being read.
        last_words: Where it says why it cannot go on.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent

    def mark(site: int) -> None:
        reading.value = site

    async def run() -> None:
        host = SiteHost(folder, options, secrets, worker=name, mark=mark)
        loop = asyncio.get_running_loop()
        signal.signal(signal.SIGTERM, lambda *_: loop.call_soon_threadsafe(host.stop))
        threading.Thread(
            target=_stop_without_parent,
            args=(lambda: loop.call_soon_threadsafe(host.stop),),
            daemon=True,
        ).start()
        await host.run()

    try:
        asyncio.run(run())
    except LodehoundError as error:
        last_words.send((str(error), error.exit_code))
    except (OSError, RuntimeError) as error:
        if isinstance(error, RuntimeError) and str(error) != NO_THREAD:
            raise
        last_words.send((f"a worker of the fleet cannot go on: {error}.", 1))


def _stop_without_parent(stop: Callable[[], object]) -> None:
    """Stop when the process that watches over this one is gone."""
    if parent := multiprocessing.parent_process():
        parent.join()
        stop()
