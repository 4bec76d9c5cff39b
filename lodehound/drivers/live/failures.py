"""What failed replies mean: for another try, and for the host."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from lodehound.core.urls import host_of
from lodehound.drivers.live.politeness import Politeness
from lodehound.drivers.live.tasks import Reply, Task

# Answers that a second try may turn into better ones (RFC 9110, 15.6; RFC 6585, 4).
RETRIED = {0, 429, 500, 502, 503, 504}
# Failures that another try will not mend.
FINAL_ERRORS = ("private address", "TLS", "ValueError", "InvalidURL")
# Failures that say something of one URL and nothing of its host: it did answer.
OWN_ERRORS = (*FINAL_ERRORS, "ClientResponseError", "ClientPayloadError")
# Answers by which a host says that it is too much for it.
TOO_MUCH = {429, 503}


def may_mend(reply: Reply) -> bool:
    """Say whether another try may bring something better."""
    return reply.status in RETRIED and not reply.error.startswith(FINAL_ERRORS)


def is_hosts_fault(reply: Reply) -> bool:
    """Say whether an answer speaks of its host, which then rests, and not of one URL.

    A section of pages that give 500 must not cost the rest of the site.
    """
    if reply.status:
        return reply.status in TOO_MUCH
    return not reply.error.startswith(OWN_ERRORS)


def worth_a_retry(task: Task, reply: Reply, retries: int) -> bool:
    """Say whether a request that failed may well succeed another time."""
    is_page = task.kind == "page" and not task.recorded
    return is_page and may_mend(reply) and task.tries <= retries


def note_reply(politeness: Politeness, task: Task, reply: Reply, now: float) -> None:
    """Tell what a reply means for its host."""
    if task.recorded:
        politeness.release(host_of(task.url), now)
        return
    politeness.came_back(
        host_of(task.url),
        now,
        failed=is_hosts_fault(reply),
        retry_after=retry_after(reply),
        asked_at=task.asked_at,
        again=task.tries > 1,
    )


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
