"""What is in a folder already: no crawl, a crawl that may be replaced, one of an older format."""

from __future__ import annotations

from pathlib import Path

from lodehound.core.errors import ConfigError
from lodehound.stores.catalogue.totals import summary_of
from lodehound.stores.crawl_dir.datasette import write_metadata
from lodehound.stores.crawl_dir.facts import CrawlFacts
from lodehound.stores.database.crawl_database import CrawlDatabase
from lodehound.stores.database.migrations import MIGRATIONS
from lodehound.stores.database.schema import FORMAT
from lodehound.stores.errors import DamagedCrawlError, OccupiedError, refuse_url, write_error
from lodehound.stores.files.layout import DATABASE, FILES, FLEET, JOURNAL, METADATA, OURS
from lodehound.stores.repair.damage import naming_damage
from lodehound.text.shell import quoted


def no_crawl(path: Path) -> ConfigError:
    """Return the error for a path that is no crawl directory, with the way out."""
    refuse_url(path)
    if path.exists() and not path.is_dir():
        return ConfigError(f"There is no crawl in {str(path)!r}: it is a file, give a folder.")
    if (path / FLEET).is_file():
        place = quoted(path)
        return ConfigError(
            f"{str(path)!r} is a fleet of crawls: use 'lodehound fleet resume {place}', "
            f"'lodehound fleet status {place}' and the like, or name one of its sites."
        )
    if path.is_dir() and _names_in(path) - OURS:
        return ConfigError(f"There is no crawl in {str(path)!r}: it contains no {DATABASE}.")
    place = quoted(path)
    return ConfigError(
        f"There is no crawl in {str(path)!r}: start one with 'lodehound crawl URL --out {place}'."
    )


def _names_in(path: Path) -> set[str]:
    return {entry.name for entry in path.iterdir()}


def refuse_occupied(path: Path) -> None:
    """Refuse a folder with a crawl or other files, except a crawl that never reached anything."""
    if not path.exists():
        return
    if not path.is_dir():
        raise ConfigError(f"{str(path)!r} is a file: choose a folder.")
    names = _names_in(path)
    strange = names - OURS or (FILES in names and any((path / FILES).iterdir()))
    if not strange and DATABASE not in names:
        return
    if DATABASE in names:
        meta, is_vain = _looked_at(path)
        if is_vain:
            return
        if meta.get("ended") == "exhausted":
            raise ConfigError(f"{str(path)!r} is a crawl that has ended: choose another folder.")
        if meta:
            raise OccupiedError(path, f"lodehound resume {quoted(path)}")
    if strange:
        raise ConfigError(f"{str(path)!r} is not empty: choose a new or empty folder.")


def _looked_at(path: Path) -> tuple[dict[str, str], bool]:
    """Return the metadata of a crawl, and whether it followed nothing."""
    with naming_damage(path), CrawlDatabase(path, write=False, as_it_is=True) as database:
        meta = CrawlFacts(database).meta()
        if meta.get("format") != str(FORMAT):
            return meta, False
        summary = summary_of(database.rows)
        is_vain = not summary.reached or meta.get("ended") == "left out"
        return meta, is_vain and not summary.finds


def clear(path: Path) -> None:
    """Remove the journal of a crawl that never reached anything; there are no files."""
    try:
        for name in JOURNAL:
            (path / name).unlink(missing_ok=True)
    except OSError as error:
        raise write_error(path, error) from error


def is_older(path: Path) -> bool:
    """Return whether a crawl directory is of an older format; refuse one we cannot read."""
    with naming_damage(path), CrawlDatabase(path, write=False, as_it_is=True) as database:
        meta = CrawlFacts(database).meta()
    if not meta and (path / METADATA).exists():
        raise DamagedCrawlError(path, "the table meta is missing or empty")
    if not meta:
        raise no_crawl(path)
    if not str(meta.get("format")).isdecimal():
        raise DamagedCrawlError(path, f"format is {meta.get('format')!r}")
    found, version = int(meta["format"]), meta["version"]
    about = f"{str(path)!r} was started by lodehound {version} in format {found}"
    if found > FORMAT:
        raise ConfigError(
            f"{about}, newer than this version's {FORMAT}: "
            f"update lodehound (pip install --upgrade lodehound)."
        )
    if any(step not in MIGRATIONS for step in range(found, FORMAT)):
        raise ConfigError(
            f"{about}, which this version no longer reads: "
            f"continue it with that version (pip install lodehound=={version})."
        )
    return found < FORMAT


def bring_up(path: Path, database: CrawlDatabase) -> None:
    for step in range(int(CrawlFacts(database).meta()["format"]), FORMAT):
        database.migrate(MIGRATIONS[step], step + 1)
    write_metadata(path)
