"""Protections that the crawl directory or fleet of somebody else switches off stay on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lodehound.sites.server import SiteServer
from lodehound.stores.records import Record
from tests.fleet import HASTE, listed
from tests.live import crawl_words, query
from tests.live.test_strangers import change_config, type_in, typed

PRIVATE = ["10.0.0.0/8", "intra"]
CASES: list[tuple[dict[str, Any], list[str]]] = [
    ({"insecure": True}, ["--insecure"]),
    ({"ignore_robots": True}, ["--ignore-robots"]),
    (
        {"ignore_robots": True, "yes_ignore_robots": True},
        ["--ignore-robots", "--yes-ignore-robots"],
    ),
    ({"allow_private": PRIVATE}, ["--allow-private", PRIVATE[0], "--allow-private", PRIVATE[1]]),
]


@pytest.fixture
def server() -> Iterator[SiteServer]:
    with SiteServer() as server:
        page = b"".join(b'<a href="/%d.csv">a</a>' % number for number in range(9))
        tables = [
            Record(f"{server.url}{n}.csv", 200, "text/csv", b"a,b\n%d,2\n" % n) for n in range(9)
        ]
        server.serve([Record(server.url, 200, "text/html", page), *tables])
        yield server


@pytest.mark.parametrize(("stored", "again"), CASES)
@pytest.mark.parametrize("command", ["resume", "update"])
def test_a_directory_switches_no_protection_off(
    tmp_path: Path, server: SiteServer, command: str, stored: dict[str, Any], again: list[str]
) -> None:
    """The command of the message works as it is typed."""
    type_in(tmp_path, *crawl_words(server.url, out=Path("finds"), requests=2))
    change_config(tmp_path / "finds", **stored)
    refused = type_in(tmp_path, command, "finds", "--requests", "4")
    words = typed(refused.err)
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert words == [command, "finds", "--requests", "4", *again]
    [[before]] = query(tmp_path / "finds", "SELECT count(*) FROM asks")
    done = type_in(tmp_path, *words)
    [[after]] = query(tmp_path / "finds", "SELECT count(*) FROM asks")
    assert (before, done.code, after > before) == (2, 0, True), done.err
    said = type_in(tmp_path, "status", "finds").out.splitlines()
    [line] = [line for line in said if line.startswith("next ")]
    assert line.split()[-len(again) :] == again


def test_protections_can_be_switched_on_again(tmp_path: Path, server: SiteServer) -> None:
    type_in(tmp_path, *crawl_words(server.url, out=Path("finds"), requests=2))
    change_config(tmp_path / "finds", insecure=True, ignore_robots=True, yes_ignore_robots=True)
    words = ["resume", "finds", "--requests", "+1", "--no-insecure", "--no-ignore-robots"]
    assert [type_in(tmp_path, *words).code, type_in(tmp_path, *words[:4]).code] == [0, 0]


def test_robots_txt_of_others_is_obeyed_unless_the_user_confirms(
    tmp_path: Path, server: SiteServer
) -> None:
    """One of the two options is not enough."""
    type_in(tmp_path, *crawl_words(server.url, out=Path("finds"), requests=2))
    change_config(tmp_path / "finds", ignore_robots=True, urls=["https://host.example/"])
    refused = type_in(tmp_path, "resume", "finds", "--requests", "+1", "--ignore-robots")
    assert (refused.code, "add --yes-ignore-robots" in refused.err) == (2, True)


def test_the_sites_of_a_fleet_switch_no_protection_off(tmp_path: Path, server: SiteServer) -> None:
    rows = ["url,insecure,allow_private", f"{server.url},true,10.0.0.0/8"]
    sites = listed(tmp_path, rows, "sites.csv")
    words = ["fleet", sites.name, "--out", "web", "--jobs", 1, "--requests-per-site", 2, *HASTE]
    assert type_in(tmp_path, *words).code == 0
    refused = type_in(tmp_path, "fleet", "update", "web")
    again = ["--allow-private", "10.0.0.0/8", "--insecure"]
    assert (refused.code, typed(refused.err)) == (2, ["fleet", "update", "web", *again])
    assert type_in(tmp_path, *typed(refused.err), "--jobs", 1).code == 0
