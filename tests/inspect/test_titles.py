"""The title that a file gives itself."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from pathlib import Path

import pytest

from tests.inspect import make
from tests.inspect.test_formats import inspect

BIRTHS = "Births by region"
SHEETS = {"One": make.POPULATION}
SDMX = "http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message"
CUBE = {"dimension": {"year": {}}, "id": ["year"], "value": [1, 2, 3]}
ENTITIES = '<!DOCTYPE p [<!ENTITY a "b">]><p xmlns:dc="http://purl.org/dc/elements/1.1/"/>'


def workbook(properties: bytes | str) -> bytes:
    """A workbook with properties of any kind."""
    with zipfile.ZipFile(io.BytesIO(make.xlsx(SHEETS))) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    return make.zipped({**members, "docProps/core.xml": properties})


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("a.pdf", make.pdf([["x"]], BIRTHS)),
        ("a.xlsx", make.xlsx(SHEETS, title=BIRTHS)),
        ("a.ods", make.ods(make.POPULATION, title=BIRTHS)),
        ("a.xlsx.gz", gzip.compress(make.xlsx(SHEETS, title=BIRTHS))),
        ("a.json", json.dumps({**CUBE, "label": BIRTHS}).encode()),
        ("a.json", json.dumps({"data": {"structure": {"name": BIRTHS}, "dataSets": []}}).encode()),
        ("a.json", json.dumps({"name": "births-1", "title": BIRTHS}).encode()),
        ("a.xml", f"<data><title>{BIRTHS}</title><row><title>no</title></row></data>".encode()),
        ("a.xml", f'<D xmlns="{SDMX}"><Header><Name>{BIRTHS}</Name></Header></D>'.encode()),
    ],
)
def test_a_file_has_the_title_that_it_gives_itself(tmp_path: Path, name: str, body: bytes) -> None:
    assert inspect(tmp_path, name, body).title == BIRTHS


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("a.csv", make.csv(make.POPULATION).encode()),
        ("a.xlsx", make.xlsx(SHEETS)),
        ("a.xlsx", make.xlsx(SHEETS, title="Microsoft Excel - Book1")),
        ("a.pdf", make.pdf([["x"]], "final_v3.indd")),
        ("a.xlsx", workbook(ENTITIES)),
        ("a.xlsx", workbook(b"<broken")),
        ("a.json", json.dumps({"title": ["no", "text"]}).encode()),
        ("a.xml", b"<data><row><title>of a row</title></row></data>"),
    ],
)
def test_what_a_program_made_up_is_no_title(tmp_path: Path, name: str, body: bytes) -> None:
    assert inspect(tmp_path, name, body).title == ""
