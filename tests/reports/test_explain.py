"""Why a URL was fetched, or not."""

from __future__ import annotations

import re
import shutil
import sqlite3
from pathlib import Path

import pytest

from lodehound.core.errors import ConfigError
from lodehound.reports.explain import Explanation, explain
from lodehound.reports.explain_text import explanation_lines
from lodehound.reports.skipped import skips_of
from tests.reports.crawls import ROOT, SCRIPT, crawl_office, opened, run

WHY = re.compile(r"(group \d+ like .*): ([\d.]+) targets a page over (\d+) visits; one of (\d+)")


def told(folder: Path, url: str, *, quick: bool = True) -> Explanation:
    with opened(folder) as (directory, look):
        return explain(directory, look, url, quick=quick)


def test_the_way_to_a_find_behind_a_redirect(nasty_crawl: Path) -> None:
    it = told(nasty_crawl, ROOT + "b.csv")

    assert it.kind == "find"
    assert it.find is not None
    assert (nasty_crawl / it.find["file"]).is_file()
    assert [(step.url.removeprefix(ROOT), step.by) for step in it.way] == [
        ("", "start"),
        ("list", "link"),
        ("moved", "link"),
        ("b.csv", "redirect"),
    ]
    assert [step.title for step in it.way] == ["Home", SCRIPT, "", ""]
    assert told(nasty_crawl, ROOT + "moved").find == it.find


@pytest.mark.parametrize(
    ("place", "kind", "reason", "rule"),
    [
        ("gone", "failed", "error", ""),
        ("photo.jpg", "refused", "blocked", "URLs that end in .jpg"),
        ("film.mp4", "refused", "blocked", "URLs that end in .mp4"),  # of a redirect
        ("a/a/a/a", "refused", "trap", "a part of it occurs 4 times"),
        ("secret/x", "refused", "scope", "it matches one of */secret/*"),
        ("list", "fetched", "", ""),
    ],
)
def test_what_became_of_it(
    nasty_crawl: Path, place: str, kind: str, reason: str, rule: str
) -> None:
    it = told(nasty_crawl, ROOT + place)

    assert (it.kind, it.reason) == (kind, reason)
    assert it.rule.startswith(rule)


def test_one_never_seen_has_neighbours(nasty_crawl: Path) -> None:
    it = told(nasty_crawl, ROOT + "lists")

    assert (it.kind, it.near[0]) == ("unseen", ROOT + "list")
    with pytest.raises(ConfigError, match="no web address"):
        told(nasty_crawl, "mailto:x@s.example")


def test_every_step_of_the_way_has_its_words(office_crawl: Path) -> None:
    """Also of pages that were first asked for by HEAD, whose answers have no title."""
    with opened(office_crawl) as (directory, look):
        heads = {row["url"] for row in look.rows("SELECT url FROM asks WHERE method = 'HEAD'")}
        finds = [row["url"] for row in look.rows("SELECT url FROM finds")]
        ways = [explain(directory, look, url, quick=True).way for url in finds]
    steps = [step for way in ways for step in way]

    assert any(step.url in heads for way in ways for step in way[:-1])
    assert all(step.title for way in ways for step in way[:-1] if step.by != "redirect")
    assert all(step.anchor for step in steps if step.by == "link")
    assert {way[0].by for way in ways} == {"start"}


def test_what_robots_txt_forbids_is_told(nasty_crawl: Path, tmp_path: Path) -> None:
    folder = tmp_path / "crawl"
    shutil.copytree(nasty_crawl, folder)
    with sqlite3.connect(folder / "crawl.sqlite") as db:
        told_so = "UPDATE answers SET status = 0, sent = 0, error = ? WHERE url = ?"
        db.execute(told_so, ("robots.txt disallows", ROOT + "gone"))
    db.close()
    it = told(folder, ROOT + "gone")

    assert (it.kind, it.reason, it.rule) == (
        "robots",
        "robots",
        "robots.txt disallows (s.example)",
    )


def test_the_standing_of_a_choice_is_what_the_policy_said_then(office_crawl: Path) -> None:
    """The group, its mean, its visits and its links are those of the reason in the journal."""
    with opened(office_crawl) as (directory, look):
        asks = [(row["url"], row["why"]) for row in look.rows("SELECT url, why FROM asks")]
        url, said = [(u, m) for u, why in asks if (m := WHY.match(why)) and int(m[3]) > 1][-1]
        standing = explain(directory, look, url).standing

    assert standing is not None
    assert standing.group is not None
    group = standing.group
    assert (group.name, group.visits, group.waiting) == (said[1], int(said[3]), int(said[4]))
    assert f"{group.finds / group.visits:.2f}" == said[2]
    assert standing.rank == 1  # nobody slept: the best group was chosen
    assert all(other.score <= group.score for other in standing.others)


def test_a_link_that_waits_has_a_group_and_a_rank(office_crawl: Path) -> None:
    with opened(office_crawl) as (directory, look):
        with skips_of(directory, look) as skips:
            *_, waiting = skips.rows("budget")
        it = explain(directory, look, waiting.url)

    assert it.kind == "waiting"
    assert it.command.startswith(f"lodehound resume {office_crawl} --requests +")
    assert it.command in "\n".join(explanation_lines(it))
    assert it.way[-2].url == waiting.found_on
    assert it.standing is not None
    assert it.standing.group is not None
    assert 1 <= it.standing.rank <= it.standing.awake


def test_the_policy_that_made_a_request_explains_it(tmp_path: Path) -> None:
    """Also when the crawl was resumed with another one, which explains its own requests."""
    folder = crawl_office(tmp_path)
    run("resume", folder, "--policy", "lodehound", "--requests", "+20", "--quiet")
    with opened(folder) as (directory, look):
        asks = [(row["url"], row["why"]) for row in look.rows("SELECT url, why FROM asks")]
        url = next(url for url, why in asks[120:150] if WHY.match(why))
        first = explain(directory, look, url)
        last = explain(directory, look, asks[165][0])

    assert first.standing is not None
    assert last.standing is not None
    assert first.standing.name.startswith("group ")
    assert not last.standing.name.startswith("group ")
    assert first.note == "The policy was sb-classifier:b=8 then; now it is lodehound."
    assert last.note == ""


def test_another_version_may_rank_otherwise(office_crawl: Path, tmp_path: Path) -> None:
    folder = tmp_path / "crawl"
    shutil.copytree(office_crawl, folder)
    with sqlite3.connect(folder / "crawl.sqlite") as db:
        db.execute("UPDATE runs SET version = '0.0.1'")
    db.close()

    with opened(folder) as (directory, look):
        *_, last = look.rows("SELECT url FROM asks")
        note = explain(directory, look, last["url"]).note

    assert note.startswith("Lodehound 0.0.1 made this request; version ")


def test_a_policy_without_groups_says_so(nasty_crawl: Path) -> None:
    it = told(nasty_crawl, ROOT + "list", quick=False)

    assert it.standing is None
    assert "Bfs" in it.note


@pytest.mark.parametrize("place", ["b.csv", "gone", "photo.jpg", "never", "list", ""])
def test_the_text_is_plain(nasty_crawl: Path, place: str) -> None:
    """No escape sequence, no turned direction, whatever titles and links say."""
    lines = list(explanation_lines(told(nasty_crawl, ROOT + place, quick=False)))
    text = "\n".join(lines)

    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)
    assert lines[0] == ROOT + place
