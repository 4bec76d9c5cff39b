"""A site that changes, recorded as a WARC in which a URL has several responses.

The answer at a time is the last record that is not later; 404 is gone, and a
URL that was not recorded yet is a 404. The dates of the snapshots are in
``warcinfo``. Every version is read and kept once, whatever the number of
snapshots that it lasts for.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Self

import numpy as np

from lodehound.core.errors import SiteError, reason_of
from lodehound.stores.cache import cache_folder, content_key, keep_site, load_site
from lodehound.stores.packing import pack, unpack
from lodehound.stores.records import Damage, Record
from lodehound.stores.site import Columns, Ids, RecordedSite
from lodehound.stores.warc import read_snapshots, read_warc

LINK_COLUMNS = (
    "link_url", "link_path", "link_anchor", "link_around", "link_kind", "link_context",
)  # fmt: skip
KEPT = ("url", "since", "dates")


@dataclass(slots=True)
class Timeline:
    """Every version of every URL of a site that changes.

    Attributes:
        dates: Of the snapshots, as they stand in ``warcinfo``.
        url: Number of the URL of each version.
        since: Snapshot in which each version appeared.
        versions: The versions, one row each in place of one per URL; the last row is a 404.
    """

    dates: list[str]
    url: Ids
    since: Ids
    versions: RecordedSite

    @classmethod
    def build(cls, name: str, dates: list[str], records: Iterable[Record]) -> Self:
        """Read records, each with its date; those after the last snapshot are left out."""
        times = [moment(date) for date in dates]
        columns, since = Columns(versions=True), []
        for record in records:
            at = bisect_left(times, moment(record.date))
            if at < len(times) and columns.add(record):
                since.append(at)
        if not since:
            raise SiteError(f"{name} holds no response of its snapshots.")
        url = np.array(columns.numbers, dtype=np.int32)
        columns.add(Record(columns.recorded.texts[0], 404))
        return cls(dates, url, np.array(since, dtype=np.int32), columns.site(name))

    @property
    def name(self) -> str:
        return self.versions.name

    def at(self, snapshot: int) -> RecordedSite:
        """Return the site as it was at a snapshot; URLs have the same numbers at all of them."""
        rows = self.rows(snapshot)
        versions = self.versions
        firsts, lasts = versions.starts[rows], versions.starts[rows + 1]
        starts = np.concatenate(([0], np.cumsum(lasts - firsts)))
        # Row by row, the numbers from first to last: one long range, set back for each row.
        links = np.arange(starts[-1]) + np.repeat(firsts - starts[:-1], lasts - firsts)
        return replace(
            versions,
            **{name: getattr(versions, name)[links] for name in LINK_COLUMNS},
            status=versions.status[rows],
            mime=versions.mime[rows],
            size=versions.size[rows],
            head_size=versions.head_size[rows],
            location=versions.location[rows],
            starts=starts,
            etags=[versions.etags[row] for row in rows],
            modified=[versions.modified[row] for row in rows],
            digests=[versions.digests[row] for row in rows],
            _index={},
        )

    def rows(self, snapshot: int) -> Ids:
        """Return the version of every recorded URL at a snapshot."""
        found = np.full(int(self.url.max()) + 1, len(self.url), dtype=np.int32)  # the 404
        there = np.flatnonzero(self.since <= snapshot)
        # The records of a URL come in the order of their dates, so its last one stays.
        there = there[np.argsort(self.since[there], kind="stable")]
        found[self.url[there]] = there
        return found


def moment(date: str) -> datetime:
    """Return the time of a WARC-Date or of a snapshot.

    >>> moment("2024-04-30T17:43:37Z").isoformat()
    '2024-04-30T17:43:37+00:00'
    """
    try:
        found = datetime.fromisoformat(date)
    except ValueError as error:
        raise SiteError(
            f"{date!r} is no date of a timeline: write 2024-04-30T17:43:37Z."
        ) from error
    if found.tzinfo is None:
        raise SiteError(f"{date!r} names no time zone: write 2024-04-30T17:43:37Z.")
    return found


def open_timeline(path: Path, *, cache: Path | None = None) -> Timeline:
    """Return the timeline that a WARC file holds, reading it only once."""
    try:
        key = content_key([path])
    except OSError as error:
        raise SiteError(f"{path.name} cannot be read: {reason_of(error)}.") from error
    kept = cache_folder(cache) / f"{key}.timeline"
    loaded = load_site(kept, path.name, KEPT)
    if loaded is not None:
        site, more = loaded
        return Timeline(unpack(more["dates"]), more["url"], more["since"], site)
    dates = read_snapshots(path)
    if not dates:
        raise SiteError(
            f"{str(path)!r} is no timeline: its warcinfo lists no snapshots. "
            f"Race it without --rounds."
        )
    damage = Damage()
    timeline = Timeline.build(path.name, dates, read_warc(path, damage))
    timeline.versions.damage = damage
    keep_site(timeline.versions, kept, dates=pack(dates), url=timeline.url, since=timeline.since)
    return timeline
