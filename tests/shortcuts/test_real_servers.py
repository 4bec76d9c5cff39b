"""Crawls of real catalogue servers, if they are installed.

LODEHOUND_SERVERS is a Python interpreter that has them (pip install pycsw==2.6.2 'sqlalchemy<2'
pygeoapi 'moto[s3,server]'); without it, the one that runs the tests is asked.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import lodehound

PYTHON = os.environ.get("LODEHOUND_SERVERS", sys.executable)
RECORDS = 120
SERVERS = Path(__file__).parent / "servers"

pytestmark = pytest.mark.soak


@contextmanager
def running(package: str, folder: Path) -> Iterator[str]:
    """Start a server and yield its address; it is stopped at the end."""
    python = sys.executable if package == "datasette" else PYTHON  # it is a tool of ours
    if subprocess.run([python, "-c", f"import {package}"], check=False).returncode:
        pytest.skip(f"{package} is not installed")
    folder.mkdir()
    command = [python, str(SERVERS / f"with_{package}.py"), str(folder), str(RECORDS)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            yield server.stdout.readline().strip()
        finally:
            server.kill()


@pytest.mark.parametrize(
    ("package", "shortcuts"),
    [
        ("datasette", "auto"),
        ("moto", "auto"),
        ("pycsw", "csw"),
        ("pycsw", "oai-pmh"),
        ("pycsw", "auto"),
        ("pygeoapi", "auto"),
    ],
)
def test_all_files_of_a_catalogue_are_found_in_few_requests(
    tmp_path: Path, package: str, shortcuts: str
) -> None:
    with running(package, tmp_path / "server") as url:
        crawl = lodehound.crawl(
            url,
            out=tmp_path / "crawl",
            want="files:csv",
            shortcuts=shortcuts,
            delay=0,
            concurrency=1,  # otherwise pages are asked for while the API is still being proved
            allow_private=["127.0.0.1"],
            requests=RECORDS + 20,
        )
        found = {find.url.removesuffix("?_stream=on&_dl=on") for find in crawl}

    assert found == {f"{url}files/{n}.csv" for n in range(RECORDS)}
