"""How a crawl is begun in its directory, continued with other options, and updated."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from lodehound.assembly.build import make_crawl
from lodehound.assembly.changes import with_changes
from lodehound.assembly.starting import begin, go_on, is_begun, used_in
from lodehound.assembly.updating import before_round, begin_round, updated_config
from lodehound.config import CrawlConfig
from lodehound.core.errors import ConfigError
from lodehound.options import NOTHING_USED
from lodehound.stores.catalogue.totals import Summary
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.errors import DiskFullError, OccupiedError, WriteError
from tests.assembly.crawls import ROOT, begun, config_of
from tests.assembly.crawls import go_on as drive

USED = Summary(7, 2, 500, 30.0, 5, statuses={}, errors={})


# --- a directory ---------------------------------------------------------------------------------


def test_a_crawl_is_begun_once_it_has_its_facts(tmp_path: Path) -> None:
    """A process may be killed between the file and what is in it."""
    assert not is_begun(tmp_path)
    sqlite3.connect(tmp_path / "crawl.sqlite").close()
    (tmp_path / "crawl.sqlite").touch()
    assert not is_begun(tmp_path)
    begin(config_of(), tmp_path / "c").close()
    assert is_begun(tmp_path / "c")


def test_what_a_crawl_in_a_folder_has_used(tmp_path: Path) -> None:
    assert used_in(tmp_path) == NOTHING_USED
    with begun(tmp_path / "c") as directory:
        drive(make_crawl(config_of()), directory, 2)
    assert used_in(tmp_path / "c")["requests"] == 2


def test_a_folder_with_a_crawl_names_the_command_that_continues_it(tmp_path: Path) -> None:
    with begin(config_of(), tmp_path / "c") as directory:
        drive(make_crawl(config_of()), directory, 2)
    with pytest.raises(OccupiedError, match=f"lodehound resume {tmp_path / 'c'}"):
        begin(config_of(), tmp_path / "c")


def test_a_crawl_goes_on_with_other_politeness_and_what_it_has_read(tmp_path: Path) -> None:
    first = config_of(delay=1.0, about_text="birds", weights_before="[1]")
    begin(first, tmp_path / "c").close()
    directory, config = go_on(config_of(delay=2.0, about_text="fish"), tmp_path / "c")
    with directory:
        assert (config.delay, config.about_text, config.weights_before) == (2.0, "birds", "[1]")
        assert CrawlConfig.from_json(directory.config).delay == 2.0


@pytest.mark.parametrize(
    ("options", "words"),
    [({"under": "/x/"}, "under = ''"), ({"seed": 5, "policy": "dfs"}, "policy = 'bfs', seed = 0")],
)
def test_a_crawl_does_not_go_on_as_another_crawl(
    tmp_path: Path, options: dict[str, Any], words: str
) -> None:
    folder = tmp_path / "c"
    begin(config_of(), folder).close()
    with pytest.raises(ConfigError) as caught:
        go_on(config_of(**options), folder)
    assert str(caught.value) == (
        f"'{folder}' was begun with {words}: give the same again to continue it, "
        f"or remove '{folder}' to begin anew."
    )
    CrawlDir.open(folder).close()  # the lock is free again


def test_of_a_recording_the_file_is_named_too(tmp_path: Path) -> None:
    begin(config_of(record="s.warc.gz"), tmp_path / "c").close()
    with pytest.raises(ConfigError, match=r"^'s.warc.gz' was begun .* remove 's.warc.gz' and '"):
        go_on(config_of(record="s.warc.gz", under="/x/"), tmp_path / "c")


def test_secrets_are_given_again(tmp_path: Path) -> None:
    begin(config_of(auth="me:hush"), tmp_path / "c").close()
    with pytest.raises(ConfigError, match="started with --auth, which is not stored"):
        go_on(config_of(), tmp_path / "c")
    directory, config = go_on(config_of(auth="me:hush"), tmp_path / "c")
    directory.close()
    assert config.auth == "me:hush"


# --- other options -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "value"),
    [({"requests": "+5"}, 12), ({"requests": "5"}, 5), ({"requests": "none"}, None)],
)
def test_a_budget_is_new_or_more_than_was_used(changes: dict[str, str], value: int | None) -> None:
    assert with_changes(config_of(requests=1), changes, USED).requests == value


def test_other_options_stay_and_what_is_typed_is_named() -> None:
    config = with_changes(config_of(delay=3.0), {"policy": "dfs"}, USED)
    assert (config.delay, config.policy, config.is_named("policy")) == (3.0, "dfs", True)
    assert config.urls == (ROOT,)


@pytest.mark.parametrize(
    ("before", "changes", "words"),
    [
        ({}, {"policy": "nobody"}, "nobody"),
        ({}, {"seed": 4, "policy": "random:seed=3"}, "leave out one of them"),
        ({}, {"early_stop": "auto"}, "needs a policy that estimates"),
        ({}, {"ignore_robots": True}, "--yes-ignore-robots"),
        ({"record": "s.warc.gz"}, {"policy": "dfs"}, "resume it without --policy, --seed"),
    ],
)
def test_changes_that_cannot_be_run_are_refused(
    before: dict[str, Any], changes: dict[str, Any], words: str
) -> None:
    with pytest.raises(ConfigError, match=words):
        with_changes(config_of(**before), changes, USED)


def test_a_recording_goes_on_with_other_politeness() -> None:
    assert with_changes(config_of(record="s.warc.gz"), {"delay": 9.0}, USED).delay == 9.0


# --- updates -------------------------------------------------------------------------------------


def test_a_round_has_used_nothing_of_its_budget() -> None:
    assert updated_config(config_of(), {"requests": "+5"}).requests == 5
    with pytest.raises(ConfigError, match="A recording has no rounds"):
        updated_config(config_of(record="s.warc.gz"), {})


def test_a_round_begins_where_there_was_an_answer(tmp_path: Path) -> None:
    with begun(tmp_path / "c") as directory:
        with pytest.raises(ConfigError, match=r"got no answer yet. Go on with 'lodehound resume"):
            begin_round(directory, config_of())
        assert len(directory.facts.rounds()) == 1
        drive(make_crawl(config_of()), directory, 1)
        begin_round(directory, config_of(delay=4.0))
        assert len(directory.facts.rounds()) == 2
        assert CrawlConfig.from_json(directory.config).delay == 4.0


def test_a_write_that_fails_before_the_round_advises_to_update_again(tmp_path: Path) -> None:
    again = f"run 'lodehound update {tmp_path}' again"
    with pytest.raises(WriteError, match=again), before_round(tmp_path):
        raise WriteError("first", PermissionError("no"))
    with pytest.raises(DiskFullError, match=again), before_round(tmp_path):
        raise DiskFullError(tmp_path, OSError(28, "full"), "resume")
    with pytest.raises(WriteError, match=r"^first$"), before_round(tmp_path):
        raise WriteError("first", ValueError("no"))  # not of the file system
