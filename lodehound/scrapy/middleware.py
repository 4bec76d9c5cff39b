"""The spider middleware: passes responses, and the page of each request, to the scheduler."""

from __future__ import annotations

from typing import cast

from scrapy.http import Request, Response
from scrapy.spidermiddlewares.base import BaseSpiderMiddleware

from lodehound.scrapy.scheduler import LearnedScheduler


class LinkMemory(BaseSpiderMiddleware):
    """Records the links of a response, and which of them the spider follows.

    The base class iterates over the output of a callback, in ``process_spider_output`` and
    ``process_spider_output_async``, and calls us for every request in it.
    """

    @property
    def _scheduler(self) -> LearnedScheduler:
        return cast("LearnedScheduler", self.crawler.engine.scheduler)

    def process_spider_input(self, response: Response) -> None:
        """Read a response before another middleware can drop it for its status."""
        self._scheduler.note_response(response)

    def get_processed_request(self, request: Request, response: Response | None) -> Request:
        """Record the page of a request; start requests have none."""
        if response is not None:
            self._scheduler.note_request(request, response)
        return request
