"""Generated portals with an API, a listing or a feed, and the same sites without one."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from html import escape
from typing import Any, Literal
from urllib.parse import parse_qsl, urlsplit

from lodehound.sites.endless import HTML, EndlessPortal
from lodehound.stores.records import Record

Api = Literal["open", "forbidden", "absent"]  # forbidden: robots.txt disallows it

JSON = "application/json"
CSV = b"year,value\n2001,1\n2002,2\n"
MAX_ROWS = 1000  # datasets in one answer of CKAN
PER_PAGE = 100  # files in one answer of WordPress


@dataclass(frozen=True, slots=True)
class CkanPortal:
    """A portal like CKAN: datasets with a CSV file each, facets without end, and an API.

    Args:
        datasets: Number of datasets, and of files.
        api: Whether the API answers, and whether robots.txt allows it.
        host: Root of the site.

    >>> CkanPortal(5).get("/api/3/action/package_search?rows=2").body.count(b".csv")
    2
    """

    datasets: int = 300
    api: Api = "open"
    host: str = "https://portal.example/"

    def get(self, url: str) -> Record:
        """Return the response for a URL, or for its path and query."""
        parts = urlsplit(url)
        if parts.path == "/robots.txt":
            return robots(url, "/api/" if self.api == "forbidden" else "")
        if parts.path == "/api/3/action/package_search" and self.api != "absent":
            return _json(url, self._search(dict(parse_qsl(parts.query))))
        portal = EndlessPortal("facets", self.datasets, self.host)
        links = portal.links(url)
        return portal.get(url) if links is None else _ckan_page(url, links)

    def _search(self, query: dict[str, str]) -> dict[str, Any]:
        start, rows = int(query.get("start", "0")), min(int(query.get("rows", "10")), MAX_ROWS)
        numbers = range(start, min(start + rows, self.datasets))
        results = [self._package(number) for number in numbers]
        return {"success": True, "result": {"count": self.datasets, "results": results}}

    def _package(self, number: int) -> dict[str, Any]:
        return {
            "id": f"00000000-{number:08}",
            "name": f"dataset-{number}",
            "title": f"Dataset {number}",
            "notes": f"The figures of table {number}.",
            "license_title": "CC BY 4.0",
            "organization": {"title": "Office of Statistics"},
            "metadata_created": "2024-01-02T03:04:05",
            "metadata_modified": "2025-01-02T03:04:05",
            "tags": [{"name": "figures"}],
            "resources": [
                {
                    "url": f"{self.host}files/{number}.csv",
                    "name": f"Table {number}",
                    "format": "CSV",
                    "size": len(CSV),
                }
            ],
        }


def _ckan_page(url: str, links: list[tuple[str, str]]) -> Record:
    """Return a page with the markup of CKAN's theme: facets, datasets and pages stand apart."""
    places = {
        "facets": '<section class="module"><ul class="nav nav-facet">{}</ul></section>',
        "datasets": '<ul class="dataset-list">{}</ul>',
        "pages": '<div class="pagination-wrapper"><ul class="pagination">{}</ul></div>',
        "other": '<div class="primary"><ul>{}</ul></div>',
    }
    items: dict[str, list[str]] = {name: [] for name in places}
    for text, place in links:
        name = "pages" if text == "Next" else "facets" if "?" in place else "other"
        name = "datasets" if place.startswith("/dataset/") else name
        items[name].append(f'<li><a href="{escape(place)}">{escape(text)}</a></li>')
    parts = "".join(places[name].format("".join(some)) for name, some in items.items() if some)
    head = '<meta name="generator" content="ckan 2.10"><title>Portal</title>'
    body = f"<!DOCTYPE html><html><head>{head}</head><body>{parts}</body></html>".encode()
    return Record(url, 200, HTML, body, size=len(body))


@dataclass(frozen=True, slots=True)
class WordPressSite:
    """A site like WordPress: posts in a chain, some with a file, and its REST API for media.

    Args:
        files: Number of uploaded files; every fifth post shows one of them.
        api: Whether the API answers, and whether robots.txt allows it.
        host: Root of the site.
    """

    files: int = 250
    api: Api = "open"
    host: str = "https://blog.example/"

    def get(self, url: str) -> Record:
        """Return the response for a URL, or for its path and query."""
        parts = urlsplit(url)
        match parts.path.strip("/").split("/"):
            case ["robots.txt"]:
                return robots(url, "/wp-json/" if self.api == "forbidden" else "")
            case ["wp-json", "wp", "v2", "media"] if self.api != "absent":
                return self._media(url, dict(parse_qsl(parts.query)))
            case ["wp-content", "uploads", name] if name.endswith(".csv"):
                return Record(url, 200, "text/csv", CSV, size=len(CSV))
            case [""]:
                return self._post(url, 0)
            case ["post", number] if number.isdigit() and int(number) < self.files:
                return self._post(url, int(number))
        return not_found(url)

    def _post(self, url: str, number: int) -> Record:
        links = [f"/post/{number + step}" for step in (1, 2, 7)]
        links += [f"/wp-content/uploads/{number}.csv"] if number % 5 == 0 else []
        page = html_page(url, f"Post {number}", links)
        if self.api == "absent":
            return page
        return replace(page, link_header=f'<{self.host}wp-json/>; rel="https://api.w.org/"')

    def _media(self, url: str, query: dict[str, str]) -> Record:
        page, size = int(query.get("page", "1")), min(int(query.get("per_page", "10")), PER_PAGE)
        numbers = range((page - 1) * size, min(page * size, self.files))
        if page > 1 and not numbers:
            return replace(_json(url, {"code": "rest_post_invalid_page_number"}), status=400)
        return _json(url, [self._item(number) for number in numbers])

    def _item(self, number: int) -> dict[str, Any]:
        return {
            "id": number,
            "date_gmt": "2024-01-02T03:04:05",
            "modified_gmt": "2025-01-02T03:04:05",
            "type": "attachment",
            "title": {"rendered": f"Table {number}"},
            "media_type": "file",
            "mime_type": "text/csv",
            "source_url": f"{self.host}wp-content/uploads/{number}.csv",
            "media_details": {"filesize": len(CSV)},
        }


@dataclass(frozen=True, slots=True)
class FolderSite:
    """A web server that lists its folders, as Apache does, with the orders of its columns.

    Args:
        folders: Number of folders below the root.
        files: Number of files in each.
        listed: Whether folders are listed; otherwise the root names the first file of each.
    """

    folders: int = 10
    files: int = 30
    listed: bool = True

    def get(self, url: str) -> Record:
        """Return the response for a URL, or for its path and query."""
        match urlsplit(url).path.strip("/").split("/"):
            case [""] if not self.listed:
                names = [f"/folder{number}/0.csv" for number in range(self.folders)]
                return html_page(url, "Files", names)
            case [""]:
                return _index(url, "/", [f"folder{number}/" for number in range(self.folders)])
            case [folder] if self.listed and self._is_folder(folder):
                names = [f"{number}.csv" for number in range(self.files)]
                return _index(url, f"/{folder}/", names)
            case [folder, name] if self._is_folder(folder) and name.endswith(".csv"):
                return Record(url, 200, "text/csv", CSV, size=len(CSV))
        return not_found(url)

    def _is_folder(self, name: str) -> bool:
        number = name.removeprefix("folder")
        return number != name and number.isdigit() and int(number) < self.folders


@dataclass(frozen=True, slots=True)
class DataJsonSite:
    """A static site that describes its files in ``/data.json`` (DCAT-US), and shows few of them.

    Args:
        files: Number of files; the pages show every tenth.
        api: Whether the file is there, and whether robots.txt allows it.
        host: Root of the site.
    """

    files: int = 200
    api: Api = "open"
    host: str = "https://static.example/"

    def get(self, url: str) -> Record:
        """Return the response for a URL, or for its path and query."""
        match urlsplit(url).path.strip("/").split("/"):
            case ["robots.txt"]:
                return robots(url, "/data.json" if self.api == "forbidden" else "")
            case ["data.json"] if self.api != "absent":
                return _json(url, self._catalogue())
            case ["files", name] if name.endswith(".csv"):
                return Record(url, 200, "text/csv", CSV, size=len(CSV))
            case [""]:
                shown = [f"/files/{number}.csv" for number in range(0, self.files, 10)]
                named = [] if self.api == "absent" else ["/data.json"]
                return html_page(url, "Open data", [*named, *shown])
        return not_found(url)

    def _catalogue(self) -> dict[str, Any]:
        datasets = [
            {
                "title": f"Dataset {number}",
                "identifier": str(number),
                "publisher": {"name": "Office of Statistics"},
                "license": "https://creativecommons.org/licenses/by/4.0/",
                "modified": "2025-01-02",
                "distribution": [
                    {"downloadURL": f"{self.host}files/{number}.csv", "mediaType": "text/csv"}
                ],
            }
            for number in range(self.files)
        ]
        return {
            "conformsTo": "https://project-open-data.cio.gov/v1.1/schema",
            "dataset": datasets,
        }


def robots(url: str, disallow: str) -> Record:
    body = f"User-agent: *\nDisallow: {disallow}\n".encode()
    return Record(url, 200, "text/plain", body, size=len(body))


def not_found(url: str) -> Record:
    return Record(url, 404, HTML, b"<p>Not found</p>", size=16)


def html_page(url: str, title: str, links: list[str]) -> Record:
    items = "".join(f'<li><a href="{escape(link)}">{escape(link)}</a></li>' for link in links)
    body = f"<!DOCTYPE html><title>{escape(title)}</title><ul>{items}</ul>".encode()
    return Record(url, 200, HTML, body, size=len(body))


def _index(url: str, folder: str, names: list[str]) -> Record:
    orders = "".join(f'<th><a href="?C={column};O=A">{column}</a></th>' for column in "NMSD")
    rows = "".join(
        f'<tr><td><a href="{name}">{name}</a></td>'
        f'<td align="right">2025-01-02 03:04  </td><td align="right"> 26 </td></tr>'
        for name in names
    )
    up = '<tr><td><a href="/">Parent Directory</a></td></tr>'
    body = (
        f"<!DOCTYPE html><html><head><title>Index of {folder}</title></head><body>"
        f"<h1>Index of {folder}</h1><table><tr>{orders}</tr>{up}{rows}</table></body></html>"
    ).encode()
    return Record(url, 200, HTML, body, size=len(body))


def _json(url: str, data: Any) -> Record:
    body = json.dumps(data).encode()
    return Record(url, 200, JSON, body, size=len(body))
