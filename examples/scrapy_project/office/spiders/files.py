"""Follows every link of a site; yields an item for every file that is no web page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from scrapy import Spider
from scrapy.http import HtmlResponse, Response
from scrapy.linkextractors import LinkExtractor


class FilesSpider(Spider):
    """``scrapy crawl files -a start=https://www.example.org/``. It knows nothing of Lodehound."""

    name = "files"

    def __init__(self, start: str, **options: Any) -> None:
        super().__init__(**options)
        self.start_urls = [start]
        self.allowed_domains = [urlsplit(start).hostname or ""]
        self.links = LinkExtractor(deny_extensions=[])

    def parse(self, response: Response) -> Iterator[Any]:
        """Follow the links of a page; report anything else."""
        if isinstance(response, HtmlResponse):
            for link in self.links.extract_links(response):
                yield response.follow(link)
        else:
            kind = (response.headers.get("Content-Type") or b"").decode("latin-1")
            yield {"url": response.url, "type": kind, "size": len(response.body)}
