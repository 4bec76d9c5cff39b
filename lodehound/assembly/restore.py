"""A crawl brought back to where its journal ends: the same machine, driven once more."""

from __future__ import annotations

from lodehound.core.asleep import Asleep
from lodehound.core.crawl import Crawl
from lodehound.core.errors import SiteError
from lodehound.core.messages import WAIT, Ask, Stop, Wait
from lodehound.core.stop import Budget
from lodehound.stores.crawl_dir.events import Answered, Asked, Offered, Waited
from lodehound.stores.crawl_dir.journal import Journal


def restore(crawl: Crawl, journal: Journal, *, until: int | None = None) -> int:
    """Drive a freshly made crawl through a journal; return how many events that took.

    Afterwards ``crawl.unanswered`` are the requests to send again.

    Args:
        crawl: Made as the first time: same config, same policy, same seed. Its
            budget may be another, save that of finds.
        journal: What happened.
        until: Stop before the request of this number is chosen; the end of the journal
            unless given.
    """
    budget = crawl.budget
    # Everything in the journal was within the budget of its day, which may not be today's.
    # A budget of finds stays: it says how many requests may be in flight near the end.
    crawl.budget = Budget(finds=budget.finds)
    count, asleep = 0, Asleep()
    try:
        for event in journal.events():
            if isinstance(event, Asked) and event.ask.number == until:
                break
            if isinstance(event, Asked | Waited):
                event.sleep.apply(asleep)
                _ask(crawl, event, asleep, journal)
            elif isinstance(event, Offered):
                crawl.offer(event.links)
            else:
                _receive(crawl, event, journal)
            count += 1
    finally:
        crawl.budget = budget
    return count


def _ask(crawl: Crawl, event: Asked | Waited, asleep: Asleep, journal: Journal) -> None:
    """Ask the crawl again, and see that it says the same."""
    said = crawl.next(asleep)
    if isinstance(event, Waited):
        if said is not WAIT:
            raise _misfit(journal, event.seq, "nothing", _told(said))
    elif not isinstance(said, Ask) or _key(said) != _key(event.ask):
        raise _misfit(journal, event.seq, _told(event.ask), _told(said))


def _receive(crawl: Crawl, event: Answered, journal: Journal) -> None:
    # The journal keeps what was found, and a HEAD finds nothing. It had no body either,
    # so it can be judged again.
    verdict = None if event.answer.ask.method == "HEAD" else event.verdict
    for _ in range(event.answer.tries - 1):
        crawl.retry()
    step = crawl.receive(event.answer, event.page, verdict)
    if step.new_links != event.new_links:
        was, now = (f"{count} new links" for count in (event.new_links, step.new_links))
        raise _misfit(journal, event.seq, f"{was} on {step.url}", now)


def _key(ask: Ask) -> tuple[int, str, str]:
    return ask.number, ask.url, ask.method


def _told(said: Ask | Wait | Stop) -> str:
    if isinstance(said, Ask):
        return f"{said.method} {said.url} (request {said.number})"
    return "nothing"


def _misfit(journal: Journal, seq: int, was: str, now: str) -> SiteError:
    version = journal.meta().get("version", "")
    return SiteError(
        f"The journal in {str(journal.folder)!r} does not fit: at event {seq} the crawl had {was}, "
        f"this version and this policy have {now}. Continue it with lodehound {version}, which "
        f"began it, and the same policy; or begin anew in another folder."
    )
