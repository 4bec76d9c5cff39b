"""A directory is taken over from a process that is frozen in the middle of a write."""

from __future__ import annotations

import contextlib
from pathlib import Path

from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.crawl_dir.errors import WriteError
from lodehound.stores.crawl_dir.lock import holder
from lodehound.stores.crawl_dir.seizing import seize


def test_what_the_former_holder_writes_is_seen_by_nobody(tmp_path: Path) -> None:
    """It keeps its lock and an open transaction; the new holder starts from what was committed."""
    old = CrawlDir.create(tmp_path / "c", config="{}", version="1")
    old.journal.share()
    old.keep_config('{"kept": 1}')
    old.journal.waited(())  # begins a transaction
    seize(tmp_path / "c")
    assert holder(tmp_path / "c") == ""
    with CrawlDir.open(tmp_path / "c") as new:
        assert new.config == '{"kept": 1}'
        new.journal.share()
        new.journal.waited(())
        with contextlib.suppress(WriteError):  # SQLite may notice
            old.keep_config('{"zombie": 1}')
        with contextlib.suppress(WriteError):
            old.close()
        new.keep_config('{"kept": 2}')
    with CrawlDir.open(tmp_path / "c", write=False) as seen:
        assert seen.config == '{"kept": 2}'
