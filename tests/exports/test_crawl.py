"""A generated site is crawled, and what is found goes out in every format."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pyoxigraph
import pytest
from rocrate.rocrate import ROCrate

from lodehound.exports import FORMATS
from lodehound.sites import StatsOffice
from lodehound.stores.records import Damage
from lodehound.stores.warc import read_responses, write_warc
from tests.exports.conftest import Export
from tests.exports.test_folders import errors_of

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("generated")
    site = StatsOffice(pages=30, files=12, redirects=4, host="https://stats.example/")
    write_warc(folder / "site.warc.gz", site.records())
    command = [
        sys.executable,
        "-m",
        "lodehound",
        "crawl",
        "--replica",
        str(folder / "site.warc.gz"),
    ]
    subprocess.run([*command, "--out", str(folder / "crawl"), "--quiet"], check=True)
    return folder / "crawl"


def test_every_format_has_every_find(crawl: Path, exported: Export) -> None:
    left_out = {"nquads", "void", "croissant"}  # no RDF in it, and no API lists datasets
    formats = [name for name in FORMATS if name not in left_out]
    made = {name: exported(name, crawl, to=name) for name in formats}
    found = [json.loads(line) for line in made["jsonl"].read_text(encoding="utf-8").splitlines()]
    files = {find["file"] for find in found}
    assert len(found) >= 12
    assert {"csv"} < {find["kind"] for find in found}
    assert pq.read_metadata(made["parquet"]).num_rows == len(found)
    assert len(list(read_responses(made["warc"], Damage()))) == len(found)
    assert errors_of(made["datapackage"]) == set()
    package = json.loads((made["datapackage"] / "datapackage.json").read_text(encoding="utf-8"))
    others = package["other_files"]  # the office's archives are only filled with figures
    assert {resource["path"] for resource in package["resources"] + others} == files
    assert "table" in {resource["type"] for resource in package["resources"]}
    assert len(list(ROCrate(made["ro-crate"]).data_entities)) == len(files)
    dcat = pyoxigraph.parse(made["dcat"].read_bytes(), format=pyoxigraph.RdfFormat.JSON_LD)
    urls = {
        str(quad.object.value) for quad in dcat if quad.predicate.value.endswith("#downloadURL")
    }
    assert urls == {find["final_url"] for find in found}
