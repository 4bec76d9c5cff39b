"""The descriptions for Datasette, and Datasette itself."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from lodehound.stores.crawl_dir.datasette import metadata, write_metadata
from lodehound.stores.database.schema import SCHEMA
from tests.exports.crawls import CSV, add, begin


def test_datasette_starts_and_answers(tmp_path: Path) -> None:
    with begin(tmp_path / "crawl") as directory:
        add(directory, "a.csv", CSV)
    told = write_metadata(tmp_path / "crawl")
    command = [sys.executable, "-m", "datasette", str(tmp_path / "crawl/crawl.sqlite")]
    command += ["--metadata", str(told), "--get"]
    asked = "/crawl.json?_shape=array&sql=select+url,kind,rows+from+catalogue"
    done = subprocess.run([*command, asked], capture_output=True, check=True)
    assert json.loads(done.stdout) == [{"url": "https://s.example/a.csv", "kind": "csv", "rows": 2}]
    page = subprocess.run([*command, "/crawl/catalogue"], capture_output=True, check=True).stdout
    assert b"The finds, each with the contents of its file." in page
    assert b'data-column-description="the page that contains the link"' in page


def test_everything_described_is_there() -> None:
    tables = metadata()["databases"]["crawl"]["tables"]
    with closing(sqlite3.connect(":memory:")) as db:
        for statement in SCHEMA:
            db.execute(statement)
        there = db.execute("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")
        assert tables.keys() == {name for (name,) in there}
        for name, told in tables.items():
            columns = {row[1] for row in db.execute(f"PRAGMA table_info({name})")}
            named = {*told["columns"], *told.get("facets", ())}
            named |= {told[key] for key in ("sort", "sort_desc", "label_column") if key in told}
            assert named <= columns
            assert told["description"].endswith(".")


def test_columns_are_described_by_the_comments_of_the_schema() -> None:
    tables = metadata()["databases"]["crawl"]["tables"]
    assert tables["finds"]["columns"]["final_url"] == "the URL after redirects"
    assert tables["catalogue"]["columns"]["bytes"] == "length of the file"
    assert tables["types"]["columns"]["bytes"] == "total size of the finds"
    assert tables["requests"]["columns"]["status"] == "HTTP status; 0 if there was no answer"
