"""Replays a recorded site. Used by the lab and by most tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from lodehound.core.crawl import Crawl, Reader
from lodehound.core.errors import ContractError
from lodehound.core.history import History
from lodehound.core.lanes import Lanes
from lodehound.core.link import Link
from lodehound.core.messages import WAIT, Answer, Ask, Page, Step, Stop
from lodehound.core.policy import Policy
from lodehound.core.scope import Scope
from lodehound.core.stop import Budget, StopRule
from lodehound.core.target import Target
from lodehound.policies.api_lane import ApiLane
from lodehound.read.conditions import not_modified
from lodehound.shortcuts.contract import Shortcut
from lodehound.shortcuts.reading import ShortcutReader
from lodehound.stores.replica import Replica
from lodehound.stores.site import ABSENT, RecordedSite


def answerer(site: RecordedSite, scope: Scope) -> Callable[[Ask], Answer]:
    """Return a function that answers like the site's server; an unknown URL is a 404.

    The body of a blocked type costs nothing: a live crawl stops reading after the
    headers.
    """

    def answer(ask: Ask) -> Answer:
        number = site.number(ask.url)
        if number == ABSENT:
            return Answer(ask, 404)
        status, headers = int(site.status[number]), _validators(site, number)
        if 200 <= status < 300 and not_modified(ask, headers):
            return Answer(ask, 304, headers=headers)
        mime = site.mimes[site.mime[number]]
        whole = ask.method == "GET" and not scope.blocks(mime)
        place = int(site.location[number])
        return Answer(
            ask,
            status,
            mime,
            size=int(site.size[number] if whole else site.head_size[number]),
            location="" if place == ABSENT else site.urls[place],
            headers=headers,
        )

    return answer


def _validators(site: RecordedSite, number: int) -> dict[str, str]:
    if not site.etags:
        return {}
    headers = {"etag": site.etags[number], "last-modified": site.modified[number]}
    return {name: value for name, value in headers.items() if value}


def reader(site: RecordedSite) -> Reader:
    """Return a function that reads pages of the site: the links were read when it was opened."""

    def read(answer: Answer, link: Link) -> Page:
        ask = answer.ask
        if ask.method == "HEAD" or not 200 <= answer.status < 300:
            return Page(ask.url, ask.method, answer.status, answer.mime)
        number = site.number(ask.url)
        return Page(
            ask.url,
            ask.method,
            answer.status,
            answer.mime,
            links=site.links(number, link.depth + 1),
            moved=answer.location,  # of a page: a meta refresh
            digest=site.digests[number] if site.digests else "",
        )

    return read


def scope_of(
    site: RecordedSite,
    starts: Sequence[str],
    *,
    web: bool = False,
    block: bool = True,
    traps: bool = True,
) -> Scope:
    """Return the scope for a crawl of a recorded site: other hosts are out of scope."""
    return Scope.around(
        starts, web=web, hosts=site.hosts, without=site.cut, block=block, traps=traps
    )


def replay(
    site: RecordedSite,
    *,
    policy: Policy,
    target: Target,
    starts: Sequence[str] = (),
    scope: Scope | None = None,
    budget: Budget | None = None,
    rules: Sequence[StopRule] = (),
    history: History | None = None,
    shortcuts: Mapping[str, Shortcut] | None = None,
    replica: Replica | None = None,
) -> tuple[Crawl, Iterator[Step]]:
    """Return a crawl of a recorded site, and its steps, one request at a time.

    A recorded site contains no bodies: a target that needs them must be wrapped with its
    verdicts (lodehound.stores.verdicts.judged), and shortcuts need a replica of the site.
    """
    if target.needs_body:
        raise ContractError(
            f"{type(target).__name__} needs the bodies of pages, but a recorded site has none: "
            f"wrap it with lodehound.stores.verdicts.judged."
        )
    starts = starts or [site.root]
    scope = scope or scope_of(site, starts)
    read, answer = reader(site), answerer(site, scope)
    lanes = Lanes(policy)
    if shortcuts and replica is not None:
        eager = [name for name, shortcut in shortcuts.items() if shortcut.eager]
        patient = [name for name, shortcut in shortcuts.items() if shortcut.patient]
        lanes = Lanes(policy, [ApiLane(eager=eager, patient=patient)])
        read, answer = ShortcutReader(read, shortcuts), _with_bodies(answer, replica)
    crawl = Crawl(
        [Link(url) for url in starts],
        policy=lanes,
        target=target,
        read=read,
        scope=scope,
        budget=budget,
        rules=rules,
        history=history,
    )
    return crawl, run(crawl, answer)


def _with_bodies(answer: Callable[[Ask], Answer], replica: Replica) -> Callable[[Ask], Answer]:
    """Return a function that adds the headers and the body of the recorded response."""

    def complete(ask: Ask) -> Answer:
        known, recorded = answer(ask), replica.get(ask.url)
        if recorded is None or ask.method == "HEAD":
            return known
        return replace(known, body=recorded.body, headers=recorded.headers, cut=recorded.cut)

    return complete


def run(crawl: Crawl, answer: Callable[[Ask], Answer]) -> Iterator[Step]:
    """Pass answers to the crawl until it stops."""
    while not isinstance(ask := crawl.next(), Stop):
        if ask is WAIT:
            raise RuntimeError("The crawl waits although every answer was given.")
        yield crawl.receive(answer(ask))
