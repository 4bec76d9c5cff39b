"""One HTTP request to make, and what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from lodehound.core.link import Link
from lodehound.core.messages import Answer, Ask, Page
from lodehound.core.urls import host_of, resolve
from lodehound.read.mime import split_content_type

SLOW = 2.0  # seconds after which a request without an answer is slow
TaskKind = Literal["page", "robots", "resource"]


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
    page: int = 0  # of a resource: number of the Ask for the page that loads it
    resource: str = ""  # of a resource: script, fetch, xhr or document

    def is_for(self, host: str) -> bool:
        """Say whether a host is asked for something of its own."""
        return self.kind != "robots" and host_of(self.url) == host


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back. Status 0 and an error: nothing did."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)  # names in lower case
    body: bytes = b""
    size: int = 0  # bytes that came over the wire
    cut: bool = False  # the body is not whole: it passed the limit, or was not wanted
    address: str = ""
    error: str = ""


def answer_of(ask: Ask, reply: Reply, tries: int) -> Answer:
    """Turn what came back for a page into what the crawl receives."""
    mime, charset = split_content_type(reply.headers.get("content-type", ""))
    return Answer(
        ask,
        reply.status,
        mime,
        reply.body,
        reply.size,
        reply.headers.get("location", "") if reply.status != 304 else "",
        charset,
        reply.error,
        reply.cut,
        tries,
        headers=reply.headers,
    )


def links_of(followed: Link, answer: Answer, page: Page) -> list[Link]:
    """Return the links of a page, and the place that a redirect names.

    Args:
        followed: The link that led to it.
        answer: What came back.
        page: The answer as it was read.
    """
    place = answer.location if 300 <= answer.status < 400 else page.moved
    url = resolve(answer.ask.url, place) if place else ""
    return [*page.links, followed._replace(url=url)] if url else list(page.links)


def obstacle_of(waiting: Iterable[Task], flying: Iterable[Task], now: float) -> str:
    """Say which host is slow or fails; "" if none does.

    Args:
        waiting: Requests that will be made.
        flying: Requests without an answer.
        now: The time.
    """
    slow = [task for task in flying if now - task.asked_at >= SLOW]
    if slow:
        task = min(slow, key=lambda task: task.asked_at)
        return f"{host_of(task.url)} has not answered for {now - task.asked_at:.0f} s"
    failed = [task for task in waiting if task.tries > 1]
    if failed:
        task = min(failed, key=lambda task: task.ready_at)
        left = max(task.ready_at - now, 0.0)
        return f"{host_of(task.url)} failed to answer; try {task.tries} in {left:.0f} s"
    return ""
