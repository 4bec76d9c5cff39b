"""robots.txt by RFC 9309, whatever the server sends for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.live import Crawled, crawl, paths
from tests.servers import MIB
from tests.servers.hostile import RULES, HostileServer

ALL = {"/", *(f"/page/{n}" for n in range(1, 6)), *(f"/data/{n}.csv" for n in range(1, 6))}
ALLOWED = {"/", "/page/1", "/data/1.csv"}  # by ``RULES``; nothing else leads to the other pages
AGENTS = b"User-agent: lodehound\nDisallow: /page/3\n\nUser-agent: *\nDisallow: /\n"


def crawled(server: HostileServer, folder: Path, **changed: object) -> tuple[Crawled, set[str]]:
    """Crawl; return also what was asked for besides robots.txt and where it redirects to."""
    done = crawl(server.url, out=folder / "crawl", policy="bfs", **changed)
    return done, {path for path in paths(server.log) if "robots" not in path}


FREE = (None, "403", "html", "redirect-far")
RULED = ("utf16", "redirect", "huge", "huge-chunked")


@dataclass(frozen=True)
class Neighbours:
    """One crawl of many hosts, each with a robots.txt of its own."""

    done: Crawled
    servers: dict[str | None, HostileServer]

    def asked(self, robots: str | None) -> set[str]:
        return {path for path in paths(self.servers[robots].log) if "robots" not in path}


@pytest.fixture(scope="module")
def neighbours(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Neighbours]:
    with ExitStack() as stack:
        servers = {
            robots: stack.enter_context(HostileServer(robots=robots)) for robots in FREE + RULED
        }
        starts = [server.url for server in servers.values()]
        out = tmp_path_factory.mktemp("neighbours") / "crawl"
        yield Neighbours(crawl(*starts, out=out, policy="bfs"), servers)


@pytest.mark.parametrize("robots", FREE)
def test_no_rules_allow_everything(neighbours: Neighbours, robots: str | None) -> None:
    """A robots.txt that is not there, is no robots.txt, or is too many redirects away."""
    assert (neighbours.done.code, neighbours.asked(robots)) == (0, ALL)


@pytest.mark.parametrize("robots", RULED)
def test_rules_are_kept_however_they_come(neighbours: Neighbours, robots: str) -> None:
    """What is forbidden is never asked for, and the journal says why."""
    row = neighbours.done.rows[neighbours.servers[robots].url + "page/2"]
    assert (row.error, row.sent) == ("robots.txt disallows", 0)
    assert neighbours.asked(robots) == ALLOWED


@pytest.mark.parametrize("robots", ["huge", "huge-chunked"])
def test_a_gigabyte_of_rules_is_read_at_its_beginning(neighbours: Neighbours, robots: str) -> None:
    """500 KiB count, and little more is taken."""
    log = neighbours.servers[robots].log
    [sent] = [entry.sent for entry in log if entry.path == "/robots.txt"]
    assert sent < 8 * MIB


def test_the_longest_file_is_not_the_longest_robots_txt(tmp_path: Path) -> None:
    """--max-file is for pages and finds: rules behind that many bytes are kept to."""
    with HostileServer(robots=b"# we have a lot to say\n" * 100 + RULES) as server:
        done, asked = crawled(server, tmp_path, max_file=500)
    assert (done.code, asked) == (0, ALLOWED)


@pytest.mark.parametrize(("robots", "reason"), [("500", "status 500"), ("timeout", "timeout")])
def test_unreachable_rules_forbid_everything(tmp_path: Path, robots: str, reason: str) -> None:
    """Nothing but robots.txt is asked for; the exit code and the last line say so."""
    with HostileServer(robots=robots) as server:
        done, asked = crawled(server, tmp_path, read_timeout=0.2 if robots == "timeout" else 20)
        tries = len(server.log)
    assert (done.code, asked, tries) == (3, set(), 3)
    assert f"robots.txt unreachable: {reason}" in done.out


def test_rules_that_forbid_everything_leave_nothing_reachable(tmp_path: Path) -> None:
    """No page is asked for, and the user learns why."""
    with HostileServer(robots=b"User-agent: *\nDisallow: /\n") as server:
        done, asked = crawled(server, tmp_path)
    assert (done.code, asked) == (3, set())
    assert "robots.txt disallows" in done.out


def test_our_own_group_counts(tmp_path: Path) -> None:
    """We go by our name, and a group for us is the only one we keep to."""
    with HostileServer(robots=AGENTS) as server:
        done, asked = crawled(server, tmp_path)
        names = {entry.headers["user-agent"].partition("/")[0] for entry in server.log}
    assert names == {"lodehound"}
    assert (done.code, asked) == (0, ALLOWED | {"/page/2", "/data/2.csv"})


def test_rules_can_be_ignored_on_this_machine(tmp_path: Path) -> None:
    """Whose server it is, is clear there; robots.txt is not even asked for."""
    with HostileServer(robots=b"User-agent: *\nDisallow: /\n") as server:
        words = [server.url, "--ignore-robots"]
        done = crawl(*words, out=tmp_path / "crawl", policy="bfs")
        asked = [entry.path for entry in server.log]
    assert (done.code, set(asked)) == (0, ALL)


@pytest.mark.serial
def test_crawl_delay_is_kept(tmp_path: Path) -> None:
    """Five requests take four delays; one of them is granted to a server that was slow to look."""
    with HostileServer(robots=b"User-agent: *\nCrawl-delay: 0.3\n") as server:
        done, _ = crawled(server, tmp_path, requests=5)
        _, *times = [entry.time for entry in server.log]
    assert (done.code, len(times)) == (0, 5)
    assert times[-1] - times[0] >= 3 * 0.3


def test_crawl_delay_has_a_cap(tmp_path: Path) -> None:
    """Nobody keeps a crawl waiting for a day."""
    (tmp_path / "crawl.toml").write_text("max_crawl_delay = 0.1\n")
    with HostileServer(robots=b"User-agent: *\nCrawl-delay: 86400\n") as server:
        done, _ = crawled(server, tmp_path, requests=3, config=tmp_path / "crawl.toml")
        _, *times = [entry.time for entry in server.log]
    assert (done.code, len(times)) == (0, 3)
