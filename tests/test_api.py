"""Crawling from a program: in a script, where an event loop runs already, and again."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, Literal, get_type_hints

import pytest

import lodehound
from lodehound import api
from lodehound.option_types import CrawlOptions, ResumeOptions, Texts, UpdateOptions
from lodehound.options import KINDS, OPTIONS
from lodehound.sites import StatsOffice
from lodehound.sites.server import SiteServer
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.records import Record
from tests.live import query

OFFICE = StatsOffice(pages=50, files=6, redirects=2)
FAST: dict[str, Any] = {"delay": 0, "backoff": 0.05, "inspect": False}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with SiteServer() as server:
        server.serve(StatsOffice(pages=50, files=6, redirects=2, host=server.url).records())
        yield server.url


def crawl(url: str, out: Path, **options: Any) -> list[lodehound.Find]:
    return list(lodehound.crawl(url, out=out, **{**FAST, **options}))


def test_every_find_is_on_disk_when_it_comes(url: str, tmp_path: Path) -> None:
    finds = []
    for find in lodehound.crawl(url, out=tmp_path / "c", **FAST):
        assert find.path.stat().st_size == find.bytes
        finds.append(find)

    assert len(finds) == OFFICE.files
    assert all(find.found_on.startswith(url) and find.why for find in finds)
    assert [find.name for find in finds] == [find.path.name for find in finds]  # none is a copy


def test_it_works_inside_a_running_event_loop(url: str, tmp_path: Path) -> None:
    """As a notebook's cells do, with and without async."""

    async def cells() -> tuple[int, int]:
        plain = len(crawl(url, tmp_path / "c"))
        run = lodehound.crawl(url, out=tmp_path / "d", **FAST)
        return plain, len([find async for find in run])

    assert asyncio.run(cells()) == (OFFICE.files, OFFICE.files)


def test_leaving_the_loop_ends_the_crawl_in_good_order(url: str, tmp_path: Path) -> None:
    """What was in flight is kept, and the directory is free for others."""
    run = lodehound.crawl(url, out=tmp_path / "c", concurrency=4, **FAST)
    for _ in run:
        break

    assert (run.running, run.ended) == (False, "user")
    with CrawlDir.open(run.directory) as left:
        asked = sum(type(event).__name__ == "Asked" for event in left.journal.events())
        answered = sum(type(event).__name__ == "Answered" for event in left.journal.events())
    assert asked == answered


def test_leaving_an_async_loop_stops_the_crawl_too(url: str, tmp_path: Path) -> None:
    async def cell() -> lodehound.CrawlRun:
        run = lodehound.crawl(url, out=tmp_path / "c", **FAST)
        finds = aiter(run)
        await anext(finds)
        await finds.aclose()  # type: ignore[attr-defined]
        return run

    assert asyncio.run(cell()).ended == "user"


def test_the_same_cell_again_continues_the_crawl(url: str, tmp_path: Path) -> None:
    """The finds that are there come first, then new ones; none twice."""
    whole = lodehound.crawl(url, out=tmp_path / "whole", concurrency=1, **FAST).wait()
    with CrawlDir.open(whole.directory, write=False) as directory:
        third = sorted(find.number for find in directory.finds)[2]
    cell = {"requests": third, "concurrency": 1}

    before = crawl(url, tmp_path / "c", **cell)
    assert len(before) == 3
    assert crawl(url, tmp_path / "c", **cell) == before
    more = crawl(url, tmp_path / "c", requests=500)
    assert more[:3] == before
    assert len({find.url for find in more}) == len(more) == OFFICE.files


def test_another_crawl_in_the_same_place_is_a_mistake(url: str, tmp_path: Path) -> None:
    crawl(url, tmp_path / "c", requests=3)
    with pytest.raises(lodehound.ConfigError, match="was begun with seed = 0: give the same again"):
        crawl(url, tmp_path / "c", requests=3, seed=7)


def test_resume_goes_on_with_another_budget(url: str, tmp_path: Path) -> None:
    run = lodehound.crawl(url, out=tmp_path / "c", requests=10, **FAST).wait()
    assert run.summary.requests == 10
    assert run.resume(requests="+10").wait().summary.requests == 20
    assert len(list(run.resume(requests=500))) == OFFICE.files


def test_n_more_is_more_than_was_used_in_the_same_place(url: str, tmp_path: Path) -> None:
    for more, made in (("+4", 4), ("+3", 7)):
        run = lodehound.crawl(url, out=tmp_path / "c", requests=more, **FAST).wait()
        assert run.summary.requests == made
    assert run.resume(time="+1h", requests="+2").wait().summary.requests == 9


def test_resume_goes_on_after_as_many_finds_as_wanted(url: str, tmp_path: Path) -> None:
    run = lodehound.crawl(url, out=tmp_path / "c", finds=2, **FAST).wait()
    assert (run.ended, run.summary.finds) == ("finds", 2)
    assert run.resume(finds=5).wait().summary.finds == 5


def test_two_crawls_at_once(url: str, tmp_path: Path) -> None:
    runs = [lodehound.crawl(url, out=tmp_path / name, **FAST) for name in "ab"]
    finds = [[find.url for find in run] for run in runs]
    assert [len(found) for found in finds] == [OFFICE.files, OFFICE.files]


def test_finds_as_a_table(url: str, tmp_path: Path) -> None:
    run = lodehound.crawl(url, out=tmp_path / "c", **FAST)
    finds = list(run)
    table = run.to_pandas()
    assert {field.name for field in fields(lodehound.Find)} <= {*table.columns}
    assert {"rows", "header", "publisher"} <= {*table.columns}
    assert sorted(table["path"]) == sorted(find.path for find in finds)


def test_a_crawl_on_disk_is_opened_again(url: str, tmp_path: Path) -> None:
    run = lodehound.crawl(url, out=tmp_path / "c", finds=3, **FAST)
    finds = list(run)
    crawl = lodehound.open(tmp_path / "c")
    assert list(crawl) == crawl.finds == finds
    assert (crawl.ended, crawl.summary) == (run.ended, run.summary)
    assert [answer.entry.find.url for answer in crawl.search(finds[0].url)][:1] == [finds[0].url]
    assert crawl.search(finds[0].url, type="parquet") == []
    assert crawl.explain(finds[0].url).url == finds[0].url
    assert crawl.report().read_text("utf-8").startswith("<!DOCTYPE html>")
    more = crawl.resume(finds="+2").wait()
    assert len(finds) < more.summary.finds
    assert lodehound.open(str(tmp_path / "c")).ended == more.ended


def test_a_folder_without_a_crawl_is_refused(tmp_path: Path) -> None:
    with pytest.raises(lodehound.ConfigError, match="There is no crawl"):
        lodehound.open(tmp_path)


def test_pandas_is_named_when_it_is_missing(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = lodehound.crawl(url, out=tmp_path / "c", requests=2, **FAST).wait()
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(lodehound.ConfigError, match="pip install pandas"):
        run.to_pandas()


def test_stop_does_not_wait_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A request that takes longer than the grace is given up, and asked for again later."""
    monkeypatch.setattr(api, "GRACE", 0.05)
    asked, held = threading.Event(), threading.Event()

    def slowly(_: str) -> Record:
        asked.set()
        held.wait(20)
        return Record("", 200, "text/html")

    with SiteServer() as server:
        server.serve(slowly)
        run = lodehound.crawl(server.url, out=tmp_path / "c", ignore_robots=True, **FAST)
        asked.wait()
        run.stop()
        held.set()
    assert (run.ended, run.summary.requests) == ("user", 0)
    with CrawlDir.open(run.directory) as left:
        events = {type(event).__name__ for event in left.journal.events()}
    assert ("Asked" in events, "Answered" in events) == (True, False)


def test_mistakes_are_config_errors(url: str, tmp_path: Path) -> None:
    with pytest.raises(lodehound.ConfigError, match="Did you mean 'sb-classifier'"):
        crawl(url, tmp_path / "c", policy="sb-clasifier")
    for name in ("contact", "user_agent"):
        with pytest.raises(lodehound.ConfigError, match=f"{name} .* has control characters"):
            crawl(url, tmp_path, **{name: "me\n"})
    with pytest.raises(lodehound.ConfigError, match="has seed=3, and --seed is 4: leave out one"):
        crawl(url, tmp_path / "c", policy="lodehound:seed=3", seed=4)
    with pytest.raises(lodehound.ConfigError, match="no option 'colour'"):
        crawl(url, tmp_path / "c", colour="red")
    with pytest.raises(lodehound.ConfigError, match=r"include = \{1\} .*: write texts"):
        crawl(url, tmp_path / "c", include={1})
    with pytest.raises(lodehound.ConfigError, match="There is no start URL"):
        lodehound.crawl(out=tmp_path / "c")
    assert not (tmp_path / "c").exists()


def test_nothing_reachable_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(lodehound.LodehoundError, match="nothing reachable"):
        crawl("http://127.0.0.1:1/", tmp_path / "c", retries=0)


def test_a_program_that_ends_stops_its_crawl(url: str, tmp_path: Path) -> None:
    """Nobody waits for the finds any more; the crawl ends in order, and the program at once."""
    program = f"import lodehound; lodehound.crawl({url!r}, out={str(tmp_path / 'c')!r}, delay=60)"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=50)
    with CrawlDir.open(tmp_path / "c") as left:
        assert left.ended == "user"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_forked_process_cannot_go_on_with_a_crawl(url: str, tmp_path: Path) -> None:
    """The thread of the crawl is not in it: it would wait for ever."""
    program = f"""if True:
        import os, lodehound
        crawl = lodehound.crawl({url!r}, out={str(tmp_path / "c")!r}, delay=60)
        waits = (crawl.wait, iter(crawl).__next__) if os.fork() == 0 else (os.wait,)
        for wait in waits:
            try:
                wait()
            except lodehound.LodehoundError as error:
                print(str(error).replace(f"process {{os.getppid()}}", "process N"))
        """
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=50)
    said = (
        f"The crawl in {str(tmp_path / 'c')!r} runs in process N, from which this one was forked: "
    )
    said += "wait for it there, or begin it after the fork.\n"
    assert done.stdout == said * 2


def test_ctrl_c_in_a_program_ends_the_crawl_in_order_and_says_where_it_is(
    url: str, tmp_path: Path
) -> None:
    """The program still sees the interrupt: only it knows what else there is to end."""
    out = tmp_path / "crawl"
    program = (
        f"import lodehound, os, signal, threading\n"
        # A shell starts what runs in the background with SIGINT ignored.
        f"signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        f"crawl = lodehound.crawl({url!r}, out={str(out)!r}, delay=60)\n"
        f"threading.Timer(0.5, os.kill, [os.getpid(), signal.SIGINT]).start()\n"
        f"for find in crawl: pass"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=50)
    *_, error, note = done.stderr.splitlines()
    assert error == "KeyboardInterrupt"
    assert f"or with: lodehound resume {out}" in note
    assert query(out, "SELECT value FROM meta WHERE key = 'ended'") == [("user",)]


def test_options_are_those_of_the_config() -> None:
    """Every option that is not internal is typed for programs, by the type of its field."""
    types = get_type_hints(CrawlOptions)

    assert set(types) == {n for n, one in OPTIONS.items() if not one.is_internal} - {"urls"}
    assert {name: accepted(name) for name in types} == types
    assert set(get_type_hints(ResumeOptions)) < set(types)
    assert set(get_type_hints(UpdateOptions)) < set(types)


def accepted(name: str) -> object:
    """Return the type that programs may give for an option."""
    kind, one = KINDS[name], OPTIONS[name]
    if kind == tuple[str, ...]:
        return Texts
    if one.choices:
        return Literal[one.choices]
    if one.value in {"FILE", "PROGRAM"} or name == "vectors":
        return str | Path
    return kind | str if one.unit or one.is_budget else kind


def test_an_update_that_cannot_begin_advises_to_begin_it_again(url: str, tmp_path: Path) -> None:
    """To resume the crawl would not update it."""
    run = lodehound.crawl(url, out=tmp_path / "c", requests=3, **FAST).wait()
    (tmp_path / "c" / "lock").unlink()
    (tmp_path / "c" / "lock").mkdir()
    with pytest.raises(lodehound.LodehoundError, match=r"then run 'lodehound update .*/c' again"):
        run.update()
