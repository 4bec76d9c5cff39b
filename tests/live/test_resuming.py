"""Continuing a crawl with other budgets, by the command that it prints."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from lodehound.assembly.build import host_name
from tests.live import Crawled, crawl, crawl_words, query, refusing, resume, run, run_many
from tests.servers import Knobs
from tests.servers.hostile import HostileServer

# Ends after five requests: no slope of finds is above 1.
STRICT = "early-stop = 'paper'\nstop-nu = 5\nstop-kappa = 1\nstop-epsilon = 1.0\n"


@pytest.fixture(scope="module")
def server() -> Iterator[HostileServer]:
    with HostileServer(knobs=Knobs(pages=1000)) as server:
        yield server


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "my crawl"  # with a space: the hint must quote it


def begun(server: HostileServer, out: Path, *words: object, **options: object) -> Crawled:
    options = {"policy": "bfs", "concurrency": 1} | options
    return crawl(server.url, *words, out=out, **options)


def requests_of(out: Path) -> int:
    [(count,)] = query(out, "SELECT count(*) FROM answers")
    return int(count)


def hint(done: Crawled) -> list[str]:
    """Return the words of the command that a crawl prints at its end."""
    found = re.search(r"(?:go on with|Go on with:) +lodehound (.*)", done.out)
    assert found, done.out
    return shlex.split(found[1])


@pytest.mark.parametrize(
    ("budget", "option"),
    [
        (["--requests", 9], "--requests +9"),
        (["--finds", 3], "--finds +3"),
        (["--bytes", "1KB"], "--bytes +1KB"),
        (["--time", "1s"], "--time +1s"),
        (["--finds", 3, "--requests", 7], "--requests +7 --finds +3"),
    ],
)
def test_the_printed_command_continues_the_crawl(
    server: HostileServer, out: Path, budget: list[object], option: str
) -> None:
    done = begun(server, out, *budget)
    before = requests_of(out)
    assert hint(done) == ["resume", str(out), *option.split()]
    assert run(*hint(done)).code == 0
    assert requests_of(out) > before


def test_more_means_more_than_used(server: HostileServer, out: Path) -> None:
    """Whatever the budget was, and also if there was none."""
    begun(server, out, "--finds", 2)
    before = requests_of(out)
    resume(out, "--finds", "none", "--requests", "+5")
    assert requests_of(out) == before + 5
    resume(out, "--requests", 500, "--finds", "+3")
    assert query(out, "SELECT count(*) FROM finds") == query(out, "SELECT 2 + 2 + 3")


@pytest.mark.parametrize("words", [["--early-stop", "off"], []])
def test_early_stopping_is_no_end_for_good(
    server: HostileServer, out: Path, tmp_path: Path, words: list[str]
) -> None:
    """The rule is off, or it begins anew: what it said before does not end the resumed crawl."""
    (tmp_path / "strict.toml").write_text(STRICT)
    done = begun(server, out, "--config", tmp_path / "strict.toml")
    assert hint(done) == ["resume", str(out), "--early-stop", "off"]
    assert requests_of(out) == 5
    again = resume(out, "--requests", "+20", *words)
    assert requests_of(out) == (25 if words else 10)
    assert ("the budget of requests is spent" if words else "finds had become rare") in again.out


def test_nothing_to_do_is_said_in_one_line(server: HostileServer, out: Path) -> None:
    begun(server, out, "--requests", 9)
    spent = resume(out)
    assert (spent.code, spent.out.count("\n")) == (0, 1)
    assert spent.out.startswith("Nothing to do: the budget of requests is spent. Go on with: ")
    assert run(*hint(spent)).code == 0
    assert requests_of(out) == 18


def test_nothing_to_do_when_the_time_is_up(server: HostileServer, out: Path) -> None:
    """Although the last answer came before the end of the time."""
    begun(server, out, "--time", "1s", delay=0.3)
    before = requests_of(out)
    spent = resume(out, "--finds", "+3")
    assert spent.out.startswith("Nothing to do: the time is up. Go on with: ")
    assert hint(spent) == ["resume", str(out), "--time", "+1s", "--finds", "+3"]
    assert requests_of(out) == before


def test_nothing_to_do_proposes_a_command_with_the_options_given(
    server: HostileServer, out: Path
) -> None:
    begun(server, out, "--requests", 9)
    spent = resume(out, "--delay", 0.02, "--requests", 5)
    assert hint(spent) == ["resume", str(out), "--requests", "+5", "--delay", "0.02"]
    assert run(*hint(spent)).code == 0
    assert requests_of(out) == 14
    [(delay,)] = query(out, "SELECT value ->> 'delay' FROM meta WHERE key = 'config'")
    assert float(delay) == 0.02


def test_a_new_crawl_in_the_folder_of_another_names_the_command_that_continues_it(
    server: HostileServer, out: Path
) -> None:
    begun(server, out, "--requests", 9)
    refused = begun(server, out, "--requests", 9)
    assert refused.code == 2
    found = re.search(r"continue it with 'lodehound (.* --requests \+9)'", refused.err)
    assert found, refused.err
    assert run(*shlex.split(found[1])).code == 0
    assert requests_of(out) == 18


def test_a_folder_that_cannot_be_made_is_not_to_be_resumed(
    server: HostileServer, tmp_path: Path
) -> None:
    (tmp_path / "notes").write_text("mine")
    refused = begun(server, tmp_path / "notes" / "crawl")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.endswith("choose another place.\n")
    assert "resume" not in refused.err


def test_no_retries_are_none_for_robots_txt_too(out: Path) -> None:
    """And the end says which requests were made, although none of them counts."""
    with HostileServer(robots="500") as server:
        done = begun(server, out, retries=0)
    assert done.code == 3
    assert [entry.path for entry in server.log] == ["/robots.txt"]
    assert re.search(r"requests +0\n +not counted +1 request for robots.txt", done.out), done.out


def test_a_crawl_that_followed_every_link_is_over(out: Path) -> None:
    """Neither the summary nor resume nor a new crawl in its folder proposes to continue it."""
    with HostileServer(knobs=Knobs(pages=2)) as server:
        done = begun(server, out)
        again = resume(out, "--requests", "+5")
        anew = run(*crawl_words(server.url, out=out))
    assert "go on with" not in done.out
    assert (again.code, again.out) == (0, "Nothing to do: every link was followed.\n")
    assert (
        anew.err == f"lodehound: {str(out)!r} is a crawl that has ended: choose another folder.\n"
    )


def test_a_budget_that_is_none(server: HostileServer, out: Path, tmp_path: Path) -> None:
    begun(server, out, "--requests", 3)
    values = ["+", "+x", "+-3", "many"]
    for done in run_many([["resume", out, "--requests", value] for value in values], tmp_path):
        assert (done.code, done.out) == (2, "")
        assert "is not understood: write " in done.err
    assert requests_of(out) == 3


def test_delay_and_concurrency_may_change(server: HostileServer, out: Path) -> None:
    begun(server, out, "--requests", 3)
    assert resume(out, "--requests", "+2", "--delay", 0.01, "--concurrency", 3).code == 0
    [(config,)] = query(out, "SELECT value FROM meta WHERE key = 'config'")
    assert '"delay": 0.01, "concurrency": 3' in config


def test_a_crawl_that_reached_nothing_is_begun_again(server: HostileServer, out: Path) -> None:
    """In the same folder, by its hint, which keeps all options, or with the corrected address."""
    options = ["--requests", 7, "--time", 90.5, "--policy", "dfs", "--seed", 5, "--no-inspect"]
    patterns = ["--exclude", "*/data/*", "--exclude", "*.pdf", "--under", "/a b/", "--no-sitemaps"]
    with refusing() as url:
        dead = crawl(url, *options, *patterns, "--inspect-memory", "200MB", out=out)
        config = query(out, "SELECT value FROM meta WHERE key = 'config'")
        again = run(*hint(dead))
    assert dead.code == again.code == 3
    assert hint(again) == hint(dead)
    assert query(out, "SELECT value FROM meta WHERE key = 'config'") == config
    done = begun(server, out, "--requests", 5)
    assert (done.code, requests_of(out)) == (0, 5)
    refused = begun(server, out)
    assert refused.code == 2
    assert "is a crawl already: continue it with" in refused.err


def test_a_refused_seed_changes_nothing(server: HostileServer, out: Path) -> None:
    begun(server, out, "--requests", 3, policy="random:seed=3")
    refused = resume(out, "--seed", 9, "--requests", "+1")
    assert refused.code == 2
    assert "has seed=3, and --seed is 9: leave out one of them" in refused.err
    assert resume(out, "--requests", "+1").code == 0


def test_what_a_command_cannot_say_is_named(out: Path, tmp_path: Path) -> None:
    """Very many hosts that a file lists, and options that only a config file has."""
    (tmp_path / "hosts").write_text("".join(f"{number}.example.org\n" for number in range(99)))
    (tmp_path / "crawl.toml").write_text("stop_nu = 500\n")
    with refusing() as url:
        files = ["--block-hosts", tmp_path / "hosts", "--config", tmp_path / "crawl.toml"]
        words = hint(crawl(url, *files, out=out, retries=0))
    assert words[words.index("--block-hosts") + 1] == "FILE"
    assert words[-2:] == ["--config", "FILE"]


def test_the_hosts_of_a_list_stand_in_the_command(
    server: HostileServer, out: Path, tmp_path: Path
) -> None:
    """It works when it is typed: the crawl begins again, with the same hosts."""
    (tmp_path / "hosts").write_text("example.org\nhttps://b.example:81/\n127.0.0.1\n")
    list_of_hosts = ["--allow-hosts", tmp_path / "hosts"]
    with refusing() as url:
        words = hint(crawl(url, *list_of_hosts, out=out, retries=0, requests=3))
    before = stored_hosts(out)
    typed = [server.url if word == url else word for word in words]
    done = run(*typed)
    assert (done.code, done.err, len(before)) == (0, "", 3)
    assert stored_hosts(out) == before


def stored_hosts(out: Path) -> set[str]:
    [(text,)] = query(out, "SELECT value FROM meta WHERE key = 'config'")
    return {host_name(host) for host in json.loads(text)["allow_hosts"]}


def test_no_advice_to_start_a_crawl_where_none_can_be(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("chapter 1")
    folder, file = run("status", tmp_path), run("status", tmp_path / "thesis.tex")
    assert "it contains no crawl.sqlite" in folder.err
    assert "it is a file" in file.err


@pytest.mark.parametrize("command", ["resume", "update"])
def test_a_proxy_that_is_none_is_refused_before_anything_is_asked(
    server: HostileServer, out: Path, command: str
) -> None:
    begun(server, out, "--requests", 3)
    done = run(command, out, "--requests", "+3", "--proxy", "hush", out=out)
    assert (done.code, done.out) == (2, "")
    assert done.err == "lodehound: --proxy is not understood: write http://HOST:PORT.\n"
    assert requests_of(out) == 3
