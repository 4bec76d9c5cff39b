"""Fetches single documents outside of a crawl: examples of a topic, contexts of JSON-LD."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from lodehound.assembly.build import starts_of
from lodehound.config import CrawlConfig
from lodehound.core.crawl import MAX_REDIRECTS
from lodehound.core.errors import ConfigError
from lodehound.core.urls import canonical, resolve
from lodehound.drivers.live.addresses import AddressGuard
from lodehound.drivers.live.fetch import Fetcher, Limits
from lodehound.drivers.live.network import PRODUCT, make_fetcher, request_headers
from lodehound.drivers.live.replies import Reply
from lodehound.read.mime import split_content_type
from lodehound.read.rdf.jsonld_contexts import MAX_CONTEXT
from lodehound.read.text import MAX_BODY, page_text
from lodehound.stores.contexts import Fetch
from lodehound.version import VERSION

CONTEXT_HEADERS = {
    "User-Agent": f"{PRODUCT}/{VERSION}",
    "Accept": "application/ld+json, application/json;q=0.9, */*;q=0.1",
}


def fetch_examples(config: CrawlConfig, urls: Sequence[str]) -> list[str]:
    """Return the texts of pages, bounded as every request of the crawl is."""
    replies = asyncio.run(_fetch_all(config, urls))
    return [_text(url, reply) for url, reply in zip(urls, replies, strict=True)]


async def _fetch_all(config: CrawlConfig, urls: Sequence[str]) -> list[Reply]:
    guard = AddressGuard.made_of([*starts_of(config), *urls], config.allow_private)
    fetcher = make_fetcher(config, guard)
    headers, _ = request_headers(config)
    try:
        return [await _get(fetcher, url, headers, most=MAX_BODY) for url in urls]
    finally:
        await fetcher.close()


def _text(url: str, reply: Reply) -> str:
    if not 200 <= reply.status < 300:
        what = reply.error or f"status {reply.status}"
        raise ConfigError(f"The example {url!r} cannot be fetched: {what}.")
    charset = split_content_type(reply.headers.get("content-type", ""))[1]
    return page_text(reply.body, charset).text


def context_fetcher(guard: AddressGuard | None = None) -> Fetch:
    """Return what fetches a context; it gives b"" when that cannot be had whole."""
    limits = Limits(connect=10.0, first_byte=15.0, total=30.0, body=MAX_CONTEXT + 1)

    async def fetch(address: str) -> bytes:
        fetcher = Fetcher(limits=limits, guard=guard or AddressGuard())
        try:
            reply = await _get(fetcher, address, CONTEXT_HEADERS)
        finally:
            await fetcher.close()
        return reply.body if 200 <= reply.status < 300 and not reply.cut else b""

    return lambda address: asyncio.run(fetch(address))


async def _get(
    fetcher: Fetcher, url: str, headers: Mapping[str, str], *, most: int | None = None
) -> Reply:
    """Fetch one document, its redirects included."""
    reply = await fetcher.fetch(canonical(url), headers=headers, most=most)
    for _ in range(MAX_REDIRECTS):
        url = resolve(url, reply.headers.get("location", ""))
        if not (300 <= reply.status < 400 and url):
            break
        reply = await fetcher.fetch(url, headers=headers, most=most)
    return reply
