"""Every URL that was seen is fetched, or skipped for one reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lodehound.assembly.rebuild import rebuild
from lodehound.core.errors import UnknownNameError
from lodehound.core.scope import Scope
from lodehound.reports.skipped import REASONS, Skips, reason_of, skips_of
from lodehound.stores.log.crawl_reader import Shown
from lodehound.targets.files import Files
from tests.reports.crawls import ROOT, Told, opened

ANSWER = {
    "number": 1, "url": ROOT, "method": "GET", "source": "", "depth": 0, "status": 200,
    "mime": "text/html", "size": 10, "location": "", "moved": "", "error": "", "cut": 0, "sent": 1,
    "outcome": None,
}  # fmt: skip


def why(**answer: Any) -> dict[tuple[str, str], int]:
    """Return what is skipped when this is the only answer."""
    scope = Scope.around([ROOT])
    return dict(Skips(Told([ANSWER | answer]), scope, Files(), listing=False).counts)


def test_a_crawl_with_everything(nasty_crawl: Path) -> None:
    with opened(nasty_crawl) as (directory, look), skips_of(directory, look) as skips:
        rows = {(row.url.removeprefix(ROOT), row.reason, row.detail) for row in skips.rows()}
        found_on = {row.url: row.found_on for row in skips.rows()}

    assert rows == {
        ("gone", "error", "status 404"),
        ("photo.jpg", "blocked", "blocked extension"),
        ("film.mp4", "blocked", "blocked extension"),
        ("https://other.example/", "scope", "other site"),
        ("a/a/a/a", "trap", "trap: repeated parts"),
        ("pic", "blocked", "blocked type"),
        ("secret/x", "scope", "excluded"),
    }
    assert skips.seen == len(rows) + 6  # root, list, a.csv, moved, b.csv, film
    assert found_on[ROOT + "secret/x"] == ROOT + "list"


def test_the_list_of_one_reason(nasty_crawl: Path) -> None:
    with opened(nasty_crawl) as (directory, look), skips_of(directory, look) as skips:
        assert [row.url for row in skips.rows("trap")] == [ROOT + "a/a/a/a"]
        with pytest.raises(UnknownNameError, match="Did you mean 'trap'"):
            skips.rows("trop")


def test_it_agrees_with_the_crawl_itself(office_crawl: Path) -> None:
    """The same URLs are refused, for the same reasons, as by the machine that crawled."""
    with opened(office_crawl) as (directory, look), skips_of(directory, look) as skips:
        crawl = rebuild(directory)
        refused = {d: n for (r, d), n in skips.counts.items() if reason_of(d) == r}
        waiting = skips.by_reason()["budget"]

    assert {d: n for d, n in refused.items() if d in crawl.refused} == crawl.refused
    assert skips.seen - sum(crawl.refused.values()) == crawl.known
    assert 0 < waiting < crawl.known


def test_too_deep_is_not_for_good() -> None:
    """A link from nearer lets a URL in; one that stays too deep is skipped for it."""
    text = f'[["{ROOT}b","html/a","b","","a"]]'
    far, near = Shown.of(ROOT + "x", 3, text), Shown.of(ROOT + "y", 1, text)
    scope = Scope(max_depth=1)
    once = Skips(Told([], [far]), scope, Files(), listing=False)
    both = Skips(Told([], [far, near, far]), scope, Files(), listing=False)

    assert dict(once.counts) == {("scope", "too deep"): 1}
    assert dict(both.counts) == {("budget", "waiting"): 1}


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ({}, None),
        ({"status": None}, ("unanswered", "no answer yet")),
        ({"status": 0, "sent": 0, "error": "robots.txt disallows"},
         ("robots", "robots.txt disallows")),
        ({"status": 0, "error": "TimeoutError: slow"}, ("error", "TimeoutError")),
        ({"status": 503}, ("error", "status 503")),
        ({"cut": 1, "mime": "video/mp4"}, ("blocked", "blocked type")),
        ({"cut": 1, "mime": "text/csv"}, ("size", "truncated")),
        ({"cut": 1, "mime": "text/html"}, ("size", "last links not read")),
        ({"outcome": "off"}, ("script", "--render never")),
        ({"outcome": "missing"}, ("script", "there is no browser (docs/javascript.md)")),
        ({"outcome": "rendered"}, None),
        ({"method": "HEAD", "status": 404}, ("error", "status 404 (HEAD)")),
        ({"method": "HEAD", "mime": "text/html"}, ("budget", "waiting")),
        ({"method": "HEAD", "mime": "text/csv"}, ("budget", "waiting")),
        ({"method": "HEAD", "mime": "text/calendar"}, ("type", "text/calendar")),
        ({"method": "HEAD", "status": 405}, ("budget", "waiting")),
    ],
)  # fmt: skip
def test_what_answers_mean(answer: dict[str, Any], reason: tuple[str, str] | None) -> None:
    assert why(**answer) == ({reason: 1} if reason else {})
    assert reason is None or reason[0] in REASONS


def test_a_redirect_that_was_not_followed_is_skipped_where_it_leads() -> None:
    assert why(status=302, location="https://x.example/") == {("scope", "other site"): 1}
    assert why(status=302, location="/on") == {("budget", "waiting"): 1}
