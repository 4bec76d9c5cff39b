"""Which hosts sleep: they may not be asked now, because of the delay or because they fail."""

from __future__ import annotations

from lodehound.stores.database.packed import unpack_sleep
from lodehound.stores.log.crawl_reader import CrawlReader

CHANGES = """
    SELECT seq, asleep FROM asks WHERE seq > ? AND asleep IS NOT NULL
    UNION ALL SELECT seq, asleep FROM waits WHERE seq > ? AND asleep IS NOT NULL ORDER BY seq"""


class SleepReader:
    """Follows the journal: reads what has changed since the last time."""

    def __init__(self) -> None:
        self._seq = 0
        self._hosts: set[str] = set()

    def read(self, look: CrawlReader) -> set[str]:
        """Return the hosts that slept at the last event of the journal."""
        for seq, packed in look.rows(CHANGES, self._seq, self._seq):
            self._seq = seq
            change = unpack_sleep(packed)
            kept = set() if change.whole else self._hosts - change.woke
            self._hosts = kept | change.fell
        return self._hosts
