"""Spiders of all manners, which know nothing of Lodehound; each follows every link it is shown."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

from scrapy import FormRequest, Request, Spider
from scrapy.http import HtmlResponse, Response
from twisted.python.failure import Failure


class Visitor(Spider):
    """Yields an item for all that is no page, and for every failure."""

    name = "visitor"

    def __init__(self, start: str, **options: Any) -> None:
        super().__init__(**options)
        self.start_urls = [start]

    def parse(self, response: Response) -> Any:
        """A plain generator."""
        yield from self.output(response)

    def output(self, response: Response) -> Iterator[Any]:
        if not isinstance(response, HtmlResponse):
            yield {"found": response.url.rpartition("/")[2]}
            return
        for link in response.css("a::attr(href)").getall():
            yield response.follow(link, errback=self.failed)

    def failed(self, failure: Failure) -> Iterator[Any]:
        request: Request = failure.request  # type: ignore[attr-defined]
        yield {"failed": request.url.rpartition("/")[2], "why": type(failure.value).__name__}


class Careless(Visitor):
    """Without errbacks; asks for some things twice, first, or by POST."""

    name = "careless"

    def parse(self, response: Response) -> Any:
        for output in self.output(response):
            yield output.replace(errback=None) if isinstance(output, Request) else output
        if isinstance(response, HtmlResponse):
            yield Request(response.urljoin("/urgent.csv"), priority=10)
            yield Request(response.urljoin("/urgent.csv"), priority=10)
            yield Request(response.urljoin("/twice.csv"), dont_filter=response.url.endswith("/"))
            yield FormRequest(response.urljoin("/search"), formdata={"q": "x"})


class Waiting(Visitor):
    """An asynchronous generator that lets others run between its requests."""

    name = "waiting"

    async def parse(self, response: Response) -> AsyncIterator[Any]:
        for output in self.output(response):
            await asyncio.sleep(0.001)
            yield output


class Listing(Visitor):
    """Returns lists, and None where there is nothing."""

    name = "listing"

    def parse(self, response: Response) -> Any:
        return list(self.output(response)) or None


class Awaiting(Visitor):
    """A coroutine that returns a list."""

    name = "awaiting"

    async def parse(self, response: Response) -> Any:
        await asyncio.sleep(0)
        return list(self.output(response))


class Stuck(Visitor):
    """Its first callback ends only when what it asked for has come."""

    name = "stuck"

    async def parse(self, response: Response) -> AsyncIterator[Any]:
        came = asyncio.Event()
        for output in self.output(response):
            if isinstance(output, Request) and response.url == self.start_urls[0]:
                yield output.replace(callback=self.set, cb_kwargs={"came": came})
            else:
                yield output
        if response.url == self.start_urls[0]:
            await came.wait()
            yield {"found": "the end"}

    def set(self, response: Response, came: asyncio.Event) -> Iterator[Any]:
        came.set()
        yield from self.output(response)


class Raising(Visitor):
    """Fails in the middle of every page."""

    name = "raising"

    def parse(self, response: Response) -> Any:
        for number, output in enumerate(self.output(response)):
            if number == 2:
                raise RuntimeError("a bug in a spider")
            yield output


SPIDERS: dict[str, type[Visitor]] = {
    spider.name: spider
    for spider in (Visitor, Careless, Waiting, Listing, Awaiting, Stuck, Raising)
}
