"""Real crawls in a process of their own; ``python -m tests.scrapy.child`` reads jobs.

A job is ``[spider, url, settings]``; all run at the same time. A result is the
items and the statistics of one crawl.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scrapy.crawler import AsyncCrawlerProcess, Crawler
from scrapy.signals import item_scraped

from tests.scrapy.spiders import SPIDERS

TOP = Path(__file__).parent.parent.parent
ADDON = {"ADDONS": {"lodehound.scrapy.Lodehound": 100}}
SETTINGS = {
    "LOG_LEVEL": "INFO",
    "TELNETCONSOLE_ENABLED": False,
    "RETRY_TIMES": 1,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 4,
}


@dataclass(frozen=True, slots=True)
class Job:
    """One crawl to run."""

    spider: str
    url: str
    settings: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Result:
    """What came of it."""

    items: list[dict[str, str]]
    stats: dict[str, Any]
    log: str  # of all crawls

    @property
    def found(self) -> list[str]:
        return sorted(item["found"] for item in self.items if "found" in item)


def crawl(*jobs: Job) -> list[Result]:
    """Run crawls in a child process."""
    written = json.dumps([[job.spider, job.url, SETTINGS | job.settings] for job in jobs])
    child = subprocess.run(
        [sys.executable, "-m", "tests.scrapy.child"],
        input=written,
        capture_output=True,
        text=True,
        cwd=TOP,
        check=False,
    )
    assert child.returncode == 0, child.stderr
    results = json.loads(child.stdout)
    return [Result(found["items"], found["stats"], child.stderr) for found in results]


def main() -> None:
    """Run the jobs on standard input."""
    process = AsyncCrawlerProcess({"LOG_LEVEL": "INFO"})
    started = [_start(process, *job) for job in json.load(sys.stdin)]
    process.start()
    results = [{"items": items, "stats": crawler.stats.get_stats()} for items, crawler in started]
    json.dump(results, sys.stdout, default=str)


def _start(
    process: AsyncCrawlerProcess, name: str, url: str, settings: dict[str, Any]
) -> tuple[list[Any], Crawler]:
    crawler = Crawler(SPIDERS[name], settings)
    items: list[Any] = []

    def note(item: Any) -> None:
        items.append(item)

    crawler.signals.connect(note, signal=item_scraped, weak=False)
    process.crawl(crawler, start=url)
    return items, crawler


if __name__ == "__main__":
    main()
