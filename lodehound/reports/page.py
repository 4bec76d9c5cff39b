"""The report: one HTML file that needs no network, no server and, for the essentials, no script.

See `template.py` for how pages are protected against untrusted content. The data for the script is
JSON without any character that HTML could interpret as markup.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any
from urllib.parse import quote

from lodehound.assembly.rebuild import config_of
from lodehound.assembly.replicas import is_offline
from lodehound.reports import harvest
from lodehound.reports.charts import Chart
from lodehound.reports.collection import collection_of
from lodehound.reports.estimates import estimate_chart
from lodehound.reports.group_yields import learned_of
from lodehound.reports.next_steps import next_steps
from lodehound.reports.report_head import headline_of
from lodehound.reports.request_log import RequestLog
from lodehound.reports.site_map import site_map_of, treemap_of
from lodehound.reports.skipped import REASONS, skips_of
from lodehound.reports.template import HtmlPage
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.log.crawl_reader import CrawlReader

REPORT = HtmlPage("report", scripted=True)
SECTIONS = 25  # of the site, in the table
PLAIN_ROWS = 25  # finds in the table that needs no script
# What HTML, or JavaScript in HTML, may take for more than text.
UNSAFE = {c: f"\\u{ord(c):04x}" for c in "<>&'\u2028\u2029"}


def write_report(
    directory: CrawlDir, look: CrawlReader, output: Path, *, force: bool = False
) -> Path:
    """Write the report atomically and return its path."""
    return REPORT.write(lambda: make_report(directory, look, output), output, force=force)


def make_report(directory: CrawlDir, look: CrawlReader, output: Path) -> str:
    """Return the report as HTML.

    Args:
        directory: The crawl.
        look: Its journal.
        output: Where the page will be: links to files are written from there.
    """
    facts = _facts(directory, look)
    facts["folder"] = _folder(directory.path, output)
    return REPORT.made(title=facts["top"].site, data=data_of(facts), **facts)


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


def _facts(directory: CrawlDir, look: CrawlReader) -> dict[str, Any]:
    config = config_of(directory)
    traffic = RequestLog.of(look)
    summary = directory.summary()
    with skips_of(directory, look) as skips:
        details: dict[str, list[tuple[str, int]]] = {}
        for (reason, detail), count in skips.counts.most_common():
            details.setdefault(reason, []).append((detail, count))
        return {
            "top": headline_of(directory, config, skips, summary),
            "config": config,
            "offline": is_offline(config),
            "curves": _curves(traffic, directory, summary.requests),
            "pace": traffic.pace_chart(),
            "hosts": traffic.top_hosts(),
            "host_count": len(traffic.hosts),
            "errors": traffic.errors(),
            "learned": learned_of(look),
            "sample": harvest.sample_of(look, config.want),
            "plain_rows": PLAIN_ROWS,
            "types": harvest.types_of(look),
            "contents": harvest.contents_of(look),
            "all_contents": summary.contents,
            "unreadable": summary.unreadable,
            "skipped": skips.by_reason(),
            "details": details,
            "reasons": REASONS,
            "steps": next_steps(directory, config, summary),
            "collection": collection_of(look, summary.contents.no_rows),
            "sections": (sections := site_map_of(look, skips)).largest("urls", SECTIONS),
            "treemap_of_finds": treemap_of(sections),
        }


def _curves(traffic: RequestLog, directory: CrawlDir, requests: int) -> list[Chart]:
    estimated = estimate_chart(directory.estimates(), requests)
    return [*traffic.progress_charts(), *([estimated] if estimated else [])]


def _folder(directory: Path, output: Path) -> str:
    """Return the way from the page to the crawl directory, as the beginning of an address."""
    try:
        way = os.path.relpath(directory.resolve(), output.resolve().parent)
    except ValueError:  # another drive
        return directory.resolve().as_uri()
    beginning = "" if way.startswith(".") else "./"
    return beginning + quote(os.fsencode(Path(way).as_posix()))  # a name may be no UTF-8
