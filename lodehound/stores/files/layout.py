"""The names of what is in a crawl directory."""

from __future__ import annotations

DATABASE = "crawl.sqlite"
FILES, VERSIONS = "files", "versions"
WARC = "crawl.warc.gz"
METADATA = "metadata.json"
LOCK = "lock"
STOP = "stop"  # somebody asks the crawl to stop
FLEET = "fleet.sqlite"  # a directory with many crawls below it has this instead
# Files that a process may leave behind if it is killed while creating a crawl directory.
JOURNAL = {DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm", f"{DATABASE}-journal"}
OURS = {LOCK, STOP, FILES, *JOURNAL}
