"""A fleet from start to end: all sites, whatever becomes of some of them or of a process."""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

from lodehound.assembly.fleet_setup import open_fleet
from lodehound.core.errors import NO_THREAD
from lodehound.drivers.fleet import local
from lodehound.drivers.fleet.host import HostOptions
from lodehound.drivers.fleet.local import LocalFleet
from lodehound.drivers.fleet.processes import CONTEXT, PRELOADED, SPAWN, prepare
from lodehound.stores.fleet import FleetStore, NewSite
from tests.fleet import HASTE, finds_of, listed, status, workers_of
from tests.fleet.web import SmallWeb, small_web
from tests.live import ENDLESS, interrupt, limited, refusing, run, run_many, start, wait_for

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs many loopback addresses")


@pytest.fixture
def web() -> Iterator[SmallWeb]:
    with small_web(sites=4, pages=12) as web:
        yield web


def test_a_worker_begins_with_everything_imported(tmp_path: Path) -> None:
    prepare()
    seen = tmp_path / "imported"
    code = f"import pathlib, sys; pathlib.Path({str(seen)!r}).write_text(' '.join(sys.modules))"
    process = CONTEXT.Process(target=exec, args=(code,))
    process.start()
    process.join()
    wanted = {PRELOADED, "lodehound.drivers.fleet.local", "lodehound.policies.lodehound"}
    assert wanted <= set(seen.read_text().split())


def test_without_a_place_for_its_socket_workers_start_without_the_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    refusal = mock.Mock(side_effect=OSError("AF_UNIX path too long"))
    monkeypatch.setattr("multiprocessing.forkserver.ensure_running", refusal)
    assert prepare() is SPAWN


def test_one_failing_site_stops_no_other(web: SmallWeb, tmp_path: Path) -> None:
    """A dead host, a broken plug-in and a site listed twice; all others are crawled to the end."""
    (tmp_path / "broken.py").write_text(
        "from lodehound.policies.bfs import Bfs\n"
        "class Broken(Bfs):\n"
        "    def learn(self, outcome):\n"
        "        if outcome.choice is not None:\n"
        "            raise ZeroDivisionError('my mistake')\n"
        "        super().learn(outcome)\n"
    )
    with refusing() as dead:
        rows = ["url,policy,requests", f"{dead},,", f"{web.url(0)},broken:Broken,"]
        rows += [f"{web.url(site)},," for site in (1, 2, 1)] + [f"{web.url(3)},,4"]
        sites = listed(tmp_path, rows, "sites.csv")
        path = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
        done = run("fleet", sites, "--out", tmp_path / "out", "--jobs", 1, *HASTE, env=path)
    failed = f"{web.host(0)}-{web.port}; see 'lodehound fleet status {tmp_path / 'out'}'"
    said = f"left out: 1 sites that the list names twice\nlodehound: failed: {failed}\n"
    assert (done.code, done.said) == (1, said)
    stood = {url: (one["state"], one["reason"]) for url, one in status(tmp_path / "out").items()}
    assert stood == {
        dead: ("failed", "nothing reachable"),
        web.url(0): ("failed", "ZeroDivisionError"),
        web.url(1): ("ended", "exhausted"),
        web.url(2): ("ended", "exhausted"),
        web.url(3): ("ended", "requests"),
    }
    found, wanted = finds_of(tmp_path / "out"), web.everything()
    for site in (1, 2):
        name = f"{web.host(site)}-{web.port}"
        assert found[name] == wanted[name]
    assert len(web.asked(web.host(3))) == 4
    # A site's directory is a crawl directory like any other.
    listing = run("list", tmp_path / "out" / "sites" / f"{web.host(1)}-{web.port}")
    assert len(listing.out.splitlines()) == web.finds()


def repeats(web: SmallWeb) -> int:
    counts = Counter((host, path) for host, path, _ in web.log if path != "/robots.txt")
    return sum(count - 1 for count in counts.values())


def test_killed_workers_and_parents_lose_nothing(web: SmallWeb, tmp_path: Path) -> None:
    """After kill -9 of a worker another goes on, after that of the parent the same command."""
    out = tmp_path / "out"
    words = ["fleet", listed(tmp_path, web.urls), "--out", out, "--jobs", 2, *HASTE]
    words[words.index("--delay") + 1] = 0.2
    with start(*words) as child:
        wait_for(lambda: len(web.asked()) > 8 and len(workers_of(out)) == 2)
        os.kill(workers_of(out)[0], signal.SIGKILL)
        before = len(web.asked())
        wait_for(lambda: len(web.asked()) > before + 12)
        child.kill()
        child.communicate(timeout=ENDLESS)
    done = run(*words)
    assert (done.code, done.said) == (0, "")
    assert finds_of(out) == web.everything()
    assert repeats(web) <= 2 * web.sites  # one request is in flight per site


def test_ctrl_c_stops_and_resume_goes_on(web: SmallWeb, tmp_path: Path) -> None:
    out = tmp_path / "out"
    sites = listed(tmp_path, web.urls)
    words = ["fleet", sites, "--out", out, "--jobs", 1, *HASTE]
    words[words.index("--delay") + 1] = 0.2
    with start(*words) as child:
        wait_for(lambda: len(web.asked()) > 8)
        interrupt(child)
        said, complained = child.communicate(timeout=ENDLESS)
    assert (child.returncode, said + complained) == (4, "")
    assert {one["state"] for one in status(out).values()} == {"waiting"}
    refused = run("resume", out)
    assert (refused.code, "lodehound fleet resume" in refused.err) == (2, True)
    done = run("fleet", "resume", out, "--jobs", 1, "--quiet")
    assert (done.code, done.said) == (0, "")
    assert finds_of(out) == web.everything()
    assert repeats(web) == 0


@pytest.mark.soak
def test_a_full_disk_ends_a_fleet_and_resume_goes_on(tmp_path: Path) -> None:
    """No file may grow beyond a size: one line, code 5, and no site has failed."""
    out = tmp_path / "out"
    with small_web(sites=1, pages=60) as web:
        words = ["fleet", listed(tmp_path, web.urls), "--out", out, "--jobs", 1, *HASTE]
        done = run(*words, preexec_fn=limited(resource.RLIMIT_FSIZE, 300_000))
        assert (done.code, done.out, done.err.count("\n")) == (5, "", 1)
        assert f"continue with 'lodehound fleet resume {out}'" in done.err
        done = run("fleet", "resume", out, "--jobs", 1, "--quiet")
        assert (done.code, done.said) == (0, "")
        assert finds_of(out) == web.everything()


def test_a_fleet_is_run_once_at_a_time(tmp_path: Path) -> None:
    with open_fleet(tmp_path / "out"):
        words = ["fleet", listed(tmp_path, ["http://127.0.0.1:9/"]), "--out", tmp_path / "out"]
        [refused] = run_many([words], tmp_path)
    assert refused.code == 2
    assert f"is being crawled by process {os.getpid()}" in refused.err


@pytest.mark.serial
def test_a_host_of_two_sites_is_asked_no_faster(web: SmallWeb, tmp_path: Path) -> None:
    """Two sites of a host in a fleet of two processes: one request per delay, as for one."""
    sites = listed(tmp_path, [web.url(0), web.url(0, "/page-3"), web.url(1)])
    options = ["--jobs", 2, "--delay", 0.4, "--no-inspect", "--quiet", "--requests-per-site", 4]
    done = run("fleet", sites, "--out", tmp_path / "out", *options)
    assert (done.code, done.said) == (0, "")
    assert len(web.asked(web.host(0))) == 8
    # As seen by a server that may get to run late itself.
    assert min(web.gaps().values()) >= 0.4 * 0.6


def test_a_shared_budget_is_spent_and_not_exceeded(web: SmallWeb, tmp_path: Path) -> None:
    """Every site gets its floor; a later run with more goes on."""
    out = tmp_path / "out"
    words = ["fleet", listed(tmp_path, web.urls), "--out", out, "--jobs", 1, *HASTE]
    done = run(*words, "--requests", 30)
    assert (done.code, done.said) == (0, "")
    assert len(web.asked()) == 30
    assert min(len(web.asked(web.host(site))) for site in range(web.sites)) >= 3
    assert {one["reason"] for one in status(out).values()} == {"requests"}
    done = run("fleet", "resume", out, "--jobs", 1, "--requests", 500, "--quiet")
    assert (done.code, done.said) == (0, "")
    assert finds_of(out) == web.everything()
    assert repeats(web) == 0


def test_n_more_requests_are_made(web: SmallWeb, tmp_path: Path) -> None:
    """+N is N more than were made: by the fleet, or by each site, on the command line or listed."""
    out, haste = tmp_path / "out", ("--jobs", 1, *HASTE)
    urls = listed(tmp_path, web.urls[:2])
    rows = ["url,requests", *(f"{url},+1" for url in web.urls[:2])]
    for words, made in [
        (("fleet", urls, "--out", out, *haste, "--requests-per-site", 3), 6),
        (("fleet", urls, "--out", out, *haste, "--requests-per-site", "+2"), 4),
        (("fleet", listed(tmp_path, rows, "sites.csv"), "--out", out, *haste), 2),
        (("fleet", urls, "--out", out, *haste, "--requests", "+3"), 3),
        (("fleet", "resume", out, "--jobs", 1, "--quiet", "--requests", "+5"), 5),
        (("fleet", "update", out, "--jobs", 1, "--quiet", "--requests", "+4"), 4),
    ]:
        web.log.clear()
        done = run(*words)
        assert (done.code, done.said, len(web.asked())) == (0, "", made), words


def test_n_more_of_what_is_no_budget_is_refused(tmp_path: Path) -> None:
    sites, out = listed(tmp_path, ["http://127.0.0.1:9/"]), tmp_path / "out"
    (tmp_path / "more.toml").write_text('concurrency = "+5"')
    commands = [
        ["fleet", sites, "--out", out, "--config", tmp_path / "more.toml"],
        ["fleet", sites, "--out", out, "--requests", "+"],
        ["fleet", sites, "--out", out, "--requests", "0"],
    ]
    for done in run_many(commands, tmp_path):
        assert (done.code, done.err.count("\n")) == (2, 1), done.err
        assert "+N" in done.err or "above 0" in done.err


def test_a_budget_smaller_than_the_list_is_not_exceeded(web: SmallWeb, tmp_path: Path) -> None:
    words = ["fleet", listed(tmp_path, web.urls), "--out", tmp_path / "out", "--jobs", 1, *HASTE]
    assert run(*words, "--requests", 2).code == 0
    assert len(web.asked()) == 2
    assert {one["reason"] for one in status(tmp_path / "out").values()} == {"requests"}


def test_an_update_spends_its_whole_budget(web: SmallWeb, tmp_path: Path) -> None:
    """What a site that has not ended made before does not count."""
    words = [tmp_path / "out", "--jobs", 1, "--quiet"]
    urls = listed(tmp_path, web.urls)
    assert run("fleet", urls, "--out", *words, *HASTE, "--requests-per-site", 4).code == 0
    with FleetStore(tmp_path / "out") as store:
        store._db.execute("UPDATE sites SET state = 'failed' WHERE number = 1")
    web.log.clear()
    assert run("fleet", "update", *words, "--requests", 6).code == 0
    assert len(web.asked()) == 6


def test_a_worker_is_known_by_the_name_under_which_it_lives(tmp_path: Path) -> None:
    """Otherwise the parent takes it for one that never began, and kills it after a minute."""
    with open_fleet(tmp_path) as store:
        fleet = LocalFleet(store, jobs=1, options=HostOptions(), secrets={})
        store.enlist([NewSite("s", "http://127.0.0.1:9/", '{"had_secrets": []}', 1)])
        worker = fleet._started()
        try:
            wait_for(store.beats)
            assert list(store.beats()) == [worker.name]
        finally:
            worker.process.kill()
            worker.process.join()


def test_a_worker_without_threads_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would otherwise die with a traceback, again and again."""
    ours, theirs = multiprocessing.Pipe(duplex=False)
    monkeypatch.setattr(local, "SiteHost", mock.Mock(side_effect=RuntimeError(NO_THREAD)))
    monkeypatch.setattr(signal, "signal", mock.Mock())
    local.work(
        folder=tmp_path, options=HostOptions(), secrets={}, name="one", reading=mock.Mock(),
        last_words=theirs,
    )  # fmt: skip
    assert ours.recv() == ("a worker of the fleet cannot go on: can't start new thread.", 1)


def test_a_fleet_whose_folder_was_moved_goes_on_under_its_new_name(
    web: SmallWeb, tmp_path: Path
) -> None:
    out, new = tmp_path / "out", tmp_path / "new"
    sites = listed(tmp_path, web.urls[:1])
    with start("fleet", sites, "--out", out, "--jobs", 1, *HASTE, "--delay", 0.05) as child:
        wait_for(lambda: len([*out.glob("sites/*/crawl.sqlite")]) == 1)
        out.rename(new)
        said = child.communicate(timeout=ENDLESS)[1]
    told = (
        f"lodehound: {str(out)!r} was moved or removed during the crawl, which has stopped: "
        "continue it with 'lodehound fleet resume' and the folder's new name.\n"
    )
    assert (child.returncode, said) == (2, told)
    assert run("fleet", "resume", new, "--jobs", 1, "--quiet").code == 0
    assert [*map(len, finds_of(new).values())] == [web.finds()]
