"""A timeline answers as the site did at each of its snapshots."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import pytest

from lodehound.core.errors import SiteError
from lodehound.stores.cache import open_site
from lodehound.stores.site import RecordedSite
from lodehound.stores.timeline import Timeline, open_timeline
from tests.helpers import DATES, ROOT, failed, file, http, moved, page, timeline, url, warc


def facts(site: RecordedSite, place: str) -> tuple[int, list[str]]:
    number = site.number(url(place))
    return int(site.status[number]), [link.url for link in site.links(number, 1)]


def test_an_answer_is_the_last_one_that_is_not_later() -> None:
    site = timeline(
        {"": page("a"), "a": file()}, {"": page("a", "b"), "b": page("a")}, {"a": failed(404)}
    )

    assert [facts(site.at(number), "") for number in range(3)] == [
        (200, [url("a")]),
        (200, [url("a"), url("b")]),
        (200, [url("a"), url("b")]),
    ]
    assert [facts(site.at(number), "a")[0] for number in range(3)] == [200, 200, 404]


def test_a_url_that_was_not_recorded_yet_is_absent() -> None:
    site = timeline({"": page("b")}, {"b": page("")})

    assert [facts(site.at(number), "b") for number in range(2)] == [(404, []), (200, [ROOT])]


def test_records_after_the_last_snapshot_are_left_out() -> None:
    late = replace(file(), url=url("a"), date="2030-01-01T00:00:00Z")
    with_late = Timeline.build("tiny", DATES, [replace(page("a"), url=ROOT, date=DATES[0]), late])

    assert with_late.at(0).number(url("a")) == -1


def test_the_content_of_a_page_is_its_links_and_text() -> None:
    """Comments, markup and scripts may differ; words and links may not."""
    bodies = [
        b"<p>One <a href=/a>two</a>",
        b"<!-- 12:00 --><div><p>One  <a class=x href=/a>two</a><script>now()</script>",
        b"<p>One <a href=/b>two</a>",
    ]
    site = timeline(*({"": replace(page(), body=body)} for body in bodies))
    first, same, other = (site.at(number).digests[0] for number in range(3))

    assert first == same != other


def test_a_file_is_told_by_its_validator_where_its_body_was_cut() -> None:
    site = timeline(
        {"": replace(file(), etag='"1"')},
        {"": replace(file(), etag='"2"')},
        {"": replace(file(), etag='"2"')},
    )
    first, other, same = (site.at(number).digests[0] for number in range(3))

    assert first != other == same


@pytest.fixture
def path(tmp_path: Path) -> Path:
    info = b"description: x\r\nsnapshots: " + " ".join(DATES[:2]).encode() + b"\r\n"
    records = [
        warc("", info, kind="warcinfo"),
        warc(ROOT, http(b"<a href=/a>", Content_Type="text/html"), date=DATES[0]),
        warc(url("a"), http(b"1", Content_Type="text/csv", ETag='"1"'), date=DATES[0]),
        warc(url("a"), http(b"2", Content_Type="text/csv", ETag='"2"'), date=DATES[1]),
        warc(ROOT, http(b"<a href=/b>", Content_Type="text/html"), date=DATES[1]),
    ]
    path = tmp_path / "site.warc.gz"
    path.write_bytes(b"".join(map(gzip.compress, records)))
    return path


def test_a_file_is_read_once(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = open_timeline(path, cache=tmp_path)
    monkeypatch.setattr("lodehound.stores.timeline.read_warc", None)
    second = open_timeline(path, cache=tmp_path)

    assert second.dates == DATES[:2]
    for number in range(2):
        before, after = first.at(number), second.at(number)
        assert (before.etags, before.digests) == (after.etags, after.digests)
        assert before.links(0, 1) == after.links(0, 1)


def test_without_rounds_a_timeline_is_its_last_snapshot(path: Path, tmp_path: Path) -> None:
    site = open_site([path], cache=tmp_path)

    assert site.root == ROOT
    assert facts(site, "") == (200, [url("b")])
    assert len(site.status) == 2


def test_a_recorded_site_is_no_timeline(tmp_path: Path) -> None:
    path = tmp_path / "site.warc.gz"
    path.write_bytes(gzip.compress(warc(ROOT, http(b"", Content_Type="text/html"))))

    with pytest.raises(SiteError, match="its warcinfo lists no snapshots"):
        open_timeline(path, cache=tmp_path)


def test_a_redirect_has_its_place_at_each_snapshot() -> None:
    site = timeline({"": page("a"), "a": moved("b")}, {"a": moved("c")})

    places = [site.at(number) for number in range(2)]
    assert [one.urls[one.location[one.number(url("a"))]] for one in places] == [url("b"), url("c")]
