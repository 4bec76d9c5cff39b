"""Fetches the pages that a user names as examples of a topic, once each, before the crawl."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from lodehound.assembly.crawl import starts_of
from lodehound.config import CrawlConfig
from lodehound.core.crawl import MAX_REDIRECTS
from lodehound.core.errors import ConfigError
from lodehound.drivers.live.network import get, make_fetcher, request_headers
from lodehound.drivers.live.tasks import Reply
from lodehound.read.mime import split_content_type
from lodehound.read.text import MAX_BODY, page_text


def fetch_examples(config: CrawlConfig, urls: Sequence[str]) -> list[str]:
    """Return the texts of pages, bounded as every request of the crawl is."""
    replies = asyncio.run(_fetch_all(config, urls))
    return [_text(url, reply) for url, reply in zip(urls, replies, strict=True)]


async def _fetch_all(config: CrawlConfig, urls: Sequence[str]) -> list[Reply]:
    fetcher = make_fetcher(config, [*starts_of(config), *urls])
    headers, _ = request_headers(config)
    try:
        return [
            await get(fetcher, url, headers=headers, hops=MAX_REDIRECTS, most=MAX_BODY)
            for url in urls
        ]
    finally:
        await fetcher.close()


def _text(url: str, reply: Reply) -> str:
    if not 200 <= reply.status < 300:
        what = reply.error or f"status {reply.status}"
        raise ConfigError(f"The example {url!r} cannot be fetched: {what}.")
    charset = split_content_type(reply.headers.get("content-type", ""))[1]
    return page_text(reply.body, charset).text
