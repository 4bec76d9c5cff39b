"""The report as a file: whole, escaped, and silent."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from pathlib import Path

import pytest

from lodehound.core.errors import SiteError
from lodehound.reports import harvest
from lodehound.reports.page import make_report, write_report
from lodehound.reports.template import file_address
from tests.reports.crawls import IMAGE, SCRIPT, opened


@pytest.fixture(scope="module")
def page(nasty_crawl: Path) -> str:
    with opened(nasty_crawl) as (directory, look):
        return make_report(directory, look, nasty_crawl / "report.html")


def data_in(page: str) -> dict[str, list[list[object]]]:
    written = re.search(r'<script type="application/json" id="data">(.*?)</script>', page)
    assert written is not None
    data: dict[str, list[list[object]]] = json.loads(written[1])
    return data


def test_nothing_from_the_web_is_markup(page: str) -> None:
    assert SCRIPT not in page
    assert html.escape(SCRIPT).replace("&#x27;", "&#39;") in page
    assert "<img" not in page
    assert "\u2028" not in page
    assert len(re.findall("<script", page)) == len(re.findall("</script", page)) == 2


def test_the_data_for_the_script_is_what_was_found(page: str) -> None:
    data = data_in(page)
    at = data["columns"].index("anchor")  # type: ignore[arg-type]

    words = [str(row[at]) for row in data["rows"]]
    assert IMAGE.replace("\u2028", "") in words
    assert SCRIPT in [title for _, title in data["pages"]]


def test_a_browser_may_run_nothing_else(page: str) -> None:
    policy = re.search(r'Content-Security-Policy" content="(.*?)"', page)
    assert policy is not None
    allowed = html.unescape(policy[1])
    assert allowed.startswith("default-src 'none';")
    for name in ("style", "script"):
        written = re.search(rf"<{name}>(.*?)</{name}>", page, re.DOTALL)
        assert written is not None
        digest = base64.b64encode(hashlib.sha256(written[1].encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in allowed


def test_every_link_is_to_the_web_to_a_file_or_within(page: str) -> None:
    links = re.findall(r'href="(.*?)"', page)

    assert [link for link in links if not re.match(r"https?://|#|\./files/", link)] == []
    assert "./files/s.example/a.csv" in links
    assert re.findall(r'\ssrc="|\sstyle="|\son\w+="|@import|url\(', page) == []


def test_it_is_written_whole_or_not_at_all(nasty_crawl: Path, tmp_path: Path) -> None:
    output = tmp_path / "deep" / "r.html"
    (tmp_path / "file").touch()
    with opened(nasty_crawl) as (directory, look):
        with pytest.raises(SiteError, match="cannot be written"):
            write_report(directory, look, tmp_path / "file" / "r.html")
        assert write_report(directory, look, output) == output
    assert [path.name for path in output.parent.iterdir()] == ["r.html"]
    way = re.search(r'href="(\.\./[^"]*a\.csv)"', output.read_text(encoding="utf-8"))
    assert way is not None
    assert (output.parent / way[1]).is_file()


def test_many_finds_are_sampled_evenly(office_crawl: Path) -> None:
    with opened(office_crawl) as (_, look):
        whole = harvest.sample_of(look)
        some = harvest.sample_of(look, most=whole.total // 2)

    assert whole.whole
    assert not some.whole
    step = -(-whole.total // (whole.total // 2))
    assert [row[0] for row in some.rows] == [row[0] for row in whole.rows[::step]]


def test_a_hostile_name_stays_a_path() -> None:
    assert file_address(".", 'files/a"><b>#?.csv') == "./files/a%22%3E%3Cb%3E%23%3F.csv"
