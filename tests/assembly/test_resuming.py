"""Whether a crawl can go on, and by which command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lodehound.assembly.build import make_crawl
from lodehound.assembly.resuming import (
    FOLLOW,
    again_with,
    crawl_command,
    next_command,
    nothing_to_do,
    update_command,
    used_by,
    used_so_far,
)
from lodehound.config import CrawlConfig
from lodehound.stores.crawl_dir import CrawlDir
from tests.assembly.crawls import ROOT, begun, config_of, go_on


def run(folder: Path, ended: str, made: int = 3, **options: Any) -> CrawlDir:
    """Make so many requests, and say that the crawl ended for this reason."""
    with begun(folder, **options) as directory:
        go_on(make_crawl(config_of(**options)), directory, made)
        directory.keep_end(ended)
    return CrawlDir.open(folder)


def refusal(directory: CrawlDir, changes: dict[str, Any] | None = None, **options: Any) -> str:
    """Return why the crawl cannot go on with these options."""
    used = used_so_far(directory)
    return nothing_to_do(config_of(**options), directory, used, changes or {})


# --- what was used -------------------------------------------------------------------------------


def test_what_was_used_of_each_budget(tmp_path: Path) -> None:
    with run(tmp_path / "c", "requests") as directory:
        used = used_by(used_so_far(directory))
    texts = ["list", "gone", "https://data.elsewhere.example/d.csv", "a.csv", "b.csv", "/"]
    size = sum(len(f'<p><a href="{to}">{to}</a></p>') for to in texts)
    assert used == {"requests": 3, "bytes": size + len("gone"), "time": 3.0, "finds": 0}


@pytest.mark.parametrize(("ended", "seconds"), [("seconds", 9.5), ("requests", 3.0), ("", 3.0)])
def test_time_that_was_up_is_used_up(tmp_path: Path, ended: str, seconds: float) -> None:
    """The last answer came a little earlier."""
    with run(tmp_path / "c", ended, time=9.5) as directory:
        assert used_so_far(directory).at == seconds


def test_without_a_limit_no_time_is_up(tmp_path: Path) -> None:
    with run(tmp_path / "c", "seconds") as directory:
        assert used_so_far(directory).at == 3.0


# --- nothing to do -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "more", "why"),
    [
        ({"requests": 3}, "--requests +3", "the budget of requests is spent"),
        ({"bytes": 10}, "--bytes +10", "the budget of volume is spent"),
        ({"time": 3.0}, "--time +3s", "the time is up"),
        ({"time": 2.5}, "--time +2.5", "the time is up"),
    ],
)
def test_a_budget_that_is_spent_is_named_with_the_way_out(
    tmp_path: Path, options: dict[str, Any], more: str, why: str
) -> None:
    with run(tmp_path / "c", "requests", **options) as directory:
        said = refusal(directory, **options)
    assert said == f"Nothing to do: {why}. Go on with: lodehound resume {tmp_path / 'c'} {more}"


def test_other_changes_stay_in_the_command_that_goes_on(tmp_path: Path) -> None:
    with run(tmp_path / "c", "requests", requests=3) as directory:
        said = refusal(directory, {"delay": 2.0, "requests": 3}, requests=3)
    assert said.endswith("--requests +3 --delay 2.0")


def test_a_crawl_that_can_go_on_has_something_to_do(tmp_path: Path) -> None:
    with run(tmp_path / "c", "requests", requests=3) as directory:
        assert refusal(directory, requests=4) == ""
        assert refusal(directory) == ""


def test_every_link_was_followed(tmp_path: Path) -> None:
    with run(tmp_path / "c", "exhausted", 9) as directory:
        assert refusal(directory) == "Nothing to do: every link was followed."


def test_a_crawl_that_left_everything_out_begins_again(tmp_path: Path) -> None:
    with run(tmp_path / "c", "left out", include=("x",)) as directory:
        said = refusal(directory, include=("x",))
        command = next_command(directory, directory.summary())
    begin = "Nothing to do: no link was followed. Begin again with: lodehound crawl"
    assert said.startswith(begin)
    assert said.endswith(command)


# --- commands ------------------------------------------------------------------------------------


def command(directory: CrawlDir) -> str:
    return next_command(directory, directory.summary()).replace(str(directory.path), "DIR")


@pytest.mark.parametrize(
    ("ended", "options", "words"),
    [
        ("exhausted", {}, ""),
        ("", {}, "lodehound resume DIR"),
        ("user", {}, "lodehound resume DIR"),
        ("early-stop", {"early_stop": "paper"}, "lodehound resume DIR --early-stop off"),
        ("requests", {"requests": 3}, "lodehound resume DIR --requests +3"),
        ("finds", {"finds": 7}, "lodehound resume DIR --finds +7"),
        ("finds", {}, "lodehound resume DIR"),
        ("", {"insecure": True}, "lodehound resume DIR --insecure"),
    ],
)
def test_the_next_command_goes_on(
    tmp_path: Path, ended: str, options: dict[str, Any], words: str
) -> None:
    with run(tmp_path / "c", ended, **options) as directory:
        assert command(directory) == words


def test_where_nothing_was_reached_the_crawl_begins_again(tmp_path: Path) -> None:
    with run(tmp_path / "c", "nothing reachable", want="files:csv") as directory:
        assert command(directory) == (
            f"lodehound crawl {ROOT} --out DIR --want files:csv --policy bfs --shortcuts off"
        )
        directory.begin_round()
        directory.keep_end("nothing reachable")
        assert command(directory) == "lodehound update DIR"


def test_the_budget_of_a_round_is_its_own(tmp_path: Path) -> None:
    """A further round has spent nothing, whatever the rounds before have."""
    with run(tmp_path / "c", "requests", requests=3) as directory:
        directory.begin_round()
        directory.keep_end("user")
        assert command(directory) == "lodehound resume DIR"


@pytest.mark.parametrize(
    ("kept", "flags"),
    [
        ('{"include": ["*x*", "y"]}', "--include '*x*' --include y"),
        ('{"under": "/z/", "max_depth": 4}', "--include no --under /z/ --max-depth 4"),
        ('{"include": [], "max_depth": null}', ""),
        ('{"include": 5}', "--include no"),
        ("no json", "--include no"),
        ("[" * 100_000, "--include no"),
        ("[]", "--include no"),
    ],
)
def test_what_would_follow_is_read_from_the_directory(
    tmp_path: Path, kept: str, flags: str
) -> None:
    """Damage is no reason to fail: then the command is that of the crawl."""
    with run(tmp_path / "c", "left out", include=("no",)) as directory:
        directory.facts.change_meta(FOLLOW, kept)
        words = command(directory)
    before = f"lodehound crawl {ROOT} --out DIR --policy bfs"
    assert words == " ".join(filter(None, [before, flags, "--shortcuts off"]))


def test_a_command_names_every_option_that_is_not_the_default(tmp_path: Path) -> None:
    options: dict[str, Any] = {
        "seed": 3, "block": False, "include": ("a b", "c"), "time": 90.0, "bytes": 2_000_000,
        "delay": 0.5, "allow_hosts": ("x.example",), "stop_nu": 9,
    }  # fmt: skip
    with begun(tmp_path / "-c", **options, auth="me:secret", proxy="http://p:1") as directory:
        words = crawl_command(CrawlConfig.without_secrets(directory.config), directory, Path("-d"))
    assert words == (
        f"lodehound crawl {ROOT} --out ./-d --policy bfs --seed 3 --allow-hosts http://x.example "
        f"--include 'a b' --include c --shortcuts off --no-block --bytes 2MB --time 90s "
        f"--delay 0.5 --config FILE --auth USER:PASSWORD --proxy URL"
    )


def test_commands_ask_for_secrets_and_name_what_the_user_must(tmp_path: Path) -> None:
    with begun(tmp_path / "c", auth="me:secret", policy="mine:Deep") as directory:
        place = f"{tmp_path / 'c'}"
        assert update_command(directory) == (
            f"lodehound update {place} --policy mine:Deep --auth USER:PASSWORD"
        )
        assert again_with("resume", directory, {"seed": 1, "header": None, "like": ["a", "b"]}) == (
            f"lodehound resume {place} --auth USER:PASSWORD --seed 1 --like a --like b"
        )
