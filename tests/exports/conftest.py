from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lodehound.exports import Notes, export, format_named
from lodehound.stores.catalogue.entries import Catalogue
from tests.exports.crawls import begin, fill

Export = Callable[..., Path]


@pytest.fixture(scope="session")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl directory with hostile finds. Nobody writes to it."""
    path = tmp_path_factory.mktemp("exports") / "crawl"
    with begin(path) as directory:
        fill(directory)
    return path


@pytest.fixture
def exported(crawled: Path, tmp_path: Path) -> Export:
    """Export the hostile crawl, or another; return where to."""

    def run(name: str, crawl: Path = crawled, *, to: str = "out") -> Path:
        with Catalogue(crawl) as catalogue:
            export(catalogue, format_named(name), str(tmp_path / to), notes=Notes())
        return tmp_path / to

    return run


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    begin(tmp_path / "empty").close()
    return tmp_path / "empty"
