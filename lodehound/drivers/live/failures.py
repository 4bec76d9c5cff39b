"""What failed replies mean: for another try, and for the host."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from lodehound.core.lives import Life
from lodehound.drivers.live.politeness import Politeness
from lodehound.drivers.live.tasks import Reply

# Answers that a second try may turn into better ones (RFC 9110, 15.6; RFC 6585, 4).
RETRIED = {0, 429, 500, 502, 503, 504}
# Failures that another try will not mend.
FINAL_ERRORS = ("private address", "TLS", "ValueError", "InvalidURL")
# Failures that say something of one URL and nothing of its host: it did answer.
OWN_ERRORS = (*FINAL_ERRORS, "ClientResponseError", "ClientPayloadError")
# Answers by which a host says that it is too much for it.
TOO_MUCH = {429, 503}


def may_mend(reply: Reply) -> bool:
    """Return whether another try may bring something better."""
    return reply.status in RETRIED and not reply.error.startswith(FINAL_ERRORS)


def is_hosts_fault(reply: Reply) -> bool:
    """Return whether an answer speaks of its host, which then rests, and not of one URL.

    A section of pages that give 500 must not cost the rest of the site.
    """
    if reply.status:
        return reply.status in TOO_MUCH
    return not reply.error.startswith(OWN_ERRORS)


def worth_a_retry(life: Life, reply: Reply, retries: int) -> bool:
    """Return whether a request that failed may well succeed another time."""
    may = reply.status in RETRIED and life.tries <= retries
    return may and life.kind == "page" and not life.recorded and may_mend(reply)


def note_reply(politeness: Politeness, life: Life, reply: Reply, now: float, *, fault: bool) -> str:
    """Note what a reply means for its host; return why its API is not waited for, or "".

    Args:
        politeness: Of the crawl.
        life: The request.
        reply: What came back.
        now: The time.
        fault: It speaks of its host (``is_hosts_fault``).
    """
    if life.recorded:
        politeness.release(life.host, now)
        return ""
    pause = retry_after(reply) if fault else 0.0
    api_is_tired = bool(life.api) and reply.status in TOO_MUCH
    if life.api:
        politeness.rest_api(life.api, now, failed=api_is_tired, seconds=pause)
    politeness.came_back(
        life.host,
        now,
        failed=fault and not api_is_tired,
        retry_after=pause,
        asked_at=life.asked_at,
        again=life.tries > 1,
    )
    return politeness.long_rest(life.api, now) if fault and life.api else ""


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
