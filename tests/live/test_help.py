"""What the help says, what mistakes are answered with, and what a waiting crawl shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from lodehound.sites.server import SiteServer
from lodehound.text.counts import counted
from tests.live import Crawled, crawl, crawl_words, query, refusing, run, run_many
from tests.servers import Knobs
from tests.servers.hostile import HostileServer

URL = "http://127.0.0.1:9/"
COMMANDS = {
    "help": ["--help"],
    "crawl help": ["crawl", "--help"],
    "a URL": ["https://e.org/", "--requests", "5"],
    "a host": ["www.e.org"],
    "no scheme": ["crawl", "www.example.org/data"],
    "a port": ["crawl", "127.0.0.1:9/data"],
    "a type": ["crawl", URL, "--want", "csv"],
    "types": ["crawl", URL, "--want", "csv,xlsx"],
    "a misspelt type": ["crawl", URL, "--want", "cvs"],
    "a misspelt target": ["crawl", URL, "--want", "file"],
    "far option": ["crawl", URL, "--config", "far.toml"],
    "a host in a list": ["crawl", URL, "--from", "www.example.org"],
    "a misspelt option": ["crawl", URL, "--reqests", "5"],
    "a number in words": ["crawl", URL, "--requests", "ten"],
    "a delay in words": ["crawl", URL, "--delay=long"],
    "a time in words": ["crawl", URL, "--time", "long"],
    "a budget in words": ["crawl", URL, "--config", "words.toml"],
    "an option of another command": ["list", "finds", "--want", "csv"],
}
ANSWERS = {
    "a URL": "'https://e.org/' is no command. "
    "Did you mean: lodehound crawl https://e.org/ --requests 5",
    "a host": "'www.e.org' is no command. Did you mean: lodehound crawl https://www.e.org/",
    "a port": "'127.0.0.1:9/data' is no web address: did you mean http://127.0.0.1:9/data ?",
    "no scheme": "'www.example.org/data' is no web address: "
    "did you mean https://www.example.org/data ?",
    "a type": "There is no target 'csv'. Did you mean 'files:csv'?",
    "types": "There is no target 'csv,xlsx'. Did you mean 'files:csv,xlsx'?",
    "a misspelt type": "There is no target 'cvs'. Did you mean 'files:csv'?",
    "a misspelt target": "There is no target 'file'. Did you mean 'files'?",
    "a host in a list": "--from 'www.example.org' is no web address: "
    "did you mean https://www.example.org/ ?",
    "a misspelt option": "There is no option '--reqests'. Did you mean '--requests'?",
    "a number in words": "--requests 'ten' is not understood: "
    "write a whole number or none, for example 500.",
    "a delay in words": "--delay 'long' is not understood: write a finite number, for example 0.5.",
    "a time in words": "--time: 'long' is no time: write for example 90s, 15m or 2h.",
    "a budget in words": "requests = 'ten' is not understood: "
    "write a whole number or none, for example 500.",
}


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Crawled]:
    folder = tmp_path_factory.mktemp("help")
    (folder / "far.toml").write_text("zzz = 1")
    (folder / "words.toml").write_text("requests = 'ten'")
    return dict(zip(COMMANDS, run_many(list(COMMANDS.values()), folder), strict=True))


@pytest.fixture(scope="module")
def server() -> Iterator[HostileServer]:
    with HostileServer(knobs=Knobs(pages=1000)) as server:
        yield server


def test_the_help_begins_with_what_is_needed_first(said: dict[str, Crawled]) -> None:
    text = said["help"].out
    assert re.findall(r"^│ (\w+) ", text, re.MULTILINE)[:8] == [
        "crawl", "status", "resume", "update", "repair", "fleet", "search", "show",
    ]  # fmt: skip
    assert text.count(" lodehound crawl https://") + text.count(" lodehound resume ") == 3


def test_the_help_of_crawl_has_groups_and_defaults(said: dict[str, Crawled]) -> None:
    """And no types of Python."""
    text = said["crawl help"].out
    panels = [name.strip() for name in re.findall(r"^╭─ ([\w ]+) ─", text, re.MULTILINE)]
    assert panels == [
        "Arguments", "Options", "What to find", "Where to crawl", "Budgets", "Politeness",
        "Topics", "Network", "Pages that need JavaScript", "Output",
    ]  # fmt: skip
    assert not re.search(r"<|list\[|\bbool\b|\bstr\b", text)
    for default in ("(files)", "(1)", "(100MB)", "(1GiB)", "(20s)", "(finds)"):
        assert f"default: {default}" in " ".join(text.split())


@pytest.mark.parametrize("mistake", ANSWERS)
def test_a_mistake_is_answered_with_what_was_meant(said: dict[str, Crawled], mistake: str) -> None:
    done = said[mistake]
    assert (done.code, done.out) == (2, "")
    answer = re.sub(r" See '.* crawl -h'\.$", "", done.err, flags=re.MULTILINE)
    assert answer == f"lodehound: {ANSWERS[mistake]}\n"


def test_an_unknown_name_gets_a_short_list(said: dict[str, Crawled]) -> None:
    near = re.search(r"There is no option 'zzz'\. The nearest: (.*)\.", said["far option"].err)
    assert near
    assert len(near[1].split(", ")) == 5


def test_what_is_known_instead_of_an_option_are_options(said: dict[str, Crawled]) -> None:
    known = re.search(r"Known: (.*?)\.", said["an option of another command"].err)
    assert known
    assert all(name.startswith("--") for name in known[1].split(", "))


def test_a_config_may_name_start_urls_and_files_of_them(
    server: HostileServer, tmp_path: Path
) -> None:
    (tmp_path / "more.txt").write_text(f"{server.url}page/20\n")
    config = tmp_path / "crawl.toml"
    config.write_text(f'urls = ["{server.url}page/10"]\nfrom = "{tmp_path}/more.txt"\n')
    done = crawl("--config", config, out=tmp_path / "crawl", requests=2, policy="bfs")
    assert (done.code, set(done.rows)) == (0, {f"{server.url}page/{n}" for n in (10, 20)})


def test_https_on_a_port_that_speaks_http(tmp_path: Path) -> None:
    with SiteServer() as server:
        url = server.url.replace("http:", "https:")
        done = crawl(url, "--quiet", out=tmp_path / "crawl")
    assert done.code == 3
    assert "this port speaks http, not https: give the address with http://" in done.err


def test_a_crawl_of_a_dead_host_says_what_it_waits_for(tmp_path: Path) -> None:
    with refusing() as url:
        done = crawl(url, out=tmp_path / "crawl", backoff=0.2)
    host = url.split("/")[2]
    assert re.search(rf"s  waiting: {host} failed to answer; try 2 in \d s\n", done.out)


def test_a_crawl_of_a_silent_host_says_what_it_waits_for(tmp_path: Path) -> None:
    """Also before the first request has failed."""
    with HostileServer(robots="timeout") as server:
        words = crawl_words(server.url, out=tmp_path / "crawl", time="4s", read_timeout=4)
        done = run(*words, out=tmp_path / "crawl")
    host = server.url.split("/")[2]
    assert re.search(rf"s  waiting: {host} has not answered for \d s\n", done.out)


def test_status_says_where_a_crawl_stands_and_what_is_next(
    server: HostileServer, tmp_path: Path
) -> None:
    out = tmp_path / "crawl"
    crawl(server.url + "page/1", out=out, requests=4, policy="bfs", concurrency=1)
    lines = run("status", out).out.splitlines()
    [(known,)] = query(out, "SELECT 1 + sum(new_links) FROM answers")
    for line in (
        f"start       {server.url}page/1",
        "budget      4 requests",
        f"waiting     {counted(known - 4, 'link')}",
        "drought     0 requests since the last find",
        f"next        lodehound resume {out} --requests +4",
    ):
        assert line in lines
