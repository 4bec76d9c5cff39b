"""A static tree of small pages, and the server it is crawled from.

    python -m bench.live_site FOLDER

serves a tree without nginx, in a process of its own, and says where.
"""

from __future__ import annotations

import contextlib
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from lodehound.sites.server import SiteServer
from lodehound.stores.records import Record

NEXT = 12  # pages that a page links to
EVERY = 20  # pages to a file
MENU = 5  # pages that every page links to
TYPES = {".html": "text/html; charset=utf-8", ".csv": "text/csv"}
WORDS = "Employment by sector and region, quarterly figures, seasonally adjusted. " * 4

# A fleet takes each for a site of its own.
ADDRESSES = [f"127.0.0.{number}" for number in range(1, 9)]
NGINX = """
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/nginx.log;
events {{ worker_connections 256; }}
http {{
    access_log off;
    types {{ text/html html; text/csv csv; }}
    charset utf-8;
    keepalive_requests 1000000;
    client_body_temp_path {folder}/nginx-body;
    proxy_temp_path {folder}/nginx-proxy;
    fastcgi_temp_path {folder}/nginx-fastcgi;
    uwsgi_temp_path {folder}/nginx-uwsgi;
    scgi_temp_path {folder}/nginx-scgi;
    server {{ {listen} root {folder}/tree; index index.html; }}
}}
"""


def write_tree(folder: Path, pages: int) -> Path:
    """Write the pages and files of a site; what is known grows with what was read."""
    tree = folder / "tree"
    for number in range(pages):
        path = tree / _page(number).removeprefix("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_html(number, pages), encoding="utf-8")
        if number % EVERY == 0:
            file = tree / _file(number).removeprefix("/")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"period,value\n2024,{number}\n2025,{number + 1}\n", encoding="utf-8")
    return tree


def _page(number: int) -> str:
    return f"/pages/{number // 1000}/page-{number}.html" if number else "/index.html"


def _file(number: int) -> str:
    return f"/data/{number // 1000}/table-{number}.csv"


def _html(number: int, pages: int) -> str:
    menu = [_page(other) for other in range(1, min(MENU + 1, pages))]
    following = [_page(other) for other in range(number + 1, min(number + 1 + NEXT, pages))]
    files = [_file(number)] if number % EVERY == 0 else []
    return (
        f"<!DOCTYPE html><html><head><title>Page {number}</title></head><body>"
        f"<nav>{_list(menu)}</nav><main><h1>Page {number}</h1><p>{WORDS}</p>"
        f"<div class=list>{_list(following)}</div><div class=files>{_list(files)}</div>"
        f"</main></body></html>"
    )


def _list(places: list[str]) -> str:
    items = (f"<li><a href={place}>{place.rpartition('/')[2]}</a></li>" for place in places)
    return f"<ul>{''.join(items)}</ul>"


# --- serving ----------------------------------------------------------------------------------


@contextlib.contextmanager
def served(folder: Path) -> Iterator[tuple[str, str]]:
    """Serve the tree; give where, and by whom."""
    nginx = shutil.which("nginx")
    with _nginx(nginx, folder) if nginx else _site_server(folder) as url:
        yield url, "nginx" if nginx else "SiteServer (nginx is not installed)"


@contextlib.contextmanager
def _nginx(program: str, folder: Path) -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    folder.chmod(0o755)  # started by root, nginx serves as another user
    config = folder / "nginx.conf"
    listen = " ".join(f"listen {address}:{port};" for address in ADDRESSES)
    config.write_text(NGINX.format(folder=folder, listen=listen))
    with subprocess.Popen([program, "-c", config, "-p", folder]) as child:
        try:
            _wait_for(port)
            yield f"http://127.0.0.1:{port}/"
        finally:
            child.terminate()


def _wait_for(port: int) -> None:
    for _ in range(100):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.05)
    raise TimeoutError("nginx does not answer.")


@contextlib.contextmanager
def _site_server(folder: Path) -> Iterator[str]:
    command = [sys.executable, "-m", "bench.live_site", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        try:
            assert child.stdout is not None  # noqa: S101 - for mypy
            yield child.stdout.readline().strip()
        finally:
            child.terminate()


def _records(tree: Path) -> Iterator[Record]:
    for path in tree.rglob("*.*"):
        place = path.relative_to(tree).as_posix()
        place = "" if place == "index.html" else place
        yield Record(f"http://s.example/{place}", 200, TYPES[path.suffix], path.read_bytes())


def main() -> None:
    with SiteServer(_records(Path(sys.argv[1]) / "tree")) as server:
        print(server.url, flush=True)
        threading.Event().wait()  # until we are ended


if __name__ == "__main__":
    main()
