"""One HTTP request to make, what came of it, and what all of them came to."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from lodehound.core.messages import Answer, Ask, Page, Step
from lodehound.core.urls import host_of
from lodehound.drivers.live.fetch import Reply
from lodehound.read.mime import split_content_type

TaskKind = Literal["page", "robots", "sitemap"]


@dataclass(frozen=True, slots=True)
class Task:
    """One HTTP request to make."""

    number: int
    url: str
    method: str = "GET"
    kind: TaskKind = "page"
    source: str = ""
    ask: Ask | None = None  # of a page
    origin: str = ""  # of a robots.txt: whose it is, wherever redirects lead
    tries: int = 1
    hops: int = 0
    ready_at: float = 0.0
    asked_at: float = 0.0  # when it went out
    recorded: bool = False  # a replica answers

    def is_for(self, host: str) -> bool:
        """Say whether a host is asked for something of its own."""
        return self.kind != "robots" and host_of(self.url) == host


@dataclass(slots=True)
class Tally:
    """What a crawl did, for those who watch."""

    steps: int = 0
    finds: int = 0
    bytes: int = 0
    side_requests: int = 0  # robots.txt and sitemaps: not charged to the budget
    from_sitemaps: int = 0  # links that were first seen in a sitemap or feed
    retries: int = 0
    needing_script: int = 0  # pages without a link that a browser might fill
    unsent: Counter[str] = field(default_factory=Counter)
    silent: Counter[str] = field(default_factory=Counter)  # requests set aside, by host
    details: list[str] = field(default_factory=list)  # the first few errors in full
    errors: Counter[str] = field(default_factory=Counter)
    statuses: Counter[int] = field(default_factory=Counter)

    def count(self, step: Step, answer: Answer, page: Page) -> None:
        """Count one answer."""
        self.needing_script += page.needs_script
        self.steps += 1
        self.finds += step.found
        self.bytes += step.size
        if answer.sent:
            self.statuses[step.status] += 1
        if step.error and answer.sent:
            self.errors[step.error.partition(":")[0]] += 1
            self.note(step.error)
        elif answer.location:
            self.note(f"status {step.status} to {answer.location[:200]}")

    def note(self, error: str) -> None:
        if len(self.details) < 5:
            self.details.append(error)


def answer_of(ask: Ask, reply: Reply, tries: int) -> Answer:
    mime, charset = split_content_type(reply.headers.get("content-type", ""))
    return Answer(
        ask,
        reply.status,
        mime,
        reply.body,
        reply.size,
        reply.headers.get("location", ""),
        charset,
        reply.error,
        reply.cut,
        tries,
        headers=reply.headers,
    )
