"""WARC: the finds as records that two libraries read."""

from __future__ import annotations

from pathlib import Path

from warcio.archiveiterator import ArchiveIterator

from lodehound.stores.records import Damage
from lodehound.stores.warc import read_responses
from lodehound.stores.warc_append import WarcAppender
from tests.exports.conftest import Export
from tests.exports.crawls import CSV, ROOT, add, begin

FETCHED_AT = "2026-01-02T03:04:05+00:00"


def responses(path: Path) -> dict[str, tuple[bytes, dict[str, str]]]:
    found = {}
    with path.open("rb") as file:
        for record in ArchiveIterator(file, check_digests="raise"):
            if record.rec_type == "response":
                headers = dict(record.rec_headers.headers) | dict(record.http_headers.headers)
                url = record.rec_headers.get_header("WARC-Target-URI")
                found[url] = record.content_stream().read(), headers
    return found


def test_every_find_is_a_record(exported: Export) -> None:
    path = exported("warc")
    found = responses(path)
    assert len(found) == 10
    body, headers = found[ROOT + "births.csv"]
    assert body == CSV
    assert headers["WARC-Date"] == "2026-01-02T03:04:05Z"
    assert (headers["Content-Type"], headers["Etag"]) == ("text/csv", '"v1"')
    damage = Damage()
    assert len(list(read_responses(path, damage))) == 10
    assert damage == Damage()


def test_a_truncated_find_is_a_truncated_record(exported: Export) -> None:
    body, headers = responses(exported("warc"))[ROOT + "cut.csv"]
    assert (body, headers["WARC-Truncated"]) == (CSV[:30], "length")
    assert headers["Content-Length"] == "9000"


def test_records_of_a_recorded_crawl_are_copied(exported: Export, tmp_path: Path) -> None:
    with begin(tmp_path / "crawl") as directory:
        add(directory, "a.csv", CSV)
        add(directory, "later.csv", b"a,b\n1,2\n")
    with WarcAppender(tmp_path / "crawl/crawl.warc.gz") as warc:
        for place, status, kept in (("", 200, "p"), ("a.csv", 503, "no"), ("a.csv", 200, "yes")):
            warc.add(ROOT + place, status=status, headers={"x-kept": kept}, body=CSV, cut=False,
                     fetched_at=FETCHED_AT)  # fmt: skip
    found = responses(exported("warc", tmp_path / "crawl"))
    assert sorted(found) == [ROOT + "a.csv", ROOT + "later.csv"]
    assert found[ROOT + "a.csv"][1]["X-Kept"] == "yes"  # a header that the catalogue has not


def test_only_the_newest_version_of_a_find_is_copied(exported: Export, tmp_path: Path) -> None:
    with begin(tmp_path / "crawl") as directory:
        add(directory, "a.csv", CSV)
    with WarcAppender(tmp_path / "crawl/crawl.warc.gz") as warc:
        for body, date in (
            (CSV, "2026-01-01T00:00:00+00:00"),
            (b"older", FETCHED_AT),
            (CSV, FETCHED_AT),
            (b"<html>a page by now", "2026-02-01T00:00:00+00:00"),
        ):
            warc.add(ROOT + "a.csv", status=200, headers={}, body=body, cut=False, fetched_at=date)
    path = exported("warc", tmp_path / "crawl")
    records = list(read_responses(path, Damage()))
    body, headers = responses(path)[ROOT + "a.csv"]
    assert (len(records), body, headers["WARC-Date"]) == (1, CSV, "2026-01-02T03:04:05Z")


def test_an_empty_catalogue_is_a_warc_without_responses(exported: Export, empty: Path) -> None:
    assert responses(exported("warc", empty)) == {}
