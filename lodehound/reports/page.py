"""The report: one HTML file that needs no network, no server and, for the essentials, no script.

Everything that came from the web is hostile until shown otherwise. The template
engine escapes texts, only http and https addresses become links, data for the
script is JSON without any character that HTML could take for markup, and a
content security policy lets nothing run but the page's own style and script, by their hashes.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import quote

from lodehound.assembly.rebuild import config_of
from lodehound.assembly.replicas import is_offline
from lodehound.core.errors import ConfigError
from lodehound.core.extras import extra
from lodehound.reports import harvest
from lodehound.reports.clean import clean, in_bytes, in_time, shorten, tail
from lodehound.reports.headline import headline_of
from lodehound.reports.learned import learned_of
from lodehound.reports.request_log import RequestLog
from lodehound.reports.skipped import REASONS, skips_of
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.crawl_dir.errors import output_error
from lodehound.stores.crawl_dir.look import Look
from lodehound.stores.crawl_dir.output import refuse_crawl, refuse_strange, replaced
from lodehound.version import VERSION

BEGINS = b"<!DOCTYPE html>\n<!-- lodehound report -->"
PLAIN_ROWS = 25  # finds in the table that needs no script
# What HTML, or JavaScript in HTML, may take for more than text.
UNSAFE = {c: f"\\u{ord(c):04x}" for c in "<>&'\u2028\u2029"}


def write_report(directory: CrawlDir, look: Look, output: Path, *, force: bool = False) -> Path:
    """Write the report, whole or not at all; return where it is.

    An earlier report is replaced, any other file only by ``force``, and nothing of a crawl.
    """
    refuse_crawl(directory.path, output)
    if output.is_dir() or not output.name:
        raise ConfigError(f"{str(output)!r} is a folder: name a file for the report.")
    try:
        plain = not output.exists() or output.is_file()  # else a pipe or a device
        if plain and not force:
            refuse_strange(output, BEGINS, "report")
        made = make_report(directory, look, output).encode("utf-8", "replace")
        if not plain:
            output.write_bytes(made)
            return output
        output.parent.mkdir(parents=True, exist_ok=True)
        with replaced(output) as temporary:
            temporary.write_bytes(made)
    except OSError as error:
        raise output_error(output, error) from error
    return output


def make_report(directory: CrawlDir, look: Look, output: Path) -> str:
    """Return the report as HTML.

    Args:
        directory: The crawl.
        look: Its journal.
        output: Where the page will be: links to files are written from there.
    """
    style, script = _asset("report.css"), _asset("report.js")
    facts = _facts(directory, look)
    facts["folder"] = _folder(directory.path, output)
    made: str = _template().render(
        **facts,
        style=style,
        script=script,
        policy=security_policy(style, script),
        data=data_of(facts),
        version=VERSION,
        now=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
    )
    return made


def security_policy(style: str, script: str) -> str:
    """Return what a browser may do with the page: nothing but its own style and script."""
    return (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        f"base-uri 'none'; form-action 'none'"
    )


def safe_json(value: Any) -> str:
    r"""Return JSON that may stand in a script element of any page.

    >>> safe_json({"title": "</script><!--\u2028"})
    '{"title":"\\u003c/script\\u003e\\u003c!--\\u2028"}'
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    text = text.encode("utf-8", "replace").decode()  # a lone surrogate is no character
    for character, escape in UNSAFE.items():
        text = text.replace(character, escape)
    return text


def web_address(url: str) -> str:
    """Return the address if it may be a link, else "".

    >>> web_address("https://e.org/"), web_address("javascript:alert(1)")
    ('https://e.org/', '')
    """
    return url if url.startswith(("http://", "https://")) else ""


def file_address(folder: str, file: str) -> str:
    """Return the way from the page to a file.

    >>> file_address(".", "files/e.org/a b.csv")
    './files/e.org/a%20b.csv'
    """
    return f"{folder}/{quote(file, errors='replace')}"


def data_of(facts: dict[str, Any]) -> str:
    """Return what the page's script searches through."""
    sample: harvest.Sample = facts["sample"]
    return safe_json(
        {
            "columns": harvest.COLUMNS,
            "rows": sample.rows,
            "pages": sample.pages,
            "folder": facts["folder"],
        }
    )


def _facts(directory: CrawlDir, look: Look) -> dict[str, Any]:
    config = config_of(directory)
    traffic = RequestLog.of(look)
    contents = harvest.contents_of(look)
    with skips_of(directory, look, listing=False) as skips:
        details: dict[str, list[tuple[str, int]]] = {}
        for (reason, detail), count in skips.counts.most_common():
            details.setdefault(reason, []).append((clean(detail), count))
        return {
            "top": headline_of(directory, config, skips),
            "config": config,
            "offline": is_offline(config),
            "curves": traffic.progress_charts(),
            "pace": traffic.pace_chart(),
            "hosts": traffic.top_hosts(),
            "host_count": len(traffic.hosts),
            "errors": traffic.errors(),
            "learned": learned_of(look),
            "sample": harvest.sample_of(look, config.want),
            "plain_rows": PLAIN_ROWS,
            "types": harvest.types_of(look),
            "contents": contents,
            "all_contents": harvest.all_of(contents),
            "skipped": skips.by_reason(),
            "details": details,
            "reasons": REASONS,
        }


def _template() -> Any:
    with extra("report"):
        import jinja2  # noqa: PLC0415 - other reports do without it

    made = jinja2.Environment(
        loader=jinja2.PackageLoader("lodehound.reports", "html"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(
        clean=clean, shorten=shorten, tail=tail, bytes=in_bytes, time=in_time, web=web_address
    )
    made.globals["file_address"] = file_address
    return made.get_template("report.html.jinja")


def _asset(name: str) -> str:
    return files("lodehound.reports").joinpath("html", name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _folder(directory: Path, output: Path) -> str:
    """Return the way from the page to the crawl directory, as the beginning of an address."""
    try:
        way = os.path.relpath(directory.resolve(), output.resolve().parent)
    except ValueError:  # another drive
        return directory.resolve().as_uri()
    beginning = "" if way.startswith(".") else "./"
    return beginning + quote(Path(way).as_posix())
