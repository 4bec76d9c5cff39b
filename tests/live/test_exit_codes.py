"""Exit codes are a contract: 2 is bad input, 3 nothing reachable, 5 a full disk."""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

from lodehound import Choice, Link, Outcome, Policy
from tests.live import Crawled, crawl, refusing, resume, run, run_many
from tests.servers import Knobs
from tests.servers.hostile import HostileServer

URL = "http://127.0.0.1:9/"  # nobody gets as far as to ask
# The command line where no file may be longer than the first word says.
LIMITED = (
    "import resource, sys; limit = int(sys.argv.pop(1)); "
    "resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)); from lodehound.cli import main; "
    "main()"
)

CONFIGS = {
    "misspelt": b"requets = 5",
    "mistyped": b'requests = "many"',
    "loud": b"quiet = 1",
    "broken": b"requests = ",
    "latin": b'contact = "Andr\xe9"',
    "deep": b"a = " + b"[" * 5000,
    "number": b"sites = 5",
    "one-url": b"[[site]]\nurl = 5",
}
FLOOR = {"site": "s", "policy": "bfs", "mean": 1, "spread": 0, "seeds": 0}
# What a user may get wrong, and what the one line of complaint has to say.
MISTAKES = {
    "no URL": ([], "no start URL"),
    "no web address": (["ftp://e.org/"], "'ftp://e.org/' is no web address"),
    "nonsense": (["http://"], "is no web address"),
    "a password in the URL": (["http://me:hush@e.org/"], "give it by --auth"),
    "policy": ([URL, "--policy", "sb-clasifier"], "Did you mean 'sb-classifier'?"),
    "policy for the lab": ([URL, "--policy", "omniscient"], "recorded site"),
    "its parameter": ([URL, "--policy", "sb-classifier:alfa=1"], "alpha"),
    "target": ([URL, "--want", "filez"], "Did you mean 'files'?"),
    "type": ([URL, "--want", "files:csw"], "Did you mean 'csv'?"),
    "size": ([URL, "--max-file", "big"], "'big' is no size"),
    "huge size": ([URL, "--bytes", "9" * 400], "is no size"),
    "time": ([URL, "--time", "soon"], "'soon' is no time"),
    "no requests": ([URL, "--requests", "0"], "requests is 0"),
    "no concurrency": ([URL, "--concurrency", "0"], "concurrency is 0"),
    "no patience": ([URL, "--read-timeout", "0"], "read_timeout is 0"),
    "delay": ([URL, "--delay", "nan"], "--delay 'nan' is not understood"),
    "seed": ([URL, "--seed", "-1"], "seed is -1"),
    "path": ([URL, "--under", "data"], "begin it with a slash"),
    "early stop": ([URL, "--early-stop", "soon"], "use off, auto or paper"),
    "header": ([URL, "--header", "hush"], "write Name: value"),
    "auth": ([URL, "--auth", "hush"], "write user:password"),
    "proxy": ([URL, "--proxy", "hush"], "write http://HOST:PORT"),
    "proxy in brackets": ([URL, "--proxy", "http://[::1"], "write http://HOST:PORT"),
    "proxy without a port": ([URL, "--proxy", "http://p:99999"], "write http://HOST:PORT"),
    "network": ([URL, "--allow-private", "10.0.0.0/99"], "neither a host nor a network"),
    "robots": (["http://e.org/", "--ignore-robots"], "add --yes-ignore-robots"),
    "no such option": ([URL, "--requets", "5"], "Did you mean '--requests'?"),
    "no such config": ([URL, "--config", "none.toml"], "cannot be read"),
    "misspelt": ([URL, "--config", "misspelt.toml"], "Did you mean 'requests'?"),
    "mistyped": ([URL, "--config", "mistyped.toml"], "requests = 'many' is not understood"),
    "loud": ([URL, "--config", "loud.toml"], "quiet = 1 is not understood: write true or false"),
    "broken": ([URL, "--config", "broken.toml"], "is no TOML"),
    "latin": ([URL, "--config", "latin.toml"], "cannot be read: it is no text in UTF-8"),
    "deep": ([URL, "--config", "deep.toml"], "cannot be read: it is nested too deeply"),
    "no end": ([URL, "--config", "/dev/zero"], "cannot be read: it is larger than 256 MiB"),
    "hosts in latin": ([URL, "--allow-hosts", "latin.toml"], "(it is no text in UTF-8)"),
    "host": ([URL, "--render-hosts", "a b"], "'a b' is no host"),
    "no recording": (["--replica", "/proc/self/mem"], "'/proc/self/mem' cannot be read: "),
    "long": (["x" * 5000], "is no web address: give http:// or https://.\n"),
    "folder": ([URL, "--out", "home"], "'home' is not empty"),
    "file": ([URL, "--out", "home/thesis.tex"], "is a file: choose a folder"),
    "store": ([URL, "--out", "s3://bucket/finds"], "is a URL: name a file or a folder"),
}
MISTAKES = {name: (["crawl", *words], said) for name, (words, said) in MISTAKES.items()} | {
    "nothing to resume": (["resume", "home"], "There is no crawl in"),
    "a store to look at": (["list", "s3://bucket/finds"], "'s3://bucket/finds' is a URL"),
    "a URL for a list": (["fleet", URL], " is a URL: write it in a file, and name the file.\n"),
    "a store to record in": (["record", URL, "--out", "s3://bucket/a.warc.gz"], "is a URL"),
    "nothing to look at": (["status", "home"], "There is no crawl in"),
    "sites that are none": (["fleet", "number.toml"], "begin each with [[site]]"),
    "a number for a site": (["fleet", "one-url.toml"], "(site 1: '5' is no web address"),
    "a race on nothing": (["race", "home/thesis.tex", "--policy", "bfs"], "no readable response"),
    "a text for no site": (["fleet", "sites.txt", "--about", "none"], "'none'"),
    "a header again": (["fleet", "resume", "none", "--header", "hush"], "write Name: value"),
    "a proxy again": (["fleet", "update", "none", "--proxy", "hush"], "write http://HOST:PORT"),
    "two races": (["race", "s", "--rounds", "--fleet"], "--rounds and --fleet are different races"),
    "a file for a round": (
        ["report", "home", "--round", "1", "--output", "r"],
        "leave out --output",
    ),
    "nothing to pin": (["gate", "--allow-regression"], "--allow-regression needs --update"),
    "floors to pin": (["gate", "--update", "--floors", "deep.json"], "it is nested too deeply"),
    "floors": (["gate", "--floors", "floors.json"], "Expected `int` >= 1"),
}


@pytest.fixture(scope="module")
def complaints(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Crawled]:
    """What is said of each mistake; all of them want the same new folder."""
    folder = tmp_path_factory.mktemp("mistakes")
    for name, text in CONFIGS.items():
        (folder / f"{name}.toml").write_bytes(text)
    (folder / "sites.txt").write_text(URL)
    (folder / "deep.json").write_text("[" * 5000)
    (folder / "floors.json").write_text(json.dumps([FLOOR]))
    (folder / "home").mkdir()
    (folder / "home" / "thesis.tex").write_text("chapter 1")
    commands = [words for words, _ in MISTAKES.values()]
    return dict(zip(MISTAKES, run_many(commands, folder), strict=True))


@pytest.mark.parametrize("mistake", MISTAKES)
def test_bad_input_is_two(complaints: dict[str, Crawled], mistake: str) -> None:
    """The complaint names the thing and the way out, no traceback, and repeats no secret."""
    done = complaints[mistake]
    assert (done.code, done.out) == (2, "")
    assert MISTAKES[mistake][1].format(done.path) in done.err
    assert "Traceback" not in done.err
    assert "hush" not in done.err
    assert done.err.count("\n") == 1
    assert len(done.err) < 2100


def test_bad_input_makes_nothing(complaints: dict[str, Crawled]) -> None:
    """No folder is made, and nobody's files become part of a crawl."""
    folder = complaints["no URL"].path
    left = {path.name for path in folder.rglob("*")}
    files = {"deep.json", "floors.json", "sites.txt", *(f"{name}.toml" for name in CONFIGS)}
    assert left == {"home", "thesis.tex", *files}


def test_bad_input_is_two_for_the_shell(tmp_path: Path) -> None:
    """The same as a process of its own."""
    done = run("crawl", "ftp://e.org/", cwd=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert done.err == ("lodehound: 'ftp://e.org/' is no web address: give http:// or https://.\n")


def test_a_name_that_is_none_is_three(tmp_path: Path) -> None:
    """The last line says that it is the name."""
    done = crawl("http://no-such-name.invalid/", out=tmp_path / "crawl")
    assert done.code == 3
    assert "nothing reachable: robots.txt unreachable: DNS: " in done.out


def test_a_refused_connection_is_three(tmp_path: Path) -> None:
    """The one line that a quiet crawl says tells what was tried."""
    with refusing() as url:
        done = crawl(url, "--quiet", out=tmp_path / "crawl")
    assert (done.code, done.out) == (3, "")
    assert done.err.startswith("lodehound: nothing reachable: ")
    assert "Connect call failed" in done.err
    assert "ssl" not in done.err


def test_a_start_that_leads_to_another_site_is_three(tmp_path: Path) -> None:
    """The last line says where it leads, so that the user can start there."""
    with HostileServer() as server:
        url = server.url + "redirect-host?to=https://moved.example/"
        done = crawl(url, "--quiet", out=tmp_path / "crawl")
    assert done.code == 3
    assert done.err == "lodehound: nothing reachable: status 302 to https://moved.example/\n"


class Stubborn(Policy):
    """A plug-in that asks for the same page again and again."""

    def __init__(self) -> None:
        self.links: list[Link] = []

    def choose(self, asleep: Collection[str]) -> Choice | None:
        return Choice(self.links[0])

    def learn(self, outcome: Outcome) -> None:
        self.links += outcome.links


def test_a_plug_in_that_breaks_its_contract_is_one(server: HostileServer, tmp_path: Path) -> None:
    """It is named, in one line; what was fetched before is kept."""
    policy = f"{__name__}:Stubborn"
    done = crawl(server.url, "--quiet", out=tmp_path / "crawl", policy=policy, concurrency=1)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("lodehound: a plug-in broke its contract: Stubborn chose ")
    assert done.err.count("\n") == 1


@pytest.fixture(scope="module")
def server() -> Iterator[HostileServer]:
    with HostileServer(links=["/big-file"], knobs=Knobs(big=600_000)) as server:
        yield server


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit of a file's size")
@pytest.mark.parametrize(
    ("limit", "advice"),
    [(1000, "try again, or choose another place"), (300_000, "lodehound resume")],
)
def test_a_full_disk_is_five(
    server: HostileServer, tmp_path: Path, limit: int, advice: str
) -> None:
    """There is no room for the crawl at all, or for one file of it."""
    words = ["crawl", server.url, "--out", tmp_path / "crawl", "--delay", 0, "--policy", "bfs"]
    done = run(*words, "--quiet", program=["-c", LIMITED, str(limit)])
    assert (done.code, done.out) == (5, "")
    assert "There is no space left in" in done.err
    assert advice in done.err


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit of a file's size")
def test_a_crawl_goes_on_when_there_is_room_again(server: HostileServer, tmp_path: Path) -> None:
    """What was being written is asked for once more, and nothing else."""
    out = tmp_path / "crawl"
    words = ["crawl", server.url, "--out", out, "--delay", 0, "--policy", "bfs"]
    full = run(*words, program=["-c", LIMITED, "300000"])
    assert "go on with" in full.out
    done = resume(out)
    assert (done.code, len(done.finds)) == (0, 6)
    assert not list(out.rglob(".lodehound-*"))
