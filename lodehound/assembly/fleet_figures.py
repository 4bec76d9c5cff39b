"""What the sites of a fleet have used, by their journals."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from lodehound.assembly.starting import is_begun, used_in
from lodehound.core.errors import ConfigError, LodehoundError
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.files.layout import DATABASE as CRAWL
from lodehound.stores.fleet import FleetStore
from lodehound.stores.fleet.soundness import SITES
from lodehound.stores.remote.fleet import PREFIX, RemoteFleet, url_of
from lodehound.stores.remote.mirror import restore
from lodehound.stores.remote.objects import ObjectFolder, is_url


def used_at(place: str) -> Callable[[str], Mapping[str, float]]:
    """Return what gives the budgets that a site of a fleet has used, by its name."""

    def used(name: str) -> Mapping[str, float]:
        if is_url(place):
            raise ConfigError("+N cannot be given for sites in an object store: give the number")
        return used_in(Path(place) / SITES / name)

    return used


def settle(store: FleetStore, remote: RemoteFleet | None) -> None:
    """Correct the figures of sites whose worker was killed, by their journals.

    A worker reports a little later than it makes its requests, and a shared budget counts them all.
    """
    figures = {}
    for site in store.unsettled():
        with suppress(LodehoundError, sqlite3.Error), _crawl_of(store, remote, site.name) as folder:
            # A damaged one will say so when it is crawled.
            if is_begun(folder):
                with CrawlDir.open(folder, write=False) as directory:
                    used = directory.round_summary()
                figures[site.number] = used.requests, used.finds, used.bytes
    store.settle(figures)


@contextmanager
def _crawl_of(store: FleetStore, remote: RemoteFleet | None, name: str) -> Iterator[Path]:
    """Give the crawl directory of a site, or a copy of its database."""
    if remote is None:
        yield store.crawl_folder(name)
        return
    with TemporaryDirectory(prefix=PREFIX) as folder:
        restore(ObjectFolder(url_of(remote.url, name)), Path(folder, CRAWL))
        yield Path(folder)
