"""Renders and writes HTML pages that need no network and no server.

All content from the web is untrusted. The template engine escapes texts, only http and https
URLs become links, and a content security policy allows only the page's own style and script, by
their hashes.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import quote

from lodehound.core.errors import ConfigError
from lodehound.extras import extra
from lodehound.reports.screen_text import clean, in_bytes, in_time, shorten, tail
from lodehound.stores.errors import output_error
from lodehound.stores.files.replacing import is_special, refuse_crawl, refuse_strange, replaced
from lodehound.text.counts import counted
from lodehound.version import VERSION


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """A page of one kind: "report" is made of ``report.html.jinja`` and, if scripted, its script.

    Attributes:
        what: The kind of page.
        scripted: Whether there is a script beside the template.
    """

    what: str
    scripted: bool = False

    def made(self, *, title: str, **facts: Any) -> str:
        """Return the page.

        Args:
            title: Its title, as untrusted as all texts.
            facts: Further variables of the template.
        """
        style = asset("report.css")
        script = asset(f"{self.what}.js") if self.scripted else ""
        template = environment().get_template(f"{self.what}.html.jinja")
        made: str = template.render(
            **facts,
            what=self.what,
            title=title,
            style=style,
            script=script,
            policy=security_policy(style, script),
        )
        return made

    def write(self, make: Callable[[], str], output: Path, *, force: bool = False) -> Path:
        """Write the page atomically and return its path.

        An earlier page of the same kind is replaced, any other file only with ``force``. Files
        of a crawl are never overwritten.

        Args:
            make: Returns the page.
            output: Path of the page.
            force: Replace any file.
        """
        begins = f"<!DOCTYPE html>\n<!-- lodehound {self.what} -->"
        return write_text(make, output, begins=begins, what=self.what, force=force)


def write_text(
    make: Callable[[], str], output: Path, *, begins: str, what: str, force: bool
) -> Path:
    """Write a report atomically and return its path.

    Args:
        make: Returns the report.
        output: Its path. An earlier report there is replaced, any other file only with ``force``.
        begins: How every report of this kind begins.
        what: What it is called in an error.
        force: Replace any file.
    """
    refuse_crawl(output)
    if output.is_dir() or not output.name:
        raise ConfigError(f"{str(output)!r} is a folder: name a file for the {what}.")
    try:
        plain = not is_special(output)
        if plain and not force:
            refuse_strange(output, begins.encode(), what)
        made = make().encode("utf-8", "replace")
        if not plain:
            output.write_bytes(made)
            return output
        output.parent.mkdir(parents=True, exist_ok=True)
        with replaced(output) as temporary:
            temporary.write_bytes(made)
    except OSError as error:
        raise output_error(output, error) from error
    return output


def security_policy(style: str, script: str) -> str:
    """Return a content security policy that allows only the page's own style and script."""
    scripts = f"'{_digest(script)}'" if script else "'none'"
    return (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src {scripts}; "
        f"base-uri 'none'; form-action 'none'"
    )


def web_address(url: str) -> str:
    """Return the URL if it may become a link, otherwise "".

    >>> web_address("https://e.org/"), web_address("javascript:alert(1)")
    ('https://e.org/', '')
    """
    return url if url.startswith(("http://", "https://")) else ""


def file_address(folder: str, file: str) -> str:
    """Return the relative URL of a file.

    >>> file_address(".", "files/e.org/a b.csv")
    './files/e.org/a%20b.csv'
    """
    return f"{folder}/{quote(file, errors='replace')}"


def asset(name: str) -> str:
    """Return the text of a file in the template directory."""
    return files("lodehound.reports").joinpath("html", name).read_text(encoding="utf-8")


@cache
def environment(*more: str) -> Any:
    """Return the template engine: every text is escaped unless a template says otherwise.

    Args:
        more: Packages with templates of their own, in a folder ``html``.
    """
    with extra("report"):
        import jinja2  # noqa: PLC0415 - other reports do without it

    packages = ("lodehound.reports", *more)
    made = jinja2.Environment(
        loader=jinja2.ChoiceLoader([jinja2.PackageLoader(name, "html") for name in packages]),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(
        clean=clean, shorten=shorten, tail=tail, bytes=in_bytes, time=in_time, web=web_address,
        count=lambda number: f"{number:,}", counted=counted,
    )  # fmt: skip
    made.globals.update(file_address=file_address, version=VERSION, now=_now)
    return made


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
