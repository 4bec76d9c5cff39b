"""An explanation as plain text, for people."""

from __future__ import annotations

from collections.abc import Iterator

from lodehound.core.link import ORIGINS
from lodehound.core.messages import Group
from lodehound.reports.explain import Explanation, RequestRow, Standing
from lodehound.reports.link_paths import PathStep
from lodehound.reports.rendering import browser_lines
from lodehound.reports.screen_text import clean, in_bytes, shorten
from lodehound.text.counts import counted

LONG = 500  # characters of a URL that are shown
WORDS = 30  # characters before it


def explanation_lines(said: Explanation) -> Iterator[str]:
    """Give back the lines; whatever came from the web is made harmless."""
    yield clean(said.url, LONG)
    yield from (f"  {line}" for line in _verdict(said))
    if said.way:
        yield from ("", "The way there")
        yield from (f"  {line}" for step in said.way for line in _step(step))
    if said.requests:
        yield from ("", "Requests")
        yield from (f"  {line}" for request in said.requests for line in _request(request))
    if browser := browser_lines(said.rendering, said.loaded_by):
        yield from ("", "In a browser")
        yield from (f"  {line}" for line in browser)
    if said.standing is not None:
        yield from ("", "What the policy thought " + _when(said.standing))
        yield from (f"  {line}" for line in _standing(said.standing))
    if said.note:
        yield from ("", clean(said.note, LONG))


def _verdict(said: Explanation) -> Iterator[str]:
    if said.kind == "find":
        yield from _found(said)
    elif said.kind == "unseen" and said.loaded_by:
        yield "No link leads here: only scripts of rendered pages asked for it."
    elif said.kind == "unseen":
        yield "Never seen: no page or sitemap that was read shows this address."
        yield from (f"Did you mean {clean(other, LONG)}" for other in said.near)
    else:
        answer = _answer(said.requests[-1]) if said.requests else ""
        yield {
            "fetched": f"Fetched, and no find: {answer}.",
            "failed": f"Asked for, and failed: {answer}.",
            "robots": f"Not fetched: {clean(said.rule)}. The line of robots.txt is not kept.",
            "refused": f"Not fetched ({said.reason}): {clean(said.rule)}.",
            "unanswered": f"Asked for, and no answer yet. Ask again: {said.command}",
            "waiting": f"Not fetched: it waits. Continue the crawl: {said.command}",
        }[said.kind]


def _found(said: Explanation) -> Iterator[str]:
    if said.find is None:  # a recording keeps no files
        yield "A find."
        return
    yield f"A find: {clean(said.find['mime'])}, {in_bytes(said.find['bytes'])}."
    if said.worth:
        yield f"The target says: {clean(said.worth)}."
    yield f"File: {clean(said.find['file'], LONG)}"
    for url in said.find["shared_with"]:
        yield f"The same file was found at {clean(url, LONG)}"
    if said.find["final_url"] != said.url:
        yield f"It came from {clean(said.find['final_url'], LONG)}"
    if said.find["truncated"]:
        yield f"Only its beginning was kept: the whole has {in_bytes(said.find['size'])}."


def _step(step: PathStep) -> Iterator[str]:
    words = {"start": "start URL", "redirect": "redirect", "sitemap": "listed in"}.get(step.by, "")
    words = words or _origin(step)
    yield f"{words:{WORDS}} {clean(step.url, LONG)}"
    if step.title:
        yield f"{'':{WORDS}} “{clean(step.title, 120)}”"


def _origin(step: PathStep) -> str:
    """Return how the URL was named on the page before."""
    origin = ORIGINS.get(step.kind, "link")
    if step.anchor:
        return f"{origin} “{clean(step.anchor, 80)}”"
    return "link without words" if origin == "link" else origin


def _request(request: RequestRow) -> Iterator[str]:
    yield f"{request.number}  {request.method}  {request.asked_at}  {_answer(request)}"
    yield f"    because: {clean(request.why) or 'the policy gave no reason'}"
    if request.to:
        yield f"    it sent us to {clean(request.to, LONG)}"


def _answer(request: RequestRow) -> str:
    if request.status is None:
        return "no answer yet"
    if not request.status:
        return clean(request.error) or "no answer"
    parts = [str(request.status), clean(request.mime), in_bytes(request.size)]
    if request.tries > 1:
        parts.append(counted(request.tries, "try", "tries"))
    if request.new_links:
        parts.append(counted(request.new_links, "new link"))
    return ", ".join(part for part in parts if part)


def _when(standing: Standing) -> str:
    return f"before request {standing.before:,}" if standing.before else "when the journal ends"


def _standing(standing: Standing) -> Iterator[str]:
    if standing.group is not None:
        yield clean(standing.name)
        yield f"  {_group(standing.group)}"
        if standing.rank:
            groups = counted(standing.awake, "group")
            yield f"  rank {standing.rank:,} of {groups} with links waiting"
    elif standing.name:
        yield f"{clean(standing.name)}: asked for before any group"
    else:
        yield "it was in no group: a start URL, a first label, or not sorted yet"
    if standing.others:
        beaten = standing.before and standing.rank <= 1
        yield "it came before these" if beaten else "the best of the other groups"
    for group in standing.others:
        yield f"  {shorten(clean(group.name, LONG))}"
        yield f"    {_group(group)}; for example {clean(group.example, LONG)}"


def _group(group: Group) -> str:
    return (
        f"score {group.score:,.2f}: {group.finds:,.4g} find{'s' * (group.finds != 1)} on "
        f"{counted(group.visits, 'visit')}; {counted(group.waiting, 'link')} waiting"
    )
