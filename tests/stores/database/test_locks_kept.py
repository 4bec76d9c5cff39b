"""SQLite's locks outlast every look at the files: they belong to a process, not to a descriptor."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from lodehound.stores.catalogue.entries import Catalogue
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.files.inside import check_inside
from lodehound.stores.files.layout import DATABASE
from lodehound.stores.log.crawl_reader import CrawlReader
from lodehound.stores.repair.damage import refuse_damaged

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="its locks are others")

# Another process asks for the lock that everybody holds who has the -shm in memory. Whoever gets it
# cuts the file off (https://sqlite.org/src/file/src/os_unix.c, the "deadman switch").
TRY = """
import fcntl, sys
with open(sys.argv[1], "r+b") as shm:
    try:
        fcntl.lockf(shm, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, 128)
    except OSError:
        sys.exit(1)
"""


def is_locked(folder: Path) -> bool:
    shm = folder / f"{DATABASE}-shm"
    return subprocess.run([sys.executable, "-c", TRY, str(shm)], check=False).returncode == 1


def test_whoever_looks_on_takes_no_lock_from_a_crawl(tmp_path: Path) -> None:
    """Otherwise a crawl that is watched in the workbench dies of SIGBUS."""
    folder = tmp_path / "c"
    with closing(CrawlDir.create(folder, config="{}", version="1")) as crawl:
        assert is_locked(folder)
        check_inside(folder, write=True)
        refuse_damaged(folder, thorough=True)
        for look in (Catalogue, CrawlReader):
            look(folder).close()
        CrawlDir.open(folder, write=False).close()
        assert is_locked(folder)
        assert crawl.facts.meta()["version"] == "1"
    with closing(CrawlDir.open(folder)):
        assert is_locked(folder)
