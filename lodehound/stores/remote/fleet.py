"""A fleet in an object store: the list and the leases in a local database that is stored often.

::

    URL/fleet/          the database, as stores/remote says
    URL/fleet/running   names the process that runs the fleet
    URL/sites/NAME/     the crawl directory of a site, likewise
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from lodehound.core.errors import ConfigError
from lodehound.stores.files.layout import DATABASE as CRAWL
from lodehound.stores.fleet import DATABASE, FleetStore, NoFleetError
from lodehound.stores.fleet.soundness import SITES
from lodehound.stores.remote.mirror import JOURNAL, Mirror, restore
from lodehound.stores.remote.objects import ObjectFolder, is_url

STORE = 5.0  # seconds between two copies of the database of the fleet
SILENCE = 3 * STORE  # seconds without one after which a process that ran the fleet is dead
LOOK = 0.5
PREFIX = "lodehound-"  # of folders for files of a run
RUNNING = "running"


def url_of(url: str, site: str) -> str:
    """Return where the crawl directory of a site is.

    >>> url_of("s3://bucket/offices", "example.org")
    's3://bucket/offices/sites/example.org'
    """
    return f"{url}/{SITES}/{site}"


def _fleet_in(url: str) -> ObjectFolder:
    return ObjectFolder(url).below("fleet")


class RemoteFleet:
    """The database of a fleet that runs, in an object store.

    Args:
        url: The fleet.
        folder: Where its database is on this machine.

    Raises:
        ConfigError: Another process runs it.
    """

    def __init__(self, url: str, folder: Path) -> None:
        self.url = url.rstrip("/")
        self._objects = _fleet_in(self.url)
        self._mirror = Mirror(self._objects, folder / DATABASE)
        self._stored_at = -STORE
        self._refuse_running()
        self._mirror.claim()
        self._mirror.restore()
        self._objects.put(RUNNING, f"process {os.getpid()} on {platform.node()}".encode())

    def _refuse_running(self) -> None:
        """Wait until it is clear that whoever ran the fleet does not any more."""
        if not (who := runner_of(self.url)):
            return
        before, since = self._objects.names(JOURNAL), time.monotonic()
        while time.monotonic() - since < SILENCE:
            if self._objects.names(JOURNAL) != before:
                raise ConfigError(
                    f"{self.url!r} is being crawled by {who}: wait for it or stop it first."
                )
            if not runner_of(self.url):
                return
            time.sleep(LOOK)

    def store(self, *, now: bool = False) -> None:
        """Write the database to the store, if it is time.

        Raises:
            LeaseLostError: Another process runs the fleet.
        """
        if now or time.monotonic() - self._stored_at > STORE:
            self._mirror.save()
            self._stored_at = time.monotonic()

    def close(self) -> None:
        """Write the database to the store, and let others run the fleet."""
        self.store(now=True)
        self._objects.delete([RUNNING])


def runner_of(url: str) -> str:
    """Return the process that runs a fleet, or was killed while it did; "" if there is none."""
    return (_fleet_in(url).get(RUNNING) or b"").decode("utf-8", "replace")


@contextmanager
def local_copy(place: str, *, crawls: bool = False) -> Iterator[Path]:
    """Give a fleet directory to read: the place itself, or a copy of what is in an object store.

    Args:
        place: A path or a URL.
        crawls: The databases of the crawls are needed, too; files are not copied.
    """
    if not is_url(place):
        yield Path(place)
        return
    url = place.rstrip("/")
    with TemporaryDirectory(prefix=PREFIX) as folder:
        copy = Path(folder)
        if not restore(_fleet_in(url), copy / DATABASE):
            raise NoFleetError(place)
        if crawls:
            with FleetStore(copy, write=False) as store:
                names = [site.name for site in store.sites()]
            for name in names:
                restore(ObjectFolder(url_of(url, name)), copy / SITES / name / CRAWL)
        yield copy
