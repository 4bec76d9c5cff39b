"""What a live crawl is made with: a browser, and sizes that servers declare."""

from __future__ import annotations

import sys
from pathlib import Path
from unittest import mock

import pytest

from lodehound.core.errors import ConfigError
from lodehound.core.messages import Answer, Ask
from lodehound.drivers.live import browser
from lodehound.drivers.live.browser import check_browser, find_browser
from lodehound.drivers.live.recorder import _whole_size

FULL = Answer(Ask(1, "https://s.example/a"), 200, body=b"12345")


@pytest.mark.parametrize(
    ("declared", "size"),
    [
        ("9", 9),
        (" 9 ", 9),
        ("3", 5),
        ("9" * 18, int("9" * 18)),
        ("9" * 19, 5),
        ("", 5),
        ("x", 5),
        ("\u0663", 5),
    ],
)
def test_the_size_of_a_file_that_was_cut_is_what_the_server_declared(
    declared: str, size: int
) -> None:
    headers = {"content-length": declared}
    whole = Answer(FULL.ask, 200, body=FULL.body, headers=headers)
    cut = Answer(FULL.ask, 200, body=FULL.body, headers=headers, cut=True)
    packed = Answer(
        FULL.ask, 200, body=FULL.body, cut=True, headers={**headers, "content-encoding": "gzip"}
    )
    assert [_whole_size(one) for one in (whole, cut, packed)] == [5, size, 5]


def test_a_browser_is_checked_before_the_first_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "chromium"
    program.touch(0o755)
    monkeypatch.setattr(browser, "find_spec", lambda _: mock.sentinel.there)
    assert check_browser(str(program)) == str(program)
    with pytest.raises(ConfigError, match="'none' is no program"):
        check_browser("none")
    monkeypatch.setattr(browser, "find_browser", lambda _: "")
    with pytest.raises(ConfigError, match="There is no browser to render pages with"):
        check_browser()


def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser, "find_spec", lambda _: None)
    monkeypatch.setitem(sys.modules, "playwright", None)
    with pytest.raises(ConfigError, match=r"lodehound\[browser\]"):
        check_browser()


def test_the_newest_browser_of_playwright_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unless another is in the path."""
    for number in ("1000", "1200"):
        (tmp_path / f"chromium-{number}" / "chrome-linux").mkdir(parents=True)
        (tmp_path / f"chromium-{number}" / "chrome-linux" / "chrome").touch()
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    monkeypatch.setattr("shutil.which", lambda _: None)
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    assert find_browser() == str(tmp_path / "chromium-1200" / "chrome-linux" / "chrome")
    monkeypatch.setattr("shutil.which", lambda name: f"/bin/{name}")
    assert find_browser() == f"/bin/{browser.NAMES[0]}"
