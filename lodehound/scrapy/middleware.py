"""The spider middleware: tells the scheduler what came back and which page a request is from."""

from __future__ import annotations

from typing import cast

from scrapy.http import Request, Response
from scrapy.spidermiddlewares.base import BaseSpiderMiddleware

from lodehound.scrapy.scheduler import LearnedScheduler


class LinkMemory(BaseSpiderMiddleware):
    """Remembers what a response showed, and which of its links the spider follows.

    The base class walks through the output of a callback, ``process_spider_output``
    and ``process_spider_output_async`` alike, and asks us about every request in it.
    """

    @property
    def _scheduler(self) -> LearnedScheduler:
        return cast("LearnedScheduler", self.crawler.engine.scheduler)

    def process_spider_input(self, response: Response) -> None:
        """Read a response before anybody can drop it for its status."""
        self._scheduler.note_response(response)

    def get_processed_request(self, request: Request, response: Response | None) -> Request:
        """Remember which page a request is from; start requests are from none."""
        if response is not None:
            self._scheduler.note_request(request, response)
        return request
