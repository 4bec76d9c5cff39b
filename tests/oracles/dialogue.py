"""Lets a policy crawl a small web without a crawl: every page is known, none is asked for twice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lodehound.core.link import Link
from lodehound.core.messages import Choice, Outcome, Verdict
from lodehound.core.policy import Policy
from tests.helpers import NOTHING


@dataclass(frozen=True, slots=True)
class Place:
    """What is behind a URL."""

    verdict: Verdict = NOTHING
    links: tuple[Link, ...] = ()
    status: int = 200


def crawl(
    policy: Policy, web: Mapping[str, Place], *starts: str
) -> Iterator[tuple[Choice, Outcome]]:
    """Yield every choice with its outcome, before the policy learns from it."""
    known = set(starts)
    begun = tuple(Link(url, kind="") for url in starts)
    policy.learn(Outcome(None, "", 0, "", NOTHING, begun))
    while (choice := policy.choose(())) is not None:
        url = choice.link.url
        place = web.get(url, Place(status=404))
        fresh, again = dict[str, Link](), list[Link]()
        for link in place.links:
            if link.url in known or link.url in fresh:
                again.append(link)
            else:
                fresh[link.url] = link
        known |= set(fresh)
        mime = "text/html" if place.status == 200 else ""
        outcome = Outcome(
            choice, url, place.status, mime, place.verdict, tuple(fresh.values()), tuple(again)
        )
        yield choice, outcome
        policy.learn(outcome)
