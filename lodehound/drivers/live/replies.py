"""What comes back for a request: what the crawl makes of it, and what a failure means."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from lodehound.core.link import Link
from lodehound.core.lives import Life
from lodehound.core.messages import Answer, Ask, Page
from lodehound.core.urls import resolve
from lodehound.read.mime import split_content_type

# Answers that a second try may turn into better ones (RFC 9110, 15.6; RFC 6585, 4).
RETRIED = {0, 429, 500, 502, 503, 504}
# Failures that another try will not mend.
FINAL_ERRORS = ("private address", "TLS", "ValueError", "InvalidURL")
# Failures that say something of one URL and nothing of its host: it did answer.
OWN_ERRORS = (*FINAL_ERRORS, "ClientResponseError", "ClientPayloadError")
# Answers by which a host says that it is too much for it.
TOO_MUCH = {429, 503}


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


def is_hosts_fault(reply: Reply) -> bool:
    """Return whether an answer speaks of its host, which then rests, and not of one URL.

    A section of pages that give 500 must not cost the rest of the site.
    """
    if reply.status:
        return reply.status in TOO_MUCH
    return not reply.error.startswith(OWN_ERRORS)


def worth_a_retry(life: Life, reply: Reply, retries: int) -> bool:
    """Return whether a request with one of the statuses above may well succeed another time."""
    may = life.tries <= retries and life.kind == "page" and not life.recorded
    return may and not reply.error.startswith(FINAL_ERRORS)


def retry_after(reply: Reply) -> float:
    """Return the seconds a host asks us to wait (RFC 9110, 10.2.3).

    A date counts from the host's own Date, whatever our clock says.
    """
    text = reply.headers.get("retry-after", "").strip()
    if text.isdigit():
        return float(text[:9])
    return _until(text, reply.headers.get("date", ""))


def _until(text: str, date: str) -> float:
    try:
        now = parsedate_to_datetime(date) if date else datetime.now(UTC)
        wait = parsedate_to_datetime(text) - now
    except (TypeError, ValueError):
        return 0.0
    return max(wait.total_seconds(), 0.0)
