"""The plain Scrapy spider that a live crawl is measured against.

    python -m bench.live_spider URL CONCURRENCY

follows every link of a site once and prints what that took, as JSON.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.http import HtmlResponse, Response


class Plain(scrapy.Spider):
    """Follows links. That is all."""

    name = "plain"

    def parse(self, response: Response, **options: Any) -> Iterator[Any]:  # noqa: ARG002 - as inherited
        """Follow the links of a page; count a file."""
        if not isinstance(response, HtmlResponse):
            yield {"url": response.url, "bytes": len(response.body)}
            return
        for place in response.css("a::attr(href), area::attr(href), iframe::attr(src)").getall():
            yield response.follow(place)


def settings(concurrency: int) -> dict[str, Any]:
    """Return what the live crawl of the benchmark is told, in Scrapy's words."""
    return {
        "CONCURRENT_REQUESTS": concurrency,
        "CONCURRENT_REQUESTS_PER_DOMAIN": concurrency,
        "DOWNLOAD_DELAY": 0,
        "ROBOTSTXT_OBEY": True,
        "COOKIES_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "LOG_ENABLED": False,
    }


def main() -> None:
    process = CrawlerProcess(settings(int(sys.argv[2])))
    crawler = process.create_crawler(Plain)
    process.crawl(crawler, start_urls=[sys.argv[1]])
    process.start()
    stats = crawler.stats.get_stats() if crawler.stats is not None else {}
    print(
        json.dumps(
            {
                "requests": stats["downloader/response_count"],
                "seconds": stats["elapsed_time_seconds"],
            }
        )
    )


if __name__ == "__main__":
    main()
