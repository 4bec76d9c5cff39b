"""Small sites made with real frameworks (build.sh), and the APIs behind them."""

from __future__ import annotations

import json
import mimetypes
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from tests.live.applications import CSV, Application, Said, served

BUILT = Path(__file__).parents[3] / "build" / "frameworks"
# The finds of each site, and its HTML pages as far as a crawl can see them.
FINDS = {
    "react": 30, "vue": 24, "angular": 24, "vitepress": 16, "docusaurus": 16, "docsify": 16,
    "datatables": 35,
}  # fmt: skip
FALLBACK = {"react", "vue", "angular"}  # their server sends the same page for every path
FILES = 35  # in the register


def missing() -> str:
    """Return why the sites cannot be served, or ""."""
    lacking = [name for name in FINDS if not (BUILT / f"{name}.zip").exists()]
    return f"{', '.join(lacking)}: run 'make frameworks', which needs npm" if lacking else ""


def _set(name: str) -> dict[str, object]:
    files = [{"name": f"{name} {part}", "url": f"/files/{name}-{part}.csv"} for part in "ab"]
    return {"id": name, "title": f"Set {name}", "files": files}


def _register(start: int, length: int) -> dict[str, object]:
    numbers = range(start, min(start + length, FILES))
    rows = [[f"File {n}", f'<a href="/files/{n}.csv">file {n}</a>'] for n in numbers]
    return {"recordsTotal": FILES, "recordsFiltered": FILES, "data": rows}


def api(path: str) -> Said:
    """Answer for the APIs of all sites, and for their files."""
    if path.startswith("/files/"):
        return CSV
    value = _value(path)
    return None if value is None else ("application/json", json.dumps(value).encode())


def _value(path: str) -> object:
    place = urlsplit(path)
    asked = {name: int(values[0]) for name, values in parse_qs(place.query).items() if name != "_"}
    match place.path.strip("/").split("/"):
        case ["api", "sets"]:
            return {"sets": [{"id": n, "title": f"Set {n}"} for n in range(15)]}
        case ["api", "sets", name]:
            return _set(name)
        case ["api", "list"]:
            page = asked["page"]
            sets = [{"id": f"set-{n}", "title": f"Set {n}"} for n in range(4 * page - 4, 4 * page)]
            return {"sets": sets, "next": f"/api/list?page={page + 1}" if page < 3 else ""}
        case ["data", name] | ["api", "files", name] if name.endswith(".json"):
            return _set(name.removesuffix(".json"))
        case ["api", "table"]:
            return _register(asked["start"], asked["length"])
    return None


@contextmanager
def site(name: str) -> Iterator[Application]:
    """Serve one of the sites."""
    with zipfile.ZipFile(BUILT / f"{name}.zip") as archive:
        files = {file: archive.read(file) for file in archive.namelist() if file[-1] != "/"}

    def answer(path: str) -> Said:
        file = urlsplit(path).path.lstrip("/") or "index.html"
        if said := api(path):
            return said
        if file not in files and "." not in file:
            file = "index.html" if name in FALLBACK else f"{file}.html"
        if file not in files:
            return None
        return mimetypes.guess_type(file)[0] or "text/markdown", files[file]

    with served(answer) as application:
        yield application
