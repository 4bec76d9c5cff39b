"""Sets a crawl aside of which nothing is sound, so that it can begin again in its place."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from lodehound.stores.crawl_dir import no_crawl
from lodehound.stores.errors import write_error
from lodehound.stores.files.layout import DATABASE, FLEET
from lodehound.stores.fleet import FleetStore, go_on
from lodehound.stores.fleet.soundness import SITES
from lodehound.stores.locks.lock import Lock
from lodehound.text.shell import quoted


def fleet_of(folder: Path) -> Path | None:
    """Return the fleet that a crawl directory belongs to; None if it belongs to none."""
    fleet = folder.absolute().parent.parent
    is_site = folder.absolute().parent.name == SITES and (fleet / FLEET).is_file()
    return fleet if is_site else None


def begin_again(folder: Path) -> tuple[Path, str]:
    """Move a crawl directory out of the way, with all that is in it.

    Returns:
        Where it is now, and the command that begins the crawl again.

    Raises:
        ConfigError: It is being crawled, or there is no crawl.
    """
    fleet = fleet_of(folder)
    if not (folder.is_dir() if fleet else (folder / DATABASE).is_file()):
        raise no_crawl(folder)
    stamp = f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{os.getpid()}"
    place = (fleet or folder.absolute().parent) / f"damaged-{folder.absolute().name}-{stamp}"
    again = f"run 'lodehound repair {quoted(folder)} --begin-again' again"
    if fleet is None:
        with _held(folder, again):
            _move(folder, place, again)
        return place, f"lodehound crawl URL --out {quoted(folder)}"
    with _held(fleet, go_on(fleet)), FleetStore(fleet) as store:
        with _held(folder, again):
            _move(folder, place, again)
        store.begin_again(folder.absolute().name)
    return place, f"lodehound fleet resume {quoted(fleet)}"


def _move(folder: Path, place: Path, again: str) -> None:
    try:
        folder.rename(place)
    except OSError as error:
        raise write_error(folder, error, again) from error


@contextmanager
def _held(folder: Path, then: str) -> Iterator[None]:
    lock = Lock(folder, then)
    try:
        yield
    finally:
        lock.release()
