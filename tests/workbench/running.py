"""The workbench as a program, and a browser for its pages."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.reports.browser import browser_path

if TYPE_CHECKING:
    from playwright.sync_api import Browser

needs_browser = pytest.mark.skipif(
    browser_path() is None,
    reason="there is no Chromium: the workbench is not tried in a browser (apt install chromium)",
)
PRINTED = re.compile(
    r"The workbench is at (?P<link>http://(?P<name>[a-z0-9-]+\.localhost):(?P<port>\d+)/"
    r"\?token=(?P<token>\w+))\n.*\n(?P<address>\S+) as user lodehound with the password "
    r"(?P<password>\S+)\nStop it with Ctrl-C; crawls go on\.\n"
)


class Running:
    """A workbench that runs, as its terminal shows it."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        self._terminal = process.stdout
        printed = PRINTED.fullmatch("".join(self.line() for _ in range(4)))
        assert printed is not None
        self.link, self.name, port, self.token, self.address, self.password = printed.groups()
        self.port = int(port)
        self.root = self.link.partition("?")[0]

    @property
    def secrets(self) -> set[str]:
        return {self.name, self.token, self.password}

    def line(self) -> str:
        """Wait for the next line of its terminal."""
        return self._terminal.readline()

    def close_terminal(self) -> None:
        """Read its terminal no more, as 'head' does."""
        self._terminal.close()

    def next_link(self) -> str:
        """Return the link that it shows when one was used."""
        words, _, link = self.line().partition("The next one is ")
        assert words == "A browser has used the link. "
        return link.strip()


@contextmanager
def workbench(
    folder: Path, *options: str, variables: Mapping[str, str] | None = None
) -> Iterator[Running]:
    """Run the command as a user does."""
    command = [sys.executable, "-m", "lodehound", "ui", str(folder), *options]
    environment = {**os.environ, **(variables or {})}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            yield Running(process)
        finally:
            process.terminate()


@contextmanager
def browser() -> Iterator[Browser]:
    """Start Chromium."""
    playwright: Any = pytest.importorskip("playwright.sync_api", reason="playwright is missing")
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(
            executable_path=browser_path(), args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        try:
            yield started
        finally:
            started.close()
