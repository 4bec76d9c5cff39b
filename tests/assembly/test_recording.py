"""A recording: its state, its end, and the list of what it left out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lodehound.assembly.build import make_crawl
from lodehound.assembly.ending import Ending, Exit
from lodehound.assembly.past_rounds import resume_round
from lodehound.assembly.recording import end_recording, open_state, state_folder
from lodehound.config import CrawlConfig
from lodehound.core.errors import ConfigError, LodehoundError
from lodehound.stores.left_out import left_out
from tests.assembly.crawls import ROOT, config_of, go_on

DONE = Ending(Exit.FINISHED, "exhausted")


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "s.warc.gz"


def recording(out: Path, **options: Any) -> CrawlConfig:
    return config_of(record=str(out), **options)


def recorded(out: Path, ending: Ending = DONE, requests: int = 100, **options: Any) -> int:
    """Record the tiny site; return how many URLs were left out."""
    config = recording(out, **options)
    directory, begun = open_state(config)
    if requests:
        out.write_bytes(b"responses")
    go_on(make_crawl(config), directory, requests)
    assert not begun
    return end_recording(config, directory, ending)


# --- the beginning -------------------------------------------------------------------------------


def test_the_state_is_a_folder_beside_the_file(out: Path) -> None:
    assert state_folder(out) == out.with_name("s.warc.gz.crawl")
    directory, begun = open_state(recording(out))
    directory.close()
    assert (directory.path, begun) == (state_folder(out), False)


def test_a_recording_that_was_begun_goes_on(out: Path) -> None:
    open_state(recording(out))[0].close()
    out.write_bytes(b"responses")
    directory, begun = open_state(recording(out, delay=9.0))
    directory.close()
    assert begun
    assert CrawlConfig.from_json(directory.config).delay == 9.0


def test_only_a_new_warc_file_is_written(out: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"A recording is a .warc.gz: --out .*t\.warc\.gz\.$"):
        open_state(recording(tmp_path / "t.zip"))
    out.write_bytes(b"mine")
    with pytest.raises(ConfigError, match="is there already: remove it, or choose another name"):
        open_state(recording(out))
    assert not state_folder(out).exists()


# --- the end -------------------------------------------------------------------------------------


def test_a_whole_recording_leaves_the_file_alone(out: Path) -> None:
    assert recorded(out) == 0
    assert out.exists()
    assert not state_folder(out).exists()
    assert left_out(out) == frozenset()


def test_what_a_budget_did_not_reach_is_listed_and_the_state_stays(out: Path) -> None:
    """Of what is seen, only what the lab would take for part of the site is listed."""
    assert recorded(out, Ending(Exit.FINISHED, "requests"), 2) == 3
    assert left_out(out) == {ROOT + "gone", ROOT + "a.csv", ROOT + "b.csv"}
    assert state_folder(out).is_dir()


def test_what_the_users_options_keep_out_is_there_all_the_same(out: Path) -> None:
    assert recorded(out, exclude=("*/a.csv",), include=("*",), max_depth=1, under="/") == 2
    assert left_out(out) == {ROOT + "a.csv", ROOT + "b.csv"}


def test_what_was_fetched_later_is_taken_off_the_list(out: Path) -> None:
    recorded(out, Ending(Exit.FINISHED, "requests"), 2)
    config = recording(out)
    directory, begun = open_state(config)
    go_on(resume_round(config, directory), directory)
    assert begun
    assert end_recording(config, directory, DONE) == 0
    assert left_out(out) == frozenset()


@pytest.mark.parametrize(
    ("ending", "stays", "listed"),
    [
        (Ending(Exit.DISK_FULL, "disk full"), True, 0),
        (Ending(Exit.STOPPED, "user"), True, 3),
        (Ending(Exit.NOTHING_REACHABLE, "nothing reachable"), False, 0),
    ],
)
def test_the_state_stays_while_something_is_left_to_continue(
    out: Path, ending: Ending, stays: bool, listed: int
) -> None:
    recorded(out, ending, 2)
    assert (state_folder(out).exists(), len(left_out(out)), out.exists()) == (stays, listed, True)


def test_a_site_that_never_answered_leaves_no_file(out: Path) -> None:
    out_of_reach = Ending(Exit.NOTHING_REACHABLE, "nothing reachable")
    config = recording(out)
    directory, _ = open_state(config)
    out.touch()
    assert end_recording(config, directory, out_of_reach) == 0
    assert not out.exists()


def test_a_state_that_cannot_be_removed_is_named(
    out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "no")

    monkeypatch.setattr("shutil.rmtree", refuse)
    with pytest.raises(LodehoundError, match=r"crawl' cannot be written \(.*no"):
        recorded(out)
