"""The coverage receipt: what a crawl was told, asked, found and left out, with hashes to sign.

The same crawl always gives the same receipt: nothing in it depends on when, where or by whom it
is made.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from lodehound.assembly.ending import MEANINGS
from lodehound.assembly.rebuild import config_of
from lodehound.config import CrawlConfig, secrets_of
from lodehound.core.urls import host_of
from lodehound.options import OPTIONS, written
from lodehound.reports.forecast import forecast_of, rows_of
from lodehound.reports.listed import LIST_REASONS, listings_of
from lodehound.reports.request_log import RequestLog
from lodehound.reports.screen_text import clean
from lodehound.reports.skipped import Skips, skips_of
from lodehound.reports.template import HtmlPage, write_text
from lodehound.stores.catalogue.find_reads import count_unhashed, hashes_of_files
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.log.crawl_reader import CrawlReader
from lodehound.stores.log.request_reads import dates_of_answers
from lodehound.stores.texts import whole_text

FORMAT = 1
FIRST = "lodehound_receipt"  # the first field
RECEIPT = HtmlPage("receipt")
SHOWN = 100  # rows of a table on the page; JSON has all hosts and reasons
FORBIDDEN = {"status 401", "status 403", "status 451"}
OTHER_HOSTS = {"other site", "other part", "host blocked", "host not allowed"}
CATALOGUE = (
    "One line of JSON per find, by the numbers of their requests: url, sha256 (null if only the "
    "beginning was stored), size and fetched_at, in this order, without spaces, in UTF-8, each "
    "line ended by a line feed."
)
FILE_LIST = (
    "One line per stored file, by the bytes of the paths: SHA-256, two spaces, path in the crawl "
    "directory, a line feed; the format of sha256sum. Files of which only the beginning was "
    "stored have no line."
)


def receipt_of(directory: CrawlDir, look: CrawlReader) -> dict[str, Any]:
    """Return the receipt of a crawl as values for JSON.

    Args:
        directory: The crawl.
        look: Its journal.
    """
    config = config_of(directory)
    summary = directory.summary()
    with skips_of(directory, look, listing=False) as skips:
        urls = _fates(skips)
        listings = listings_of(look, skips, only=config.metadata_only)
    return {
        FIRST: FORMAT,
        "seeds": {"urls": list(config.urls), "random_seed": config.seed},
        "options": _options(config),
        "secret_options": secrets_of(directory.config),
        "crawl": _crawl(directory, look) | {"seconds": summary.at},
        "requests": {
            "made": summary.requests,
            "bytes": summary.bytes,
            "statuses": dict(summary.statuses),
            "errors": dict(summary.errors),
            "hosts": _hosts(look),
        },
        "found": {
            "finds": summary.finds,
            "files": summary.files,
            "distinct_files": summary.distinct_files,
            "truncated_files": summary.contents.truncated,
            "datasets": summary.datasets,
        },
        "urls": urls,
        "lists": [asdict(one) for one in listings.lists.values()],
        "listed_not_fetched": {
            "count": listings.missing_count,
            "first": [asdict(one) for one in listings.missing],
        },
        "estimate": forecast_of(directory),
        "hashes": _hashes(directory, look),
    }


def receipt_json(directory: CrawlDir, look: CrawlReader) -> str:
    """Return the receipt as JSON, ended by a line feed."""
    return json.dumps(receipt_of(directory, look), indent=2, allow_nan=False) + "\n"


def receipt_page(directory: CrawlDir, look: CrawlReader) -> str:
    """Return the receipt as an HTML page."""
    told = receipt_of(directory, look)
    hosts = dict.fromkeys(map(host_of, told["seeds"]["urls"]))
    plain = _options(CrawlConfig())
    changed = {n: _typed(n, one) for n, one in told["options"].items() if one != plain[n]}
    return RECEIPT.made(
        title=clean(", ".join(list(hosts)[:3]), 120),
        told=told,
        changed=changed,
        shown=SHOWN,
        reasons=LIST_REASONS,
        left=rows_of(directory),
    )


def write_receipt(
    directory: CrawlDir, look: CrawlReader, output: Path, *, as_json: bool, force: bool = False
) -> Path:
    """Write the receipt atomically and return its path."""
    if not as_json:
        return RECEIPT.write(lambda: receipt_page(directory, look), output, force=force)
    begins = f'{{\n  "{FIRST}": '
    return write_text(
        lambda: receipt_json(directory, look), output, begins=begins, what="receipt", force=force
    )


def _options(config: CrawlConfig) -> dict[str, Any]:
    """Return all options but start URLs, secrets and what is no option; no path of a recording."""
    shown = [n for n, one in OPTIONS.items() if not (one.is_secret or one.is_internal)]
    options = {name: getattr(config, name) for name in shown if name not in {"urls", "seed"}}
    options["replica"] = config.replica.rpartition("/")[2]
    return {n: list(one) if isinstance(one, tuple) else one for n, one in options.items()}


def _typed(name: str, value: Any) -> str:
    """Return the value of an option as it is typed."""
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return ("yes" if value else "no") if isinstance(value, bool) else written(name, value)


def _crawl(directory: CrawlDir, look: CrawlReader) -> dict[str, Any]:
    first, last = dates_of_answers(look)
    ended = directory.ended
    return {
        "begun_at": directory.created_at,
        "first_answer_at": first,
        "last_answer_at": last,
        "version": directory.version,
        "ended": ended,
        "ended_because": MEANINGS.get(ended, ended) if ended else "it has not ended",
        "runs": [asdict(run) for run in directory.facts.runs()],
        "rounds": [
            {"number": one.number, "begun_at": one.began_at, "ended": one.ended}
            for one in directory.facts.rounds()
        ],
    }


def _hosts(look: CrawlReader) -> list[dict[str, Any]]:
    hosts = sorted(RequestLog.of(look).hosts.values(), key=lambda one: (-one.requests, one.name))
    return [{"host": h.name, "requests": h.requests, "failed": h.failed} for h in hosts]


def _fates(skips: Skips) -> dict[str, Any]:
    """Return what became of every URL that was seen; each counts once."""
    fates = {"failed": 0, "cut_off": 0, "forbidden": 0, "on_other_hosts": 0}
    skipped: Counter[str] = Counter()
    reasons = []
    for (reason, detail), count in sorted(skips.counts.items(), key=lambda pair: -pair[1]):
        reasons.append({"reason": reason, "detail": detail, "urls": count})
        if fate := _fate(reason, detail):
            fates[fate] += count
        else:
            skipped[reason] += count
    fetched = skips.seen - sum(skips.counts.values())
    return {
        "seen": skips.seen, "fetched": fetched, **fates, "skipped": dict(skipped.most_common()),
        "reasons": reasons,
    }  # fmt: skip


def _fate(reason: str, detail: str) -> str:
    """Return what became of a URL; "" for those that were skipped.

    >>> _fate("error", "status 403"), _fate("error", "status 404"), _fate("trap", "")
    ('forbidden', 'failed', '')
    """
    if reason == "robots" or (reason == "error" and detail in FORBIDDEN):
        return "forbidden"
    if reason == "scope" and detail in OTHER_HOSTS:
        return "on_other_hosts"
    return {"error": "failed", "size": "cut_off"}.get(reason, "")


def _hashes(directory: CrawlDir, look: CrawlReader) -> dict[str, Any]:
    return {
        "catalogue": _hashed(_catalogue_lines(directory)) | {"of": CATALOGUE},
        "files": _hashed(_file_lines(look))
        | {"without_hash": count_unhashed(look), "of": FILE_LIST},
    }


def _hashed(lines: Iterator[str]) -> dict[str, Any]:
    digest, count = hashlib.sha256(), 0
    for line in lines:
        digest.update(whole_text(line).encode() + b"\n")
        count += 1
    return {"sha256": digest.hexdigest(), "lines": count}


def _catalogue_lines(directory: CrawlDir) -> Iterator[str]:
    for find in directory.finds:
        row = {
            "url": find.url, "sha256": find.sha256 or None, "size": find.size,
            "fetched_at": find.fetched_at,
        }  # fmt: skip
        yield json.dumps(row, ensure_ascii=False, separators=(",", ":"))


def _file_lines(look: CrawlReader) -> Iterator[str]:
    for file, sha256 in hashes_of_files(look):
        yield f"{sha256}  {file}"
