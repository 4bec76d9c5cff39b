"""Where a crawl may be led, and what it carries there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.live import Crawled, crawl, crawl_words, everything_in, paths, resume, run
from tests.live.resolving import MOVING, NAMES, PUBLIC
from tests.servers import Case
from tests.servers.hostile import HostileServer, redirect

RESOLVING = ("-m", "tests.live.resolving")
PRIVATE = sorted(NAMES.keys() - {"office.test"})


class Meeting:
    """A server that is named, and one next to it that it leads to."""

    def __init__(self) -> None:
        self.links: list[str] = []
        self.named = HostileServer(links=self.links)
        self.other = HostileServer()


@pytest.fixture
def meeting() -> Iterator[Meeting]:
    place = Meeting()
    with place.named, place.other:
        place.links += [
            f"/redirect-host?to={place.other.url}echo&status=307",
            place.other.url + "page/1",
        ]
        yield place


SECRETS = {
    "basic": ["--auth", "me:hush-hush"],
    "headers": ["--header", "authorization: Bearer hush", "--header", "X-Api-Key: hush"],
    "cookie": ["--header", "Cookie: session=hush"],
}
SENT = {"basic": "Basic bWU6aHVzaC1odXNo", "headers": "Bearer hush", "cookie": "session=hush"}


def tells(text: str) -> bool:
    return "hush" in text or "bWU6aHVzaC1odXNo" in text


@pytest.mark.parametrize("kind", SECRETS)
def test_credentials_go_where_they_were_meant_to(
    meeting: Meeting, tmp_path: Path, kind: str
) -> None:
    """To the host and port named, and to no other, by redirect or by link; nor to any file."""
    words = [meeting.named.url, "--warc", *SECRETS[kind], "--header", "Accept-Language: fr"]
    done = crawl(*words, out=tmp_path / "crawl", policy="bfs")
    named, other = meeting.named.log, meeting.other.log
    assert done.code == 0
    assert {"/echo", "/page/1", "/robots.txt"} <= {entry.path for entry in other}
    assert all(SENT[kind] in entry.headers.values() for entry in named)
    assert not any(tells(" ".join(entry.headers.values())) for entry in other)
    assert {entry.headers["accept-language"] for entry in other} == {"fr"}  # no secret
    assert not tells(everything_in(tmp_path).decode("latin-1") + done.said)


def test_credentials_are_asked_for_again(meeting: Meeting, tmp_path: Path) -> None:
    """They are not stored, so a crawl that had them is not continued without them."""
    out = tmp_path / "crawl"
    crawl(meeting.named.url, *SECRETS["basic"], out=out, requests=2)
    without = resume(out)
    assert (without.code, "--auth" in without.err) == (2, True)
    with_them = resume(out, *SECRETS["basic"], "--requests", "+2")
    assert with_them.code == 0
    assert not tells(everything_in(tmp_path).decode("latin-1") + with_them.said)


def test_a_proxy_gets_every_request_and_keeps_its_password(tmp_path: Path) -> None:
    """Also when it cannot be reached, and errors are written down."""
    place = "http://me:hush@127.0.0.1:9"
    done = crawl("http://office.test/", "--proxy", place, out=tmp_path / "crawl")
    assert done.code == 3
    assert not tells(everything_in(tmp_path).decode("latin-1") + done.said)


@pytest.fixture(scope="module")
def led_astray(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawled]:
    """A crawl of a site whose names lead into the network of whoever crawls."""
    links = [f"/redirect-host?to=http://{name}/redirected" for name in PRIVATE]
    links += [f"http://{name}/linked" for name in PRIVATE]
    with HostileServer(links=links) as server:
        url = server.url.replace("127.0.0.1", "office.test")
        out = tmp_path_factory.mktemp("astray") / "crawl"
        words = crawl_words(url, out=out, policy="bfs")
        yield run(*words, out=out, program=RESOLVING)


def test_a_site_by_name_is_crawled(led_astray: Crawled) -> None:
    """The host that was named may be on this machine."""
    assert (led_astray.code, led_astray.err, len(led_astray.finds)) == (0, "", 5)


@pytest.mark.parametrize("name", PRIVATE)
def test_private_addresses_are_refused_before_anything_is_sent(
    led_astray: Crawled, name: str
) -> None:
    """By link or by redirect, whatever kind of address; the journal says which."""
    assert "CONNECTED" not in led_astray.err
    row = led_astray.rows[f"http://{name}/linked"]
    assert row.error.startswith("robots.txt unreachable: private address")
    assert NAMES[name] in row.error
    assert f"http://{name}/redirected" in led_astray.rows


def moving_to(address: str) -> dict[str, str]:
    return os.environ | {"MOVING": address}


@pytest.mark.parametrize("command", ["resume", "update"])
def test_a_public_start_host_may_not_become_private(tmp_path: Path, command: str) -> None:
    """Whoever owns the name may let it lead into our network once the crawl has begun."""
    out = tmp_path / "crawl"
    with HostileServer() as server:
        url = server.url.replace("127.0.0.1", MOVING)
        words = crawl_words(url, out=out, policy="bfs", requests=3)
        begun = run(*words, out=out, program=RESOLVING, env=moving_to(PUBLIC))
        asked = len(server.log)
        again = [command, out, "--requests", "+3"]
        moved = run(*again, out=out, program=RESOLVING, env=moving_to("127.0.0.1"))
        refused = len(server.log)
        allowed = [*again, "--allow-private", MOVING]
        done = run(*allowed, out=out, program=RESOLVING, env=moving_to("127.0.0.1"))
        reached = len(server.log)
    assert (begun.code, asked > 3, refused) == (0, True, asked)
    assert f"{MOVING} leads to the private address 127.0.0.1, but led to a public" in moved.said
    assert (done.code, reached > refused) == (0, True)


def test_a_start_host_of_the_own_network_may_stay_there(tmp_path: Path) -> None:
    """Also when the crawl is continued, and when its name leads elsewhere in between."""
    out = tmp_path / "crawl"
    with HostileServer() as server:
        url = server.url.replace("127.0.0.1", MOVING)
        commands = [crawl_words(url, out=out, policy="bfs", requests=2)]
        commands += [["resume", out, "--requests", "+2"]] * 2
        places = ["127.0.0.1", PUBLIC, "127.0.0.1"]
        asked = [0]
        for words, place in zip(commands, places, strict=True):
            done = run(*words, out=out, program=RESOLVING, env=moving_to(place))
            assert (done.code, done.err) == (0, "")
            asked.append(len(server.log))
    assert asked == sorted(set(asked))


def test_private_addresses_can_be_allowed(tmp_path: Path) -> None:
    """By range: the other addresses stay forbidden."""
    links: list[str] = []
    with HostileServer(links=links) as server:
        url = server.url.replace("127.0.0.1", "office.test")
        links += [url.replace("office", name + ".office") for name in ("loopback", "private")]
        words = crawl_words(url, out=tmp_path / "crawl", policy="bfs", allow_private="127.0.0.0/8")
        done = run(*words, out=tmp_path / "crawl", program=RESOLVING)
        asked = paths(server.log)
    assert (done.code, asked.count("/data/5.csv")) == (0, 2)
    assert "CONNECTED" not in done.err


@pytest.mark.parametrize(
    ("place", "code"), [("http://private.office.test/x", 3), ("file:///etc/passwd", 0)]
)
def test_a_robots_txt_does_not_lead_astray_either(tmp_path: Path, place: str, code: int) -> None:
    """Nothing is connected to: no rules can be had, or there are none."""
    with HostileServer() as server:
        server.cases = {**server.cases, "/robots.txt": Case("", redirect(place))}
        url = server.url.replace("127.0.0.1", "office.test")
        words = crawl_words(url, out=tmp_path / "crawl")
        done = run(*words, out=tmp_path / "crawl", program=RESOLVING)
    assert (done.code, done.err) == (code, "")
