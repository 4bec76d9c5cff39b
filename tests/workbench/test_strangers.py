"""The program beside a server on another port, another site and another user of the machine."""

from __future__ import annotations

import http.client
import http.server
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.workbench.running import Running, browser, needs_browser, workbench

if TYPE_CHECKING:
    from playwright.sync_api import Page

NOBODY = 65534
IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
PATIENCE = 60.0  # seconds; the machine may be busy
# A page that asks the workbench for everything a page can ask another server for.
GREEDY = """<!DOCTYPE html><title>greedy</title>
<img src="{root}static/icon.svg"><iframe src="{root}"></iframe><iframe name="into"></iframe>
<script src="{root}static/workbench.js"></script>
<link rel="stylesheet" href="{root}static/workbench.css">
<form method="post" action="{root}start" target="into"><input name="url" value="http://x.example/">
<input name="folder" value="made"><input name="requests" value="1"></form>
<script>
document.forms[0].submit();
const asked = ["no-cors", "cors"].map((mode) => fetch("{root}", {{mode, credentials: "include"}})
  .then((got) => got.text(), () => "").then((text) => document.title += "|" + text));
Promise.all(asked).then(() => setTimeout(() => document.title += "|done", 300));
</script>"""


# It stays, as browsers do, until its folder is removed.
BROWSER = """#!/bin/sh
echo "$1" > "$0.part" && mv "$0.part" "$(dirname "$0")/told"
while [ -e "$0" ]; do sleep 0.1; done
"""


class Other:
    """A server on another port, which keeps whatever it gets."""

    def __init__(self, host: str = "127.0.0.1") -> None:
        self.got: list[str] = []
        self.pages: dict[str, str] = {}
        other = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                other.got.append(f"{self.path}\n{self.headers}")
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(other.pages.get(self.path, "<title>other</title>").encode())

            do_POST = do_GET  # noqa: N815 - so called by the library

            def log_message(self, *words: object) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer((host, 0), Handler)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def other() -> Iterator[Other]:
    made = Other()
    yield made
    made.server.shutdown()
    made.server.server_close()


@contextmanager
def inside(folder: Path, *, named: bool) -> Iterator[tuple[Running, Page, str]]:
    """Open the workbench in Chromium, by its link or with its password."""
    with workbench(folder, "--control") as running, browser() as chromium:
        page = chromium.new_page()
        if named:
            root = running.root
            page.goto(running.link)
            page.wait_for_url(root)
        else:
            root = running.address
            page.goto(root.replace("//", f"//lodehound:{running.password}@"))
            page.goto(root)
        assert page.title().startswith("Crawls")
        yield running, page, root


@needs_browser
@pytest.mark.parametrize("named", [True, False])
def test_another_port_gets_nothing_and_does_nothing(
    other: Other, tmp_path: Path, named: bool
) -> None:
    here = f"http://127.0.0.1:{other.port}"
    with inside(tmp_path, named=named) as (running, page, root):
        refresh = '<title>{}</title><meta http-equiv="refresh" content="0;url={}">'
        other.pages = {
            "/lure": refresh.format("lure", f"{here}/again"),
            "/again": refresh.format("again", "/done"),
            "/greedy": GREEDY.format(root=root),
            "/link": f'<a href="{root}">here</a>',
        }
        page.goto(f"http://localhost:{other.port}/lure")
        page.wait_for_url("**/done")
        for host in ("127.0.0.1", "localhost", "another.localhost"):
            page.goto(f"http://{host}:{other.port}/greedy")
            page.wait_for_function("document.title.endsWith('|done')")
            assert page.title() == "greedy|||done"
            page.goto(f"http://{host}:{other.port}/link")
            page.get_by_role("link").click()
            page.get_by_text("Another site may not ask the workbench").wait_for()
        page.goto(root)
        assert page.title().startswith("Crawls")
        page.evaluate("place => { location.href = place }", f"{here}/out")
        page.wait_for_url("**/out")
        cookies = {cookie["value"] for cookie in page.context.cookies()}

    assert len(cookies) == int(named)
    assert len(other.got) > 9
    secrets = running.secrets | cookies | {"Cookie:", "Authorization:"}
    assert [(secret, got) for secret in secrets for got in other.got if secret in got] == []
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def home() -> Iterator[Path]:
    """A home folder that others may look into."""
    made = Path(tempfile.mkdtemp())
    made.chmod(0o755)
    yield made
    shutil.rmtree(made)


@contextmanager
def opened(home: Path) -> Iterator[tuple[Running, str]]:
    """Run ``ui --open`` with a browser that shows its command line; yield the URL it is given."""
    told, program = home / "told", home / "browser"
    program.write_text(BROWSER)
    program.chmod(0o755)
    (home / "crawls").mkdir()
    variables = {"HOME": str(home), "BROWSER": f"{program} %s"}
    with workbench(home / "crawls", "--open", variables=variables) as running:
        wait_until(told.exists)
        yield running, told.read_text().strip()


@pytest.mark.skipif(sys.platform == "win32", reason="its file modes are others")
def test_the_browser_is_given_a_file_that_only_the_user_can_read(home: Path) -> None:
    with opened(home) as (running, url):
        path = Path(url.removeprefix("file://"))

        assert (url[:8], path.parent) == ("file:///", home)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert running.link in path.read_text()
    wait_until(lambda: not path.exists())


@pytest.mark.skipif(sys.platform != "linux", reason="it looks into /proc")
@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="it becomes another user"
)
def test_another_user_gets_nothing(home: Path) -> None:
    with opened(home) as (running, url):
        page = url.removeprefix("file://")
        seen = as_nobody(f"cat /proc/[0-9]*/cmdline | tr '\\0' ' '; cat {page}; ls -l {home}")
        asked = [
            as_nobody(f"curl -s -i {running.address}{path}") for path in ("", "?token=a", "start")
        ]
        named = as_nobody(f"curl -s -i --connect-to ::127.0.0.1:{running.port} {running.root}")

    assert f"{home / 'browser'} {url}" in seen  # the command line of the browser
    assert "Permission denied" in seen
    assert [secret for secret in running.secrets if secret in seen] == []
    assert [answer.split()[1] for answer in asked] == ["401"] * 3
    assert named.split()[1] == "403"  # even with the name


@needs_browser
def test_the_file_leads_to_the_workbench_and_is_gone(home: Path) -> None:
    with opened(home) as (running, url), browser() as chromium:
        page = chromium.new_page()
        page.goto(url)
        page.wait_for_url(running.root)
        title, link = page.title(), running.next_link()
        other = chromium.new_context().new_page()
        used = other.goto(running.link)
        other.goto(link)
        other.wait_for_url(running.root)

        assert title == other.title() != ""
        assert used is not None
        assert (used.status, Path(url.removeprefix("file://")).exists()) == (403, False)


def test_a_link_is_used_also_when_nobody_reads_the_terminal(tmp_path: Path) -> None:
    with workbench(tmp_path) as running:
        running.close_terminal()
        server = http.client.HTTPConnection("127.0.0.1", running.port, timeout=PATIENCE)
        statuses = []
        for _ in range(2):
            headers = {"Host": f"{running.name}:{running.port}"}
            server.request("GET", f"/?token={running.token}", headers=headers)
            answer = server.getresponse()
            statuses.append((answer.status, len(answer.read()) > 0))
        server.close()

    assert statuses == [(200, True), (403, True)]


def wait_until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)


def as_nobody(command: str) -> str:
    """Run a command as a user without rights; return what it prints."""
    done = subprocess.run(
        ["/bin/sh", "-c", command], user=NOBODY, group=NOBODY, extra_groups=[], cwd="/",
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )  # fmt: skip
    return done.stdout.decode("utf-8", "replace")
