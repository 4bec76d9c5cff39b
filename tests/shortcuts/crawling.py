"""Crawls of generated portals without a network."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lodehound.assembly.build import make_crawl
from lodehound.config import CrawlConfig
from lodehound.core.crawl import Crawl
from lodehound.core.messages import Answer, Ask, Step
from lodehound.drivers.replay import run
from lodehound.read.mime import split_content_type
from lodehound.stores.records import Record

ROOT = "https://portal.example/"


@dataclass
class Harvest:
    """A crawl and its steps."""

    crawl: Crawl
    steps: list[Step]

    @property
    def urls(self) -> list[str]:
        return [step.url for step in self.steps]

    @property
    def finds(self) -> list[str]:
        return [step.url for step in self.steps if step.found]


def harvest(
    get: Callable[[str], Record],
    *,
    root: str = ROOT,
    requests: int | None = None,
    policy: str = "lodehound",
    **options: object,
) -> Harvest:
    """Crawl a site to its end, or for so many requests."""
    config = CrawlConfig.made_of(
        {"urls": (root,), "policy": policy, "requests": requests} | options
    )
    crawl = make_crawl(config)
    return Harvest(crawl, list(run(crawl, answerer(get))))


def answerer(get: Callable[[str], Record]) -> Callable[[Ask], Answer]:
    def answer(ask: Ask) -> Answer:
        record = get(ask.url)
        mime, charset = split_content_type(record.content_type)
        headers = {"link": record.link_header} if record.link_header else {}
        return Answer(
            ask,
            record.status,
            mime,
            record.body,
            record.size,
            location=record.location,
            charset=charset,
            headers=headers,
        )

    return answer
