"""What a directory may name, and only its user may allow."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lodehound.assembly.trust import (
    UnknownTarget,
    joined_options,
    key_advice,
    named_again,
    named_options,
    notes_of_plug_ins,
    refuse_strange_record,
    refuse_unnamed,
    unnamed,
    without_plug_ins,
    written_options,
)
from lodehound.config import CrawlConfig
from lodehound.core.errors import ConfigError
from lodehound.core.messages import Page
from tests.assembly.crawls import ROOT, config_of

MINE = {"policy": "mine:Deep", "want": "mine:Tables", "shortcuts": "ckan,mine:Portal"}

ROBOTS = {"ignore_robots": True, "yes_ignore_robots": True}


def stored(**options: Any) -> CrawlConfig:
    """Return a config as it comes out of a directory: the user has named nothing."""
    return replace(config_of(**options), named=frozenset())


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({}, []),
        (MINE, ["policy", "want", "shortcuts"]),
        ({"browser": "/bin/chromium"}, ["browser"]),
        ({"browser": "/bin/chromium", "render": "never"}, []),
        ({"weights": "w.json"}, ["weights"]),
        ({"replica": "s.warc.gz"}, []),
        ({"replica": "s.warc.gz", "fallback": "live"}, ["replica"]),
        ({"allow_private": ("10.0.0.0/8",)}, ["allow_private"]),
        ({"insecure": True}, ["insecure"]),
        ({"yes_ignore_robots": True}, []),
        (
            {"ignore_robots": True, "yes_ignore_robots": True},
            ["ignore_robots", "yes_ignore_robots"],
        ),
    ],
)
def test_code_files_and_protections_are_the_users_to_allow(
    options: dict[str, Any], names: list[str]
) -> None:
    assert unnamed(stored(**options)) == names
    assert unnamed(config_of(**options)) == []  # the user typed them


def test_what_is_read_from_files_is_named_before_it_goes_to_a_store() -> None:
    config = stored(about=("a.txt",), like=("b.html",), replica="s.warc.gz", fallback="live")
    assert unnamed(config) == ["replica"]
    assert unnamed(config, uploads=True) == ["replica", "about", "like"]


def test_options_are_written_as_they_are_typed() -> None:
    config = stored(allow_private=("10.0.0.0/8", "::1"), insecure=True, replica="a b.warc.gz")
    assert written_options(config, ["allow_private", "insecure", "replica"]) == (
        "--allow-private 10.0.0.0/8 --allow-private ::1 --insecure --replica 'a b.warc.gz'"
    )
    assert joined_options([("want", "files"), ("block", False)]) == "--want files --no-block"


def test_the_message_says_what_to_type() -> None:
    refuse_unnamed(stored())
    config = stored(policy="mine:Deep")
    with pytest.raises(ConfigError, match=r"^The crawl uses code.*\(the same command\) --policy"):
        refuse_unnamed(config)
    with pytest.raises(ConfigError, match=r"^The crawl in 'here'.*type: lodehound resume --policy"):
        refuse_unnamed(config, "here", "lodehound resume")


def test_options_that_are_named_again() -> None:
    given = {"policy": None, "want": ["a", "b"], "insecure": False}
    assert named_options(given) == {("want", "a"), ("want", "b"), ("insecure", False)}


def test_a_config_remembers_what_was_named_again(tmp_path: Path, monkeypatch: Any) -> None:
    """A path may be given as it was typed or in full."""
    monkeypatch.chdir(tmp_path)
    whole = f"{tmp_path / 'a.warc.gz'}+{tmp_path / 'b.warc.gz'}"
    config = named_again(stored(replica=whole), {"replica": "a.warc.gz+b.warc.gz", "want": None})
    assert config.is_named("replica")
    assert not config.is_named("want")
    assert config.replica == whole
    with pytest.raises(ConfigError, match="was begun with --want files, not with --want rdf"):
        named_again(stored(), {"want": "rdf"})


def test_a_crawl_is_looked_at_without_its_plug_ins() -> None:
    config, target = without_plug_ins(stored(**MINE))
    assert (config.shortcuts, config.is_named("shortcuts")) == ("ckan", True)
    assert isinstance(target, UnknownTarget)
    assert not target.judge(Page(ROOT, "GET", 200, "text/csv")).found
    assert without_plug_ins(stored(shortcuts="mine:Portal"))[0].shortcuts == "off"
    assert without_plug_ins(config_of(**MINE)) == (config_of(**MINE), None)


def test_a_line_says_which_plug_ins_are_left_out() -> None:
    [note] = notes_of_plug_ins(stored(**MINE), {"want", "shortcuts"})
    assert note == (
        "this does without the target 'mine:Tables' and the shortcuts 'ckan,mine:Portal', which "
        "only the directory names: add --want mine:Tables --shortcuts ckan,mine:Portal to load it"
    )
    assert notes_of_plug_ins(stored(**MINE), {"want"}, addable=False)[0].endswith("names")
    assert notes_of_plug_ins(stored(**MINE), {"seed"}) == []
    assert notes_of_plug_ins(config_of(**MINE)) == []


# --- recordings ----------------------------------------------------------------------------------


def test_a_recording_is_the_file_beside_its_state(tmp_path: Path) -> None:
    folder = tmp_path / "s.warc.gz.crawl"
    refuse_strange_record(stored(record=str(tmp_path / "s.warc.gz")), folder)
    refuse_strange_record(stored(), folder)
    elsewhere = str(tmp_path / "x" / "s.warc.gz")
    refuse_strange_record(config_of(record=elsewhere), folder)
    for out in (elsewhere, str(tmp_path / "t.warc.gz")):
        with pytest.raises(ConfigError, match=f"go on with 'lodehound record {ROOT} --out "):
            refuse_strange_record(stored(record=out), folder)


def test_a_recording_is_neither_a_link_nor_its_own_state(tmp_path: Path) -> None:
    (tmp_path / "s.warc.gz").symlink_to(tmp_path / "other")
    with pytest.raises(ConfigError, match="which is not the file beside it"):
        refuse_strange_record(
            stored(record=str(tmp_path / "s.warc.gz")), tmp_path / "s.warc.gz.crawl"
        )
    with pytest.raises(ConfigError, match="which is not the file beside it"):
        refuse_strange_record(stored(record=str(tmp_path / "t")), tmp_path / "t")


@pytest.mark.parametrize(
    ("shortcut", "header"),
    [("ckan", "Authorization"), ("dataverse", "X-Dataverse-key"), ("mine:Portal", "Authorization")],
)
def test_a_key_is_given_in_the_header_of_its_api(shortcut: str, header: str) -> None:
    assert key_advice(shortcut) == f"give it with --header '{header}: KEY'"
