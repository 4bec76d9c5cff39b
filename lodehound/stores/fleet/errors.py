"""What is said if the database of a fleet cannot be used."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from lodehound.core.errors import LodehoundError, SiteError
from lodehound.stores.errors import DamagedCrawlError, unreadable, write_error
from lodehound.stores.files.layout import FLEET
from lodehound.text.shell import quoted


def go_on(place: Path | str) -> str:
    """Return in words how to continue a fleet."""
    return f"continue with 'lodehound fleet resume {quoted(place)}'"


def failure(folder: Path, cause: sqlite3.Error, *, write: bool) -> LodehoundError:
    """Return the error for a database of a fleet that cannot be read or written."""
    error = write_error(folder, cause, go_on(folder)) if write else unreadable(folder, cause)
    if not isinstance(error, DamagedCrawlError):
        return error
    return damaged(folder, cause)


def damaged(folder: Path, what: object) -> SiteError:
    """Return the error for a list that is damaged, with the way out."""
    return SiteError(
        f"The list of the fleet in {str(folder)!r} is damaged ({what}): move its files "
        f"{FLEET}* elsewhere, then run 'lodehound fleet SITES.txt --out "
        f"{quoted(folder)}' again; its crawls go on."
    )
