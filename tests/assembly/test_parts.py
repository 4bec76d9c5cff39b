"""The smaller parts: replicas, shortcuts, topics, divided crawls, requests to stop."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from lodehound.assembly.divided import is_part, parts_of
from lodehound.assembly.replicas import check_replica, is_offline, replica_files, with_replica
from lodehound.assembly.running import StopRequest
from lodehound.assembly.shortcuts import lanes_with, reader_with, shortcuts_of, sitemaps_of
from lodehound.assembly.topic_files import keep_weights, with_topic
from lodehound.config import CrawlConfig
from lodehound.core.errors import ConfigError, SiteError
from lodehound.core.target import Target
from lodehound.policies.api_lane import ApiLane
from lodehound.policies.bfs import Bfs
from lodehound.shortcuts.reading import ShortcutReader
from lodehound.stores.records import Record
from lodehound.stores.topics import MAX_ABOUT
from lodehound.stores.warc import write_warc
from lodehound.targets.files import Files
from tests.assembly.crawls import ROOT, config_of
from tests.helpers import read_places
from tests.reports.crawls import page


class Words(Target):
    """A target that is no file."""

    inspected = False
    scope = "web"

    def judge(self, page: Any) -> Any:
        raise NotImplementedError


# --- replicas ------------------------------------------------------------------------------------


def test_a_crawl_of_a_replica_makes_no_request_unless_it_may_fall_back() -> None:
    assert is_offline(config_of(replica="s.warc.gz"))
    assert not is_offline(config_of(replica="s.warc.gz", fallback="live"))
    assert not is_offline(config_of())


def test_the_files_of_a_replica(tmp_path: Path) -> None:
    """A plus stands between them, unless it is in the name of the file that is there."""
    assert replica_files(config_of(replica="a+b")) == [Path("a"), Path("b")]
    (tmp_path / "a+b").touch()
    assert replica_files(config_of(replica=f"{tmp_path}/a+b")) == [tmp_path / "a+b"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"fallback": "live"}, "needs a replica to begin with"),
        ({"record": "r.warc.gz", "replica": "s.warc.gz"}, "leave --replica out"),
        (
            {"fallback": "live", "replica": "a.warc.gz+b.warc.zst"},
            r"Nothing can be added to 'b.warc.zst'.* --replica a.warc.gz\+b.warc.zst\+more.warc.gz",
        ),
    ],
)
def test_a_replica_that_cannot_be_used_is_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        check_replica(config_of(**options))


def test_a_replica_is_named_for_good(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_warc(tmp_path / "s.warc.gz", [page("first")])
    path = str(tmp_path / "s.warc.gz")
    config = with_replica(CrawlConfig.made_of({"replica": "s.warc.gz"}))
    assert (config.replica, config.urls) == (path, (ROOT + "first",))
    assert config.is_named("replica")
    assert with_replica(config_of(replica="s.warc.gz")).urls == (ROOT,)
    assert with_replica(config_of()) == config_of()


def test_a_file_for_what_is_fetched_may_be_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_warc(tmp_path / "s.warc.gz", [page("")])
    config = with_replica(config_of(replica="s.warc.gz+new.warc.gz", fallback="live"))
    assert config.replica == f"{tmp_path / 's.warc.gz'}+{tmp_path / 'new.warc.gz'}"
    alone = with_replica(config_of(replica="new.warc.gz", fallback="live"))
    assert (alone.replica, alone.urls) == (str(tmp_path / "new.warc.gz"), (ROOT,))
    for options in ({"replica": "s.warc.gz+new.warc.gz"}, {"replica": "new.warc.gz"}):
        with pytest.raises(SiteError, match="There is no recorded site"):
            with_replica(config_of(**options))


# --- shortcuts -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "target", "names"),
    [
        ({"shortcuts": "off"}, Files(), set()),
        ({"shortcuts": "ckan"}, Files(), {"ckan"}),
        ({"shortcuts": "ckan", "record": "r.warc.gz"}, Files(), set()),
        ({"shortcuts": "off", "sitemaps": True}, Files(), {"sitemap", "feed"}),
        ({"shortcuts": "ckan", "sitemaps": True}, Files(), {"ckan", "sitemap", "feed"}),
        ({"shortcuts": "auto"}, Words(), set()),
        ({"shortcuts": "auto", "sitemaps": True}, Words(), {"sitemap", "feed"}),
    ],
)
def test_the_shortcuts_of_a_crawl(options: dict[str, Any], target: Target, names: set[str]) -> None:
    assert shortcuts_of(config_of(**options), target).keys() == names


def test_a_crawl_for_files_or_for_descriptions_tries_all() -> None:
    every = shortcuts_of(config_of(shortcuts="auto"), Files())
    assert {"ckan", "sitemap", "stac"} <= every.keys()
    assert (
        shortcuts_of(config_of(shortcuts="auto", metadata_only=True), Words()).keys()
        == every.keys()
    )
    with pytest.raises(ConfigError, match="--shortcuts is off: leave one out"):
        shortcuts_of(config_of(shortcuts="off", metadata_only=True), Files())


@pytest.mark.parametrize(
    ("options", "target", "which"),
    [
        ({"shortcuts": "auto"}, Files(), "named"),
        ({"shortcuts": "off"}, Files(), "none"),
        ({"shortcuts": "auto"}, Words(), "none"),
        ({"shortcuts": "auto", "scope": "web"}, Files(), "none"),
        ({"shortcuts": "auto", "metadata_only": True}, Files(), "none"),
        ({"shortcuts": "ckan,sitemap"}, Files(), "usual"),
        ({"shortcuts": "off", "sitemaps": True}, Words(), "usual"),
    ],
)
def test_which_sitemaps_are_read(options: dict[str, Any], target: Target, which: str) -> None:
    assert sitemaps_of(config_of(**options), target) == which


def test_requests_to_apis_have_a_lane_and_a_reader_of_their_own() -> None:
    config = config_of(shortcuts="ckan", metadata_only=True)
    used = shortcuts_of(config, Files())
    lanes = lanes_with(Bfs(), used, config)
    [lane] = lanes._lanes
    assert isinstance(lane, ApiLane)
    reader = reader_with(read_places, used, config)
    assert isinstance(reader, ShortcutReader)
    assert (reader.named, reader.only) == (True, True)
    assert lanes_with(Bfs(), {}, config)._lanes == ()
    assert reader_with(read_places, {}, config) is read_places
    auto = reader_with(read_places, used, config_of(shortcuts="auto"))
    assert isinstance(auto, ShortcutReader)
    assert (auto.named, auto.only) == (False, False)


@pytest.mark.parametrize(
    ("options", "eager"),
    [
        ({"shortcuts": "sitemap,ckan"}, {"sitemap", "ckan"}),
        ({"shortcuts": "off", "sitemaps": True}, {"sitemap", "feed"}),
    ],
)
def test_shortcuts_that_the_user_names_come_first(options: dict[str, Any], eager: set[str]) -> None:
    config = config_of(**options)
    [lane] = lanes_with(Bfs(), shortcuts_of(config, Files()), config)._lanes
    assert isinstance(lane, ApiLane)
    assert set(lane.eager) == eager


# --- topics --------------------------------------------------------------------------------------


def no_fetch(_: CrawlConfig, pages: Sequence[str]) -> list[str]:
    raise AssertionError(pages)


def test_files_on_a_topic_are_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text("Birds.", encoding="utf-8")
    Path("b.html").write_text("<html><p>Nests.", encoding="utf-8")
    Path("w.json").write_text('{"weights": [1, 2.5]}')
    config = config_of(
        want="topic:birds", about=("a.txt",), like=("b.html", ROOT + "x"), weights="w.json",
        idf="idf.json", vectors="none",
    )  # fmt: skip
    read = with_topic(config, lambda _, pages: [f"text of {page}" for page in pages])
    assert read.about_text == f"Birds.\nNests.\ntext of {ROOT}x"
    assert json.loads(read.weights_before) == [1.0, 2.5]
    assert (read.weights, read.idf) == (str(tmp_path / "w.json"), str(tmp_path / "idf.json"))
    assert read.is_named("weights")


def test_without_a_topic_nothing_is_read() -> None:
    read = with_topic(config_of(vectors="none"), no_fetch)
    assert (read.about_text, read.weights_before, read.weights, read.idf) == ("", "", "", "")


def test_with_a_replica_examples_are_pages_of_it(tmp_path: Path) -> None:
    write_warc(tmp_path / "s.warc.gz", [Record(ROOT, 200, "text/html", b"<p>Eggs.")])
    config = config_of(replica=str(tmp_path / "s.warc.gz"), like=(ROOT,), vectors="none")
    assert with_topic(config, no_fetch).about_text == "Eggs."


def test_a_description_is_cut_and_weights_need_a_folder(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x" * MAX_ABOUT)
    config = config_of(about=(str(tmp_path / "a.txt"),), like=(ROOT,), vectors="none")
    assert len(with_topic(config, lambda *_: ["more"]).about_text) == MAX_ABOUT
    with pytest.raises(ConfigError, match="its folder is not there; make it first"):
        with_topic(config_of(weights=str(tmp_path / "no" / "w.json"), vectors="none"), no_fetch)
    fresh = config_of(weights=str(tmp_path / "new.json"), vectors="none")
    assert with_topic(fresh, no_fetch).weights_before == ""


def test_weights_are_kept_where_the_user_wants_them(tmp_path: Path) -> None:
    policy: Any = Bfs()
    keep_weights(config_of(), policy)
    keep_weights(config_of(weights=str(tmp_path / "none.json")), policy)
    policy.weights = (1.0, 2.0)
    keep_weights(config_of(weights=str(tmp_path / "w.json")), policy)
    kept = [
        json.loads((tmp_path / name).read_text())["weights"] for name in ("none.json", "w.json")
    ]
    assert kept == [[], [1.0, 2.0]]


# --- divided crawls ------------------------------------------------------------------------------


def urls(*names: str) -> tuple[str, ...]:
    return tuple(f"https://{name}.example/" for name in names)


def test_a_divided_crawl_has_all_start_urls_in_every_part() -> None:
    configs = [
        config_of(urls=urls("a", "b"), max_hosts=5),
        config_of(urls=urls("b", "c"), max_hosts=5),
    ]
    made = parts_of(configs, 3, {})
    assert {one.urls for one in made} == {urls("a", "b", "c")}
    assert [(one.part, one.max_hosts) for one in made] == [((0, 3), 2), ((1, 3), 2), ((2, 3), 1)]


def test_no_more_parts_than_hosts_and_as_many_as_there_are() -> None:
    assert len(parts_of([config_of(max_hosts=2)], 9, {})) == 2
    assert [one.max_hosts for one in parts_of([config_of()], 2, {})] == [None, None]
    assert len(parts_of([config_of()], 9, {"part 1 of 4": "x", "part 2 of 4": "y"})) == 2


@pytest.mark.parametrize(
    ("name", "flag"), [("requests", "--requests-per-site"), ("bytes", "--bytes")]
)
def test_a_budget_of_sites_cannot_be_divided(name: str, flag: str) -> None:
    with pytest.raises(ConfigError, match=f"^{flag} is for sites"):
        parts_of([config_of(**{name: 9})], 2, {})


def test_sites_with_options_of_their_own_are_not_one_crawl() -> None:
    with pytest.raises(ConfigError, match="the list is one crawl"):
        parts_of([config_of(), config_of(delay=9.0)], 2, {})


def test_a_part_has_no_address() -> None:
    assert is_part("part 1 of 3")
    assert not is_part(ROOT)


# --- stopping ------------------------------------------------------------------------------------


def test_a_request_to_stop_reaches_the_crawl_whenever_it_comes() -> None:
    halted: list[int] = []
    early = StopRequest()
    early.make()
    early.attach(lambda: halted.append(1))
    assert (early.made, halted) == (True, [1])
    late = StopRequest()
    late.attach(lambda: halted.append(2))
    assert (late.made, halted) == (False, [1])
    late.make()
    late.make()
    late.attach(None)
    late.make()  # the crawl has ended
    assert halted == [1, 2, 2]


def test_a_loop_that_has_just_ended_is_no_error() -> None:
    def closed() -> None:
        raise RuntimeError("Event loop is closed")

    stop = StopRequest()
    stop.attach(closed)
    stop.make()
    assert stop.made
