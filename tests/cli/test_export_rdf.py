"""What an export to RDF leaves out is said on the terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.test_cli import Cli, cli
from tests.exports.crawls import add, begin

__all__ = ["cli"]  # a fixture


@pytest.mark.parametrize(
    ("count", "line"),
    [
        (1, "1 statement left out: RDF does not allow it\n"),
        (2, "2 statements left out: RDF does not allow them\n"),
    ],
)
def test_what_is_left_out_is_said(cli: Cli, tmp_path: Path, count: int, line: str) -> None:
    row = ["rdfa", "http://e/s", "http://e/p", "no iri", "iri"]
    with begin(tmp_path / "crawl") as directory:
        details = json.dumps({"statements": [row] * count})
        add(directory, "1.html", b"<p>", "text/html", details=details)
    code, _, said = cli("export", tmp_path / "crawl", "--to", "nquads")
    assert (code, said.endswith(f"\n{line}")) == (0, True)
