"""A replica before the network, and what is kept of both: the clock is set by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from lodehound.core.lives import Life
from lodehound.core.messages import Method
from lodehound.drivers.live.fetch import Reply
from lodehound.drivers.live.recorded import ReplicaReplies
from lodehound.drivers.live.responses import ABSENT, Responses, Shelf
from lodehound.stores.left_out import change_left_out, left_out
from lodehound.stores.records import Damage
from lodehound.stores.replica import Replica
from lodehound.stores.warc import read_warc
from lodehound.stores.warc_append import WarcAppender
from tests.drivers.live.test_session import HTML, ROOT, World, page

BUSY = Reply(503, {"retry-after": "3000"})
DATA = Reply(200, {"content-type": "text/csv"}, b"a,b\n", 4)


def request(
    url: str, method: Method = "GET", *, side: bool = False, recorded: bool = False
) -> Life:
    return Life(1, url, method, "robots" if side else "page", recorded=recorded)


def replies(path: Path, web: dict[str, Reply], *, fallback: bool) -> ReplicaReplies:
    """Record a web; return the replica of it."""
    with WarcAppender(path) as warc:
        shelf = Shelf(warc)
        for url, reply in web.items():
            Responses([shelf]).keep(request(url), reply)
    return ReplicaReplies(Replica.open([path], may_be_empty=True), fallback=fallback)


# --- politeness -----------------------------------------------------------------------------------


def test_only_requests_that_go_out_wait(tmp_path: Path) -> None:
    """robots.txt, c and d are fetched, a second apart; the others come at once in between."""
    home = page("a", "b", "c", "d")
    replica = replies(
        tmp_path / "site.warc.gz",
        {ROOT: home, ROOT + "a": page(), ROOT + "b": BUSY},
        fallback=True,
    )
    world = World({ROOT: home, ROOT + "b": BUSY}, replica=replica).run()

    replica.replica.close()
    assert [(time, url.removeprefix(ROOT)) for time, url in world.sent] == [
        (0.0, "robots.txt"),
        (1.0, ""),
        (1.0, "a"),
        (1.0, "b"),
        (1.0, "c"),
        (2.0, "d"),
    ]
    assert world.session.tally.retries == 0


def test_without_a_fallback_nothing_waits(tmp_path: Path) -> None:
    replica = replies(tmp_path / "site.warc.gz", {ROOT: page("a", "b")}, fallback=False)
    world = World({ROOT: page("a", "b")}, replica=replica).run()

    replica.replica.close()
    assert [time for time, _ in world.sent] == [0.0] * 4
    assert world.urls == ["robots.txt", "", "a", "b"]


# --- replies -----------------------------------------------------------------------------------


def test_replies_are_those_of_the_recorded_server(tmp_path: Path) -> None:
    """By method and by what is wanted, as the network would; what is not there is a 404."""
    replica = replies(tmp_path / "site.warc.gz", {ROOT: DATA, ROOT + "b": BUSY}, fallback=False)
    headers = {"content-type": "text/csv", "content-length": "4"}
    with replica.replica:
        assert replica.reply(ROOT, method="GET", wanted=None) == Reply(200, headers, b"a,b\n", 4)
        assert replica.reply(ROOT, method="HEAD", wanted=None) == Reply(200, headers)
        cut = replica.reply(ROOT, method="GET", wanted=lambda status, _: status != 200)
        assert cut == Reply(200, headers, cut=True)
        assert replica.reply(ROOT + "b", method="GET", wanted=None).status == 503
        assert replica.reply(ROOT + "c", method="GET", wanted=None) is ABSENT
        assert replica.holds(ROOT + "c")
        assert not ReplicaReplies(replica.replica, fallback=True).holds(ROOT + "c")


# --- what is kept ------------------------------------------------------------------------------


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "site.warc.gz"


def kept(path: Path) -> list[str]:
    return [record.url.removeprefix(ROOT) for record in read_warc(path, Damage())]


def test_the_first_response_is_a_page(path: Path) -> None:
    """robots.txt and sitemaps wait for it; in a file that has one they do not."""
    with WarcAppender(path) as warc:
        responses = Responses([Shelf(warc)])
        for name, side in (("robots.txt", True), ("sitemap.xml", True), ("", False), ("m", True)):
            responses.keep(request(ROOT + name, side=side), DATA)

    assert kept(path) == ["", "robots.txt", "sitemap.xml", "m"]


@pytest.mark.parametrize(
    ("method", "reply", "side"),
    [
        ("HEAD", Reply(200, HTML), False),
        ("GET", Reply(0, error="timeout"), False),
        ("GET", ABSENT, False),
        ("GET", Reply(503), True),
        ("GET", Reply(429), True),
    ],
    ids=["no body", "no response", "nobody's", "robots.txt busy", "robots.txt too often"],
)
def test_what_a_reader_would_misunderstand_is_not_kept(
    path: Path, method: Method, reply: Reply, side: bool
) -> None:
    with WarcAppender(path) as warc:
        responses = Responses([Shelf(warc)])
        responses.keep(request(ROOT), DATA)
        responses.keep(request(ROOT + "x", method, side=side), reply)

    assert kept(path) == [""]


def test_a_replica_gets_what_it_did_not_have(path: Path) -> None:
    """Nothing twice; and what it has now is no longer left out."""
    change_left_out(path, add={ROOT + "new", ROOT + "far"})
    responses = Responses([Shelf(WarcAppender(path), recorded_too=False)])
    responses.keep(request(ROOT + "old", recorded=True), DATA)
    responses.keep(request(ROOT + "new"), DATA)
    responses.close()

    assert kept(path) == ["new"]
    assert left_out(path) == {ROOT + "far"}
    change_left_out(path, remove={ROOT + "far"})
    assert [file.name for file in path.parent.iterdir()] == ["site.warc.gz"]
