from __future__ import annotations

from pathlib import Path

import pytest

from tests.reports.crawls import crawl_office


@pytest.fixture(scope="session")
def office_crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl of a statistics office that spent its budget."""
    return crawl_office(tmp_path_factory.mktemp("office"))
