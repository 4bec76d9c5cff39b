"""Runs a fleet on a Ray cluster: the same workers, as actors on its machines.

All durable state is in the fleet directory, on a file system that every machine sees, or in an
object store. Ray starts the actors, and starts them anew elsewhere when a machine is lost; it holds
nothing.
"""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from lodehound.assembly.ending import Exit
from lodehound.assembly.running import StopRequest
from lodehound.core.errors import ConfigError, LodehoundError, SiteError, text_of
from lodehound.drivers.fleet.host import HostOptions, SiteHost
from lodehound.drivers.fleet.local import WorkerError
from lodehound.drivers.fleet.processes import LEAN, SAFE_PATH
from lodehound.extras import extra
from lodehound.stores.fleet import DATABASE, FleetStore, Lease
from lodehound.stores.remote.fleet import PREFIX

with extra("ray"):
    import ray
    from ray.exceptions import RayError
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

LOOK = 0.5  # seconds between two looks at the fleet
CHECK = 5.0  # seconds between two looks at the actors
START = 60.0  # seconds until the first worker must live
NAMESPACE = "lodehound"
NOT_SHARED = (
    "A machine of the cluster does not see {!r}: put the fleet on a file system that all share."
)
WIND_UP = 60.0  # seconds that workers have to receive what is in flight
# An actor that is lost is started anew, for as long as there are sites; it takes the sites of
# silent workers. A call that was lost with it is made anew by the parent.
ACTOR: dict[str, Any] = {"max_restarts": -1, "num_cpus": 1, "max_concurrency": 4}


class Desk:
    """Answers workers that do not see the database of the fleet; it is where the parent is.

    Args:
        folder: The fleet directory.
    """

    def __init__(self, folder: str) -> None:
        self._store = FleetStore(Path(folder))

    def call(self, name: str, *words: object) -> object:
        """Call a method of the ``FleetStore``."""
        return getattr(self._store, name)(*words)


class DeskLostError(LodehoundError):
    """The machine that runs the fleet does not answer."""


class DistantStore:
    """The ``FleetStore`` of another machine, as far as a worker needs it.

    Args:
        desk: The name of the actor that has it.
        patience: Seconds to wait for an answer.
    """

    def __init__(self, desk: str, patience: float) -> None:
        self._desk: Any = ray.get_actor(desk, NAMESPACE)
        self._patience = patience

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return partial(self._call, name)

    def _call(self, name: str, *words: object) -> Any:
        try:
            return ray.get(self._desk.call.remote(name, *words), timeout=self._patience)
        except LodehoundError:
            raise
        except RayError as error:
            raise DeskLostError("The machine that runs the fleet does not answer.") from error

    def check(self, lease: Lease) -> None:
        """Trust the lease: ``SiteHost`` has made sure that this worker was heard lately.

        Nobody dismisses a worker before it was silent for twice as long; a request to another
        machine before every request to a site would take too long.
        """

    def close(self) -> None:
        """Keep the store open: it is not ours."""


class SiteHostActor:
    """A worker in an actor: it runs one ``SiteHost`` after another.

    Args:
        folder: The fleet directory.
        options: How it hosts sites.
        secrets: Options that are stored nowhere.
        desk: The name of the actor that has the database of a fleet in an object store.
    """

    def __init__(
        self, folder: str, options: HostOptions, secrets: Mapping[str, Any], desk: str
    ) -> None:
        self.folder = Path(folder)
        self.options = options
        self.secrets = secrets
        self.desk = desk
        self._hosts: set[SiteHost] = set()  # one that was dismissed may still be ending

    async def run(self, worker: str) -> tuple[str, int] | None:
        """Crawl until every site is done, or it is stopped or dismissed.

        Args:
            worker: The name under which it holds sites.

        Returns:
            The message and exit code of an error that would end other workers, too.
        """
        if self.desk:
            store: Any = DistantStore(self.desk, self.options.silence)
            with TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as folder:
                return await self._run(SiteHost(
                    Path(folder), self.options, self.secrets, worker=worker, store=store
                ))  # fmt: skip
        if not await asyncio.to_thread((self.folder / DATABASE).is_file):
            return NOT_SHARED.format(str(self.folder)), Exit.FAILED
        return await self._run(SiteHost(self.folder, self.options, self.secrets, worker=worker))

    async def _run(self, host: SiteHost) -> tuple[str, int] | None:
        self._hosts.add(host)
        try:
            await host.run()
        except DeskLostError:  # its own trouble: another worker goes on
            return None
        except LodehoundError as error:
            return str(error), error.exit_code
        finally:
            self._hosts.remove(host)
        return None

    async def stop(self) -> None:
        """Receive what is in flight, and end."""
        for host in self._hosts:
            host.stop()

    async def answers(self) -> None:
        """Do nothing: whoever calls learns that this machine can be reached."""


class ClusterFleet:
    """Workers on the machines of a Ray cluster.

    Args:
        store: The fleet, listed and begun.
        jobs: How many workers.
        options: How many sites each has, and how often it says that it lives.
        secrets: Options that are stored nowhere.
        address: Of the cluster; "auto" for the one that this machine belongs to.
    """

    def __init__(
        self,
        store: FleetStore,
        *,
        jobs: int,
        options: HostOptions,
        secrets: Mapping[str, Any],
        address: str,
    ) -> None:
        self.store = store
        self.jobs = jobs
        self.options = options
        self.secrets = secrets
        self.address = address
        self._actors: list[Any] = []
        self._desk: Any = None
        self._runs: dict[Any, tuple[str, Any]] = {}  # the worker that each actor runs
        self._lived = False  # some worker has said that it lives
        self._obstacle = ""
        self._calls: dict[Any, tuple[Any, float]] = {}  # calls to actors, and since when

    def run(self, stop: StopRequest, look: Callable[[], float]) -> None:
        """Run until every site is done or the user stops it; as ``LocalFleet.run``."""
        self._connect()
        try:
            self._start()
            began = checked = time.monotonic()
            while self.store.count("waiting", "running") and not stop.made:
                time.sleep(min(look(), LOOK))
                if time.monotonic() - checked > CHECK:
                    checked = time.monotonic()
                    self._dismiss_unreachable()
                    self._keep_running()
                    self._refuse_dead_cluster(began)
            self._end()
            look()
        finally:
            ray.shutdown()

    def _connect(self) -> None:
        try:
            ray.init(
                self.address,
                namespace=NAMESPACE,
                log_to_driver=False,
                logging_level=logging.ERROR,
                runtime_env={"env_vars": LEAN | {SAFE_PATH: "1"}},
            )
        except (RayError, ConnectionError, ValueError, RuntimeError) as error:
            reason = text_of(error)
            raise ConfigError(
                f"There is no Ray cluster at {self.address!r} ({reason}): "
                f"start one with 'ray start --head'."
            ) from error

    def _start(self) -> None:
        actor: Any = ray.remote(**ACTOR)(SiteHostActor)
        place = str(self.store.folder.resolve())
        desk = f"desk-{uuid.uuid4().hex}" if self.options.url else ""
        if desk:
            self._set_up(desk, place)
        for _ in range(self.jobs):
            self._actors.append(actor.remote(place, self.options, dict(self.secrets), desk))
            self._run_in(self._actors[-1])

    def _set_up(self, desk: str, folder: str) -> None:
        """Start the actor that has the database, on this machine."""
        here = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=False)
        options: dict[str, Any] = {"name": desk, "scheduling_strategy": here}
        actor: Any = ray.remote(max_restarts=-1, num_cpus=0, **options)(Desk)
        self._desk = actor.remote(folder)  # it ends with this reference

    def _run_in(self, actor: Any) -> None:
        worker = uuid.uuid4().hex
        self._runs[actor] = worker, actor.run.remote(worker)

    def _keep_running(self) -> None:
        """Start workers anew that were lost, or were dismissed while frozen."""
        for actor in self._dismiss_ended():
            self._run_in(actor)

    def _refuse_dead_cluster(self, began: float) -> None:
        """Give up a cluster on which no worker ever starts."""
        self._lived = self._lived or bool(self.store.beats())
        if not self._lived and time.monotonic() - began > START:
            reason = f" ({self._obstacle})" if self._obstacle else ""
            raise SiteError(
                f"No worker has started on the cluster within {START:.0f} seconds{reason}: "
                f"its machines need a free CPU and an installed lodehound."
            )

    def _dismiss_unreachable(self) -> None:
        """Free the sites of workers that do not answer.

        A machine that is cut off from the cluster may still see the fleet directory: its worker
        would seem to live, and its sites would find no host. Ray takes a minute to notice.
        """
        now = time.monotonic()
        for actor, (worker, _) in self._runs.items():
            call, since = self._calls.get(actor, (None, now))
            if call is None or ray.wait([call], timeout=0)[0]:
                self._calls[actor] = actor.answers.remote(), now
            elif now - since > self.options.silence:
                self.store.dismiss(worker)

    def _dismiss_ended(self) -> list[Any]:
        """Free the sites of workers that Ray says are gone; return their actors."""
        ended = []
        for actor, (worker, running) in self._runs.items():
            if ray.wait([running], timeout=0)[0]:
                self.store.dismiss(worker)
                ended.append(actor)
                if failure := self._result_of(running):
                    raise WorkerError(*failure)
        return ended

    def _result_of(self, running: Any) -> tuple[str, int] | None:
        try:
            result: tuple[str, int] | None = ray.get(running)
        except RayError as error:  # the actor is lost
            self._obstacle = text_of(error)
            return None
        return result

    def _end(self) -> None:
        """Wait until the workers have received what is in flight."""
        for actor in self._actors:
            actor.stop.remote()
        until = time.monotonic() + WIND_UP
        while self.store.beats() and time.monotonic() < until:
            self._dismiss_ended()
            time.sleep(LOOK)
