"""What the scope left out, in words, and the options that let it in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lodehound.assembly.build import make_crawl
from lodehound.assembly.ending import Ending, Exit
from lodehound.assembly.left_out_notes import with_left_out
from lodehound.assembly.resuming import FOLLOW, next_command
from lodehound.core.messages import Answer, Ask, Stop
from lodehound.stores.crawl_dir import CrawlDir
from tests.assembly.crawls import CSV, ROOT, begun, config_of, go_on

DONE = Ending(Exit.FINISHED, "exhausted")
PATTERN = "a pattern must match a whole URL, and * matches any text"
OTHER = "https://data.elsewhere.example/"
PAGE: dict[str, list[str] | bytes] = {
    "": ["data/a.csv", "data/b.html", "other/c.csv", OTHER + "d.csv", OTHER + "x"],
    "data/a.csv": CSV, "data/b.html": [], "other/c.csv": CSV,
}  # fmt: skip


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "c"


def ended(folder: Path, ending: Ending = DONE, **options: Any) -> tuple[Ending, str]:
    """Crawl to the end; return the end with what was left out, and the next command."""
    with begun(folder, **options) as directory:
        crawl = make_crawl(config_of(**options))
        go_on(crawl, directory, site=PAGE)
        assert crawl.next() == Stop("exhausted")
        done = with_left_out(ending, config_of(**options), crawl, directory)
        directory.keep_end(done.reason)
        command = next_command(directory, directory.summary())
        return done, command.replace(str(folder), "DIR")


@pytest.mark.parametrize(
    ("options", "why", "command"),
    [
        (
            {"include": ("data",)},
            f"--include data left out 3 links; {PATTERN}",
            "--include '*data*'",
        ),
        ({"include": ("no",)}, "--include no left out 3 links", ""),
        (
            {"include": ("a", "b", "html", "x.zip")},
            f"--include a b html left out 3 links; {PATTERN}",
            "--include '*a*' --include '*b*' --include '*html*'",
        ),
        ({"under": "/no/"}, "--under /no/ left out 3 links", ""),
        ({"exclude": ("*/*",)}, "--exclude '*/*' left out 3 links", ""),
        ({"max_depth": 0}, "--max-depth 0 left out 3 links", ""),
    ],
)
def test_a_crawl_whose_options_refuse_every_link_is_bad_input(
    place: Path, options: dict[str, Any], why: str, command: str
) -> None:
    done, words = ended(place, **options)
    assert (done.code, done.reason, done.detail) == (Exit.BAD_INPUT, "left out", why)
    usual = "--policy bfs", command, "--shortcuts off"
    assert words == " ".join(filter(None, [f"lodehound crawl {ROOT} --out DIR", *usual]))


def test_lists_of_hosts_stay_in_the_command(place: Path) -> None:
    """Without them, a crawl of the web has no end; what they say is not repeated."""
    with begun(place, allow_hosts=("s.example",), scope="web") as directory:
        config = config_of(allow_hosts=("s.example",), scope="web", exclude=(f"{ROOT}*",))
        crawl = make_crawl(config)
        go_on(crawl, directory, site=PAGE)
        done = with_left_out(DONE, config, crawl, directory)
        assert done.detail == (
            f"--exclude '{ROOT}*' left out 3 links; --allow-hosts FILE left out 2 links"
        )
        assert directory.facts.meta()[FOLLOW] == '{"exclude": []}'


@pytest.mark.parametrize(
    "ending", [Ending(Exit.STOPPED, "user"), Ending(Exit.UNREACHABLE, "unreachable")]
)
def test_a_crawl_that_did_not_finish_may_still_follow_them(place: Path, ending: Ending) -> None:
    assert ended(place, ending, include=("no",))[0] == ending


def test_a_budget_is_not_a_scope(place: Path) -> None:
    spent = Ending(Exit.FINISHED, "requests")
    assert ended(place, spent, include=("no",))[0].reason == "requests"


def test_further_rounds_and_recordings_say_nothing(place: Path) -> None:
    with begun(place) as directory:
        config = config_of(include=("no",))
        crawl = make_crawl(config)
        go_on(crawl, directory, site=PAGE)
        recording = config_of(include=("no",), record="s.warc.gz")
        assert with_left_out(DONE, recording, crawl, directory) == DONE
        directory.begin_round()
        assert with_left_out(DONE, config, crawl, directory) == DONE


def test_a_link_that_was_followed_or_a_find_is_enough(place: Path, tmp_path: Path) -> None:
    assert ended(place, include=("*/b.html",))[0].code == Exit.FINISHED
    with begun(tmp_path / "d") as directory:
        config = config_of(urls=(ROOT + "data/a.csv",), include=("no",))
        crawl = make_crawl(config)
        go_on(crawl, directory, site=PAGE)
        assert with_left_out(DONE, config, crawl, directory).code == Exit.FINISHED


@pytest.mark.parametrize(
    ("options", "words", "fetched"),
    [
        ({}, ["1 link to a file on other hosts: data.elsewhere.example"], f" {OTHER}d.csv"),
        (
            {"under": "/data/"},
            [
                "1 link to a file not under /data/ (--under)",
                "1 link to a file on other hosts: data.elsewhere.example",
            ],
            f" {OTHER}d.csv",
        ),
        (
            {"include": ("*/data/*",)},
            [
                "1 link to a file that match no pattern (--include)",
                "1 link to a file on other hosts: data.elsewhere.example",
            ],
            f" {OTHER}d.csv",
        ),
    ],
)
def test_links_to_files_are_counted_with_the_command_that_fetches_them(
    place: Path, options: dict[str, Any], words: list[str], fetched: str
) -> None:
    notes = ended(place, **options)[0].notes
    assert sorted(text for name, text in notes if name == "left out") == sorted(words)
    [command] = [text for name, text in notes if name == "fetched by"]
    assert command == (
        f"lodehound crawl {ROOT}{fetched} --out {place}-2 --policy bfs --shortcuts off"
    )


def test_options_that_let_the_files_in_stay(place: Path, tmp_path: Path) -> None:
    """The folder of the command is one that is not there yet."""
    (tmp_path / "c-2").mkdir()
    (tmp_path / "c-3").touch()
    notes = dict(ended(place, include=("*.csv",), under="/")[0].notes)
    assert notes["fetched by"] == (
        f"lodehound crawl {ROOT} {OTHER}d.csv --out {place}-4 --policy bfs "
        f"--include '*.csv' --under / --shortcuts off"
    )


def test_a_path_that_keeps_files_of_the_site_out_is_given_up(place: Path) -> None:
    """Although the files elsewhere are under a path of that name."""
    site: dict[str, list[str] | bytes] = {
        "": ["data/p", "c.csv", OTHER + "data/d.csv"],
        "data/p": [],
    }
    with begun(place, under="/data/") as directory:
        config = config_of(under="/data/")
        crawl = make_crawl(config)
        go_on(crawl, directory, site=site)
        notes = dict(with_left_out(DONE, config, crawl, directory).notes)
    assert "--under" not in notes["fetched by"]


def test_redirects_of_start_urls_follow_no_link(place: Path) -> None:
    """They are known, and are not what the options let in."""
    with begun(place) as directory:
        config = config_of(include=("no",))
        crawl = make_crawl(config)
        ask = crawl.next()
        assert isinstance(ask, Ask)
        directory.journal.asked(ask, crawl.choice_of(ask.number), ())
        answer = Answer(ask, 301, location=ROOT + "home")
        page = crawl.read(answer)
        directory.answered(answer, page, crawl.receive(answer, page), at=1.0, find=None)
        go_on(crawl, directory, site={"home": ["a.csv"]})
        assert with_left_out(DONE, config, crawl, directory).reason == "left out"


def test_files_too_far_from_the_start(place: Path) -> None:
    site: dict[str, list[str] | bytes] = {"": ["p"], "p": ["q"], "q": ["a.csv"]}
    with begun(place) as directory:
        config = config_of(max_depth=2)
        crawl = make_crawl(config)
        go_on(crawl, directory, site=site)
        notes = dict(with_left_out(DONE, config, crawl, directory).notes)
    assert notes["left out"] == "1 link to a file more than 2 links from the start (--max-depth)"
    assert "--max-depth" not in notes["fetched by"]


def test_the_largest_of_many_hosts_are_named(place: Path) -> None:
    hosts = [f"https://h{n}.elsewhere.example/" for n in range(5)]
    shown = [f"{host}{n}.csv" for at, host in enumerate(hosts) for n in range(at + 1)]
    with begun(place) as directory:
        crawl = make_crawl(config_of())
        go_on(crawl, directory, site={"": ["p", *shown], "p": []})
        notes = dict(with_left_out(DONE, config_of(), crawl, directory).notes)
    assert notes["left out"] == (
        "15 links to files on other hosts: h4.elsewhere.example, h3.elsewhere.example, "
        "h2.elsewhere.example and 2 more hosts"
    )
    assert notes["fetched by"].count("elsewhere.example/") == 3


@pytest.mark.parametrize(
    ("options", "noted"),
    [
        ({"want": "rdf"}, []),
        ({"urls": tuple(f"{ROOT}?{n}" for n in range(6))}, ["left out"]),
        ({"urls": tuple(f"{ROOT}?{n}" for n in range(5))}, ["left out", "fetched by"]),
    ],
)
def test_no_command_for_other_targets_and_long_lists_of_starts(
    place: Path, options: dict[str, Any], noted: list[str]
) -> None:
    site = {url.removeprefix(ROOT): PAGE[""] for url in options.get("urls", (ROOT,))}
    with begun(place, **options) as directory:
        crawl = make_crawl(config_of(**options))
        go_on(crawl, directory, site=site)
        done = with_left_out(DONE, config_of(**options), crawl, directory)
    assert [name for name, _ in done.notes] == noted


def test_the_directory_is_left_for_the_next_command(place: Path) -> None:
    ended(place, include=("no",))
    with CrawlDir.open(place, write=False) as directory:
        assert directory.ended == "left out"
