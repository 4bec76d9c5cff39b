"""A crawl as it was at any of its requests."""

from __future__ import annotations

from pathlib import Path

import pytest

from lodehound.assembly.rebuild import config_of, rebuild, scope_of
from lodehound.core.errors import ConfigError
from lodehound.core.messages import Ask
from tests.reports.crawls import crawl_nasty, opened


@pytest.mark.parametrize("number", [1, 2, 40, 149])
def test_up_to_a_request_it_would_make_that_request(office_crawl: Path, number: int) -> None:
    with opened(office_crawl) as (directory, look):
        crawl = rebuild(directory, until=number)
        row = look.one("SELECT url, method FROM asks WHERE number = ?", number)
    ask = crawl.next()

    assert row is not None
    assert isinstance(ask, Ask)
    assert (ask.number, ask.url, ask.method) == (number, row["url"], row["method"])


def test_a_recording_that_is_gone_is_asked_for(tmp_path: Path) -> None:
    folder = crawl_nasty(tmp_path)
    (tmp_path / "site.warc.gz").unlink()
    with opened(folder) as (directory, _), pytest.raises(ConfigError, match="put it back"):
        scope_of(config_of(directory))


def test_nobody_needs_the_secrets_to_look(tmp_path: Path) -> None:
    folder = crawl_nasty(tmp_path)
    with opened(folder) as (directory, _):
        directory.config = directory.config.replace('"had_secrets": []', '"had_secrets": ["auth"]')
        assert "auth" in directory.config
        assert config_of(directory).policy == "bfs"
