"""What comes back for a request, and what the crawl makes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lodehound.core.link import Link
from lodehound.core.lives import Lives, State
from lodehound.core.messages import Answer, Ask, Page
from lodehound.core.urls import host_of, resolve
from lodehound.read.mime import split_content_type

SLOW = 2.0  # seconds after which a request without an answer is slow


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


def obstacle_of(lives: Lives, now: float) -> str:
    """Return which host is slow or fails, in words; "" if none does."""
    slow = [life for life in lives.by_state[State.SENT].values() if now - life.asked_at >= SLOW]
    if slow:
        life = min(slow, key=lambda life: life.asked_at)
        return f"{host_of(life.url)} has not answered for {now - life.asked_at:.0f} s"
    failed = [life for life in lives.take(State.ROBOTS, State.HOST) if life.tries > 1]
    if failed:
        life = min(failed, key=lambda life: life.ready_at)
        left = max(life.ready_at - now, 0.0)
        return f"{host_of(life.url)} failed to answer; try {life.tries} in {left:.0f} s"
    return ""
