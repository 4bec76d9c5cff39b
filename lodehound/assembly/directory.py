"""Begins a crawl in its directory, or continues the one that is there."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

from lodehound.assembly.resuming import next_command
from lodehound.config import SECRETS, CrawlConfig
from lodehound.core.errors import ConfigError
from lodehound.stores.crawl_dir import DATABASE, CrawlDir, Journal, OccupiedError
from lodehound.stores.crawl_dir.damage import naming_damage
from lodehound.version import VERSION

# What decides which links are followed, and in what order: with another value it would be another
# crawl. Politeness, limits and budgets may change; 'lodehound resume' also changes the policy.
DECIDING = (
    "urls", "want", "policy", "seed", "categories", "about", "like", "vectors", "idf", "scope",
    "per_host", "max_hosts", "allow_hosts", "block_hosts", "include", "exclude", "under",
    "max_depth", "block", "traps", "replica", "record", "part",
)  # fmt: skip
# What was read when the crawl began, and may read otherwise now.
READ_ONCE = ("about_text", "weights_before", "prior_weights")


def is_begun(folder: Path) -> bool:
    """Say whether a crawl was begun here; a process may have been killed before that."""
    if not (folder / DATABASE).is_file():
        return False
    with naming_damage(folder), closing(Journal(folder / DATABASE, write=False)) as journal:
        return bool(journal.meta())


def begin(config: CrawlConfig, folder: Path) -> CrawlDir:
    """Make the directory of a new crawl.

    Raises:
        ConfigError: There is a crawl already; the message is the command that continues it.
    """
    try:
        return CrawlDir.create(folder, config=config.as_json(), version=VERSION)
    except OccupiedError as error:
        with CrawlDir.open(folder, write=False) as there:
            raise OccupiedError(folder, next_command(there, there.journal.summary())) from error


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
    other = [name for name in DECIDING if getattr(before, name) != getattr(config, name)]
    if other:
        was = ", ".join(f"{name} = {getattr(before, name)!r}" for name in other)
        places = [repr(place) for place in (config.record, str(folder)) if place]
        raise ConfigError(
            f"{places[0]} was begun with {was}: give the same again to continue it, "
            f"or remove {' and '.join(places)} to begin anew."
        )
