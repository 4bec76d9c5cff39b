"""Begins a crawl in its directory, or continues the one that is there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from lodehound.assembly.resuming import next_command, used_by, used_so_far
from lodehound.config import CrawlConfig
from lodehound.core.errors import ConfigError
from lodehound.options import NOTHING_USED, OPTIONS, SECRETS
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.crawl_dir.facts import CrawlFacts
from lodehound.stores.database.crawl_database import CrawlDatabase
from lodehound.stores.errors import OccupiedError
from lodehound.stores.files.layout import DATABASE
from lodehound.stores.repair.damage import naming_damage
from lodehound.version import VERSION

# What was read when the crawl began, and may read otherwise now.
READ_ONCE = ("about_text", "weights_before")


def is_begun(folder: Path) -> bool:
    """Return whether a crawl was begun here; a process may have been killed before that."""
    if not (folder / DATABASE).is_file():
        return False
    with naming_damage(folder), CrawlDatabase(folder, write=False) as database:
        return bool(CrawlFacts(database).meta())


def used_in(folder: Path) -> Mapping[str, float]:
    """Return what the crawl in a folder has used of each budget; nothing if there is none."""
    if not is_begun(folder):
        return NOTHING_USED
    with CrawlDir.open(folder, write=False) as directory:
        return used_by(used_so_far(directory))


def begin(config: CrawlConfig, folder: Path) -> CrawlDir:
    """Make the directory of a new crawl.

    Raises:
        ConfigError: There is a crawl already; the message is the command that continues it.
    """
    try:
        return CrawlDir.create(folder, config=config.as_json(), version=VERSION)
    except OccupiedError as error:
        with CrawlDir.open(folder, write=False) as there:
            raise OccupiedError(folder, next_command(there, there.summary())) from error


def go_on(config: CrawlConfig, folder: Path) -> tuple[CrawlDir, CrawlConfig]:
    """Open the directory of a crawl to continue it, and return the config it has from now on.

    Raises:
        ConfigError: The crawl was begun with other options that decide what it follows.
    """
    directory = CrawlDir.open(folder)
    try:
        secrets = {name: getattr(config, name) for name in SECRETS}
        before = CrawlConfig.from_json(directory.config, **secrets)
        _refuse_other(config, before, folder)
        config = replace(config, **{name: getattr(before, name) for name in READ_ONCE})
        directory.keep_config(config.as_json())
    except BaseException:
        directory.close()
        raise
    return directory, config


def _refuse_other(config: CrawlConfig, before: CrawlConfig, folder: Path) -> None:
    deciding = [name for name, one in OPTIONS.items() if one.decides]
    other = [name for name in deciding if getattr(before, name) != getattr(config, name)]
    if other:
        was = ", ".join(f"{name} = {getattr(before, name)!r}" for name in other)
        places = [repr(place) for place in (config.record, str(folder)) if place]
        raise ConfigError(
            f"{places[0]} was begun with {was}: give the same again to continue it, "
            f"or remove {' and '.join(places)} to begin anew."
        )
