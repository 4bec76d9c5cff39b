"""The skipped URLs as plain lines or as lines of JSON."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator

from lodehound.reports.screen_text import clean
from lodehound.reports.skipped import REASONS, Skips
from lodehound.text.counts import counted

LONG = 2000  # characters of a URL that are shown


def skipped_lines(skips: Skips, *, reason: str, listing: bool, as_json: bool) -> Iterator[str]:
    """Yield the counts, then one line per URL.

    Args:
        skips: The skipped URLs.
        reason: Only URLs skipped for this reason.
        listing: False leaves out the URLs.
        as_json: One JSON object per line: the counts, then each URL.
    """
    rows = skips.rows(reason)  # raises an error for an unknown reason before anything is shown
    yield from [_json_counts(skips)] if as_json else _counts(skips)
    if not listing:
        return
    if not as_json:
        yield ""
    for row in rows:
        if as_json:
            yield json.dumps(dataclasses.asdict(row))
        else:
            detail = clean(row.detail).removeprefix(f"{row.reason}: ")
            why = row.reason if row.reason == "budget" else f"{row.reason}: {detail}"
            yield f"{clean(row.url, LONG)}  [{why}]"


def _counts(skips: Skips) -> Iterator[str]:
    by_reason = skips.by_reason()
    failed = by_reason.get("error", 0)
    skipped = sum(by_reason.values()) - failed
    fetched = skips.seen - failed - skipped
    yield (
        f"{counted(skips.seen, 'URL')} seen: {fetched:,} fetched, {failed:,} failed, "
        f"{skipped:,} not fetched"
    )
    for reason, count in skips.by_reason().items():
        yield f"  {reason:10} {count:>10,}  {REASONS[reason]}"
        details = [(why[1], n) for why, n in skips.counts.most_common() if why[0] == reason]
        if len(details) > 1 or details[0][0] not in {"waiting", "truncated"}:
            yield from (f"  {'':10} {n:>10,}    {clean(detail)}" for detail, n in details[:8])


def _json_counts(skips: Skips) -> str:
    details: dict[str, dict[str, int]] = {}
    for (reason, detail), count in skips.counts.most_common():
        details.setdefault(reason, {})[detail] = count
    fetched = skips.seen - sum(skips.counts.values())
    totals = {"seen": skips.seen, "fetched": fetched, "skipped": skips.by_reason()}
    return json.dumps({**totals, "details": details})
