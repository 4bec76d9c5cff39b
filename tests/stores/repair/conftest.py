"""A crawl to damage: it has spent its budget, so that resume has something left to do."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from lodehound.sites import StatsOffice
from lodehound.stores.warc import write_warc
from tests.stores.repair.attacks import ROOT, run, with_log


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the recording of a site and a crawl of it, for all tests."""
    folder = tmp_path_factory.mktemp("whole")
    site = StatsOffice(pages=40, files=16, redirects=4, seed=3, host=ROOT)
    write_warc(folder / "site.warc.gz", site.records())
    words = ("--replica", folder / "site.warc.gz", "--requests", 40, "--quiet")
    done = run("crawl", *words, "--out", folder / "crawl")
    assert (done.code, done.err) == (0, "")
    with_log(folder / "crawl", folder / "logged")
    return folder


@pytest.fixture
def crawl(whole: Path, tmp_path: Path) -> Path:
    """A copy of it, to damage."""
    (tmp_path / "out").mkdir()
    return Path(shutil.copytree(whole / "crawl", tmp_path / "crawl"))


@pytest.fixture
def logged(whole: Path, tmp_path: Path) -> Path:
    """A copy of it as a killed process leaves it: with a write-ahead log."""
    return Path(shutil.copytree(whole / "logged", tmp_path / "crawl"))
