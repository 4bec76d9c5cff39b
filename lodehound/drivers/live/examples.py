"""Fetches the pages that a user names as examples of a topic, once each, before the crawl."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from lodehound.config import CrawlConfig
from lodehound.core.crawl import MAX_REDIRECTS
from lodehound.core.errors import ConfigError
from lodehound.core.urls import resolve
from lodehound.drivers.live.addresses import AddressGuard
from lodehound.drivers.live.assemble import make_limits, request_headers, starts_of
from lodehound.drivers.live.fetch import Fetcher
from lodehound.read.mime import split_content_type
from lodehound.read.text import MAX_BODY, page_text


def fetch_examples(config: CrawlConfig, urls: Sequence[str]) -> list[str]:
    """Return the texts of pages, bounded as every request of the crawl is."""
    return asyncio.run(_fetch_all(config, urls))


async def _fetch_all(config: CrawlConfig, urls: Sequence[str]) -> list[str]:
    fetcher = Fetcher(
        limits=make_limits(config),
        guard=AddressGuard.made_of([*starts_of(config), *urls], config.allow_private),
        insecure=config.insecure,
        proxy=config.proxy or None,
    )
    try:
        headers, _ = request_headers(config)
        return [await _text(fetcher, url, headers) for url in urls]
    finally:
        await fetcher.close()


async def _text(fetcher: Fetcher, named: str, headers: dict[str, str]) -> str:
    url = named
    for _ in range(MAX_REDIRECTS):
        reply = await fetcher.fetch(url, headers=headers, most=MAX_BODY)
        place = reply.headers.get("location", "")
        if not (300 <= reply.status < 400 and place):
            break
        url = resolve(url, place)
    if not 200 <= reply.status < 300:
        what = reply.error or f"status {reply.status}"
        raise ConfigError(f"The example {named!r} cannot be fetched: {what}.")
    charset = split_content_type(reply.headers.get("content-type", ""))[1]
    return page_text(reply.body, charset).text
