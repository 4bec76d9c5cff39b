"""How a crawl is updated: a further round in the same directory."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lodehound.assembly.changes import with_changes
from lodehound.assembly.resuming import BUDGETS, flags
from lodehound.config import CrawlConfig
from lodehound.core.errors import ConfigError
from lodehound.stores.catalogue.totals import Summary
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.errors import DiskFullError, WriteError, write_error
from lodehound.text.shell import quoted

NOTHING_USED = Summary(0, 0, 0, 0.0, 0, statuses={}, errors={})


def updated_config(config: CrawlConfig, changes: Mapping[str, Any]) -> CrawlConfig:
    """Return the config of a further round: what is not said is as in the round before.

    Args:
        config: The config so far.
        changes: New values by option.

    Raises:
        ConfigError: The round cannot be run.
    """
    if config.record:
        raise ConfigError("A recording has no rounds: record the site again to another file.")
    return with_changes(config, changes, NOTHING_USED)


def inherited(config: CrawlConfig, changes: Mapping[str, Any]) -> str:
    """Return the budgets that a further round has because the one before had them, as typed.

    >>> inherited(CrawlConfig(requests=500, finds=3), {"finds": "+3"})
    '--requests 500'
    """
    names = [name for name in BUDGETS.values() if changes.get(name) is None]
    return " ".join(
        word for name in names if getattr(config, name) is not None for word in flags(config, name)
    )


@contextmanager
def before_round(folder: Path) -> Iterator[None]:
    """Advise to update again, not to resume, if a write fails before the round has begun."""
    try:
        yield
    except (WriteError, DiskFullError) as error:
        if not isinstance(error.cause, OSError | sqlite3.Error):
            raise
        again = f"run 'lodehound update {quoted(folder)}' again"
        raise write_error(folder, error.cause, again) from error


def begin_round(directory: CrawlDir, config: CrawlConfig) -> None:
    """Begin a further round in a crawl directory, and keep its config.

    Raises:
        ConfigError: No round before got an answer.
    """
    if not directory.summary().reached:
        place = quoted(directory.path)
        raise ConfigError(
            f"There is nothing to update in {str(directory.path)!r}: the crawl got no answer yet. "
            f"Go on with 'lodehound resume {place}'."
        )
    directory.keep_config(config.as_json())
    directory.begin_round()
