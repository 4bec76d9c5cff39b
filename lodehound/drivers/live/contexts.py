"""Fetches JSON-LD contexts from the web, for exports whose user asks for it."""

from __future__ import annotations

import asyncio

from lodehound.drivers.live.addresses import AddressGuard
from lodehound.drivers.live.fetch import Fetcher, Limits
from lodehound.drivers.live.network import PRODUCT, get
from lodehound.read.rdf.contexts import MAX_CONTEXT
from lodehound.stores.contexts import Fetch
from lodehound.version import VERSION

MAX_HOPS = 5
HEADERS = {
    "User-Agent": f"{PRODUCT}/{VERSION}",
    "Accept": "application/ld+json, application/json;q=0.9, */*;q=0.1",
}


def context_fetcher(guard: AddressGuard | None = None) -> Fetch:
    """Return what fetches a context; it gives b"" when that cannot be had whole."""
    limits = Limits(connect=10.0, first_byte=15.0, total=30.0, body=MAX_CONTEXT + 1)

    async def fetch(address: str) -> bytes:
        fetcher = Fetcher(limits=limits, guard=guard or AddressGuard())
        try:
            reply = await get(fetcher, address, headers=HEADERS, hops=MAX_HOPS)
        finally:
            await fetcher.close()
        return reply.body if 200 <= reply.status < 300 and not reply.cut else b""

    return lambda address: asyncio.run(fetch(address))
