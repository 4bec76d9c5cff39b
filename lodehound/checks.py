"""What every policy and target must keep to, ours and yours.

``lodehound check module:Class`` runs these; so does a test of your own:

    from lodehound.checks import check_policy
    check_policy(lambda: MyPolicy(seed=1))
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from typing import get_args

from lodehound.core.history import KnownUrl, PastVisit
from lodehound.core.lanes import Lanes
from lodehound.core.link import Link
from lodehound.core.messages import Change, Choice, Outcome, Page, Verdict
from lodehound.core.policy import BeginsRounds, Policy, Refreshes, ResumablePolicy
from lodehound.core.target import Target
from lodehound.small_web import FOUND, NOTHING, SmallWeb

PolicyMaker = Callable[[], Policy]
TargetMaker = Callable[[], Target]

PICKS = 4000  # at one moment, to compare their frequencies with Choice.probability
RARE = 0.02  # rarer choices are not compared
SIGMAS = 3.5  # standard deviations that a frequency may be off


class DoesNotApplyError(Exception):
    """A check asks for what a policy does not claim to do."""


def check_policy(make: PolicyMaker) -> None:
    """Raise AssertionError at the first broken promise."""
    for check in policy_checks():
        with suppress(DoesNotApplyError):
            check(make)


def check_target(make: TargetMaker) -> None:
    """Raise AssertionError at the first broken promise."""
    for check in target_checks():
        check(make)


def policy_checks() -> Iterator[Callable[[PolicyMaker], None]]:
    """Return the checks of a policy; one that does not apply raises DoesNotApplyError."""
    yield check_gives_every_link_once
    yield check_leaves_sleeping_hosts_alone
    yield check_bears_late_outcomes
    yield check_bears_failures
    yield check_same_calls_same_choices
    yield check_empty_means_none
    yield check_says_why
    yield check_says_how_probable
    yield check_revisits_every_known_url_once
    yield check_resumes_its_own_crawl
    yield check_resumes_a_crawl_of_another_policy


def target_checks() -> Iterator[Callable[[TargetMaker], None]]:
    yield check_judges_anything
    yield check_failed_pages_are_no_finds
    yield check_keeps_no_state


def check_gives_every_link_once(make: PolicyMaker) -> None:
    _check_complete(make(), SmallWeb(), in_flight=1)


def check_bears_late_outcomes(make: PolicyMaker) -> None:
    _check_complete(make(), SmallWeb(seed=3), in_flight=8)


def check_bears_failures(make: PolicyMaker) -> None:
    """A site of which only the start page answers is still left in good order."""
    policy, web = make(), SmallWeb(seed=5)
    policy.learn(_start(web))
    seen: set[tuple[str, str]] = set()
    first = True
    while (choice := policy.choose(())) is not None:
        key = (choice.link.url, choice.method)
        assert key not in seen, f"{choice.method} {choice.link.url} was chosen twice"
        seen.add(key)
        if first:
            policy.learn(web.outcome(choice, {}))
        else:
            policy.learn(Outcome(choice, choice.link.url, 0, "", NOTHING, ()))
        first = False


def check_leaves_sleeping_hosts_alone(make: PolicyMaker) -> None:
    policy = make()
    _needs_no_truth(policy)
    links = (Link("https://a.example/", kind=""), Link("https://b.example/", kind=""))
    policy.learn(Outcome(None, "", 0, "", NOTHING, links))
    choice = policy.choose({"a.example"})
    assert choice is not None, "it slept although b.example was awake"
    assert choice.link.host == "b.example", "it woke a sleeping host"
    assert policy.choose({"a.example"}) is None, "it woke a sleeping host"
    assert policy.choose(()) is not None, "it forgot the link of a host that had slept"


def check_same_calls_same_choices(make: PolicyMaker) -> None:
    web = SmallWeb(seed=11)
    first, second = _play(make(), web, in_flight=3), _play(make(), web, in_flight=3)
    assert first == second, "it is not deterministic"


def check_empty_means_none(make: PolicyMaker) -> None:
    policy = make()
    _needs_no_truth(policy)
    policy.learn(Outcome(None, "", 0, "", NOTHING, ()))
    assert policy.choose(()) is None, "it chose a link it was never given"


def check_says_why(make: PolicyMaker) -> None:
    policy, web = make(), SmallWeb()
    policy.learn(_start(web))
    choice = policy.choose(())
    assert choice is not None, "it did not choose the start URL"
    assert choice.why, "its choice has no reason: fill in Choice.why"
    assert 0 < choice.probability <= 1, f"probability {choice.probability} is not in (0, 1]"


def check_says_how_probable(make: PolicyMaker) -> None:
    """Many picks at one moment: each link comes as often as its probability says."""
    policy, web = make(), SmallWeb(seed=19)
    _needs_no_truth(policy)
    if not isinstance(policy, ResumablePolicy) or not policy.knows_probability:
        raise DoesNotApplyError("it cannot pick without taking, or knows no probabilities")
    policy.learn(_start(web))
    given = {web.root.url: 0}
    for _ in range(30):
        if (choice := policy.choose(())) is not None:
            policy.learn(web.outcome(choice, given))
    weights, counts = defaultdict[str, float](float), Counter[str]()
    for _ in range(PICKS):
        if (choice := policy.pick(())) is not None:
            counts[choice.link.url] += 1
            weights[choice.link.url] += 1 / choice.probability
    if len(counts) == 1:
        raise DoesNotApplyError("every pick was of the same link")
    for url, count in counts.items():
        # Were the probabilities right, the sum of 1 / p over its picks would be that of all picks.
        stated = count / weights[url]
        spread = SIGMAS * (PICKS * (1 - stated) / stated) ** 0.5 if stated < 1 else 0.5
        assert stated < RARE or abs(weights[url] - PICKS) <= spread, (
            f"{url} has probability {stated:.3g}, and {count} of {PICKS} picks were of it: "
            f"correct Choice.probability"
        )


def _needs_no_truth(policy: Policy) -> None:
    if policy.needs_truth:
        raise DoesNotApplyError("it is told the answers")


def check_resumes_its_own_crawl(make: PolicyMaker) -> None:
    """A policy that takes the choices of its twin continues with the same choices."""
    first = make()
    _needs_no_truth(first)
    _resume(Lanes(first), Lanes(make()), picks=True)
    if isinstance(first, Refreshes):
        _resume(Lanes(make()), Lanes(make()), picks=False)


def _resume(first: Lanes, twin: Lanes, *, picks: bool) -> None:
    """Check that a twin can take over; without picks, both forget the first one's picks before."""
    web, rng, pending = SmallWeb(seed=13), random.Random(13), list[Choice]()
    given = {web.root.url: 0}
    for policy in (first, twin):
        policy.learn(_start(web))
    for turn in range(1000):
        asleep = {"a.example"} if turn and rng.random() < 0.3 else set()
        if turn == 60 and not picks:
            first.refresh(1)
            twin.refresh(1)
        choice = first.choose(asleep)
        if turn >= 60:
            again = twin.choose(asleep)
            assert again == choice, f"resumed, it chose {again}; uninterrupted, {choice}"
        elif picks:
            twin.pick(asleep)
        if turn < 60 and choice is not None:
            twin.take(choice)
        pending += [choice] if choice is not None else []
        if pending and (choice is None or len(pending) >= 4):
            outcome = web.outcome(pending.pop(rng.randrange(len(pending))), given)
            first.learn(outcome)
            twin.learn(outcome)


def check_resumes_a_crawl_of_another_policy(make: PolicyMaker) -> None:
    """A policy that takes the choices of a breadth-first crawl chooses all other links."""
    policy, web = make(), SmallWeb(seed=17)
    _needs_no_truth(policy)
    if not isinstance(policy, ResumablePolicy):
        raise DoesNotApplyError("it has no pick and take: it cannot continue such a crawl")
    given, waiting = {web.root.url: 0}, [Choice(web.root, why="first come")]
    made, pending = list[Choice](), list[Choice]()
    policy.learn(_start(web))
    while len(made) < 50 or pending:
        if waiting and len(made) < 50 and len(pending) < 3:
            choice = waiting.pop(0)
            policy.pick({"b.example"} if len(made) % 3 == 2 else ())
            policy.take(choice)
            made.append(choice)
            pending.append(choice)
            waiting += [replace(choice, method="GET")] if choice.method == "HEAD" else []
            continue
        outcome = web.outcome(pending.pop(0), given)
        policy.learn(outcome)
        for number, link in enumerate(outcome.links):
            head = policy.uses_head and number % 2
            waiting.append(Choice(link, "HEAD" if head else "GET", why="first come"))
    chosen = [choice.request for choice in made]
    while (next_one := policy.choose(())) is not None:
        chosen.append(next_one.request)
        policy.learn(web.outcome(next_one, given))
    _check_choices(policy, given, chosen)


def check_revisits_every_known_url_once(make: PolicyMaker) -> None:
    """In a further round known URLs and new links are chosen once each, whatever comes back."""
    first, web = make(), SmallWeb(seed=13)
    if not isinstance(first, BeginsRounds):
        raise DoesNotApplyError("it takes no part in further rounds")
    known = _known(web)
    before = deepcopy(known)
    policy = first.begin_round(known, time=2.0)
    policy.learn(Outcome(None, "", 0, "", NOTHING, ()))
    asleep = policy.choose({"a.example"})
    assert asleep is not None, "it slept although b.example was awake"
    assert asleep.link.host == "b.example", "it woke a sleeping host"
    chosen = _play_round(policy, asleep)
    twice = [url for url, count in Counter(chosen).items() if count > 1]
    assert not twice, f"chosen twice in a round: {twice[0]}"
    offered = {one.link.url for one in known} | {_news(one.link).url for one in known}
    strange = set(chosen) - offered
    assert not strange, f"it was never given {sorted(strange)[:1]}"
    lost = {one.link.url for one in known} - set(chosen)
    assert policy.drops or not lost, f"lost: {sorted(lost)[:1]}; name such links in drops"
    assert known == before, "it changed what it was given at the beginning of a round"


def _known(web: SmallWeb) -> list[KnownUrl]:
    """Return what a first round knows; the last URLs were only offered."""
    known = []
    for number, url in enumerate(web.urls):
        kind = web.kind(url)
        one = KnownUrl(Link(url, web.root.url, "html/body/p/a", "see", "", "a", 1))
        if number < len(web.urls) - 5:
            one.status = 404 if kind == "neither" else 200
            one.mime = {"html": "text/html", "target": "text/csv"}.get(kind, "")
            one.found, one.digest = kind == "target", "1"
            one.links = tuple(link.url for link in web.links(url)) if kind == "html" else ()
            one.visits = [PastVisit(1.0, "gone" if kind == "neither" else "new")]
        known.append(one)
    return known


def _news(link: Link) -> Link:
    return Link(f"{link.url}/new.csv", link.url, "html/body/ul/li/a", "new", "", "a", 2)


def _play_round(policy: Policy, first: Choice) -> list[str]:
    """Answer with whatever may come in a round: 304, new links, changed files, gone, failures."""
    rng = random.Random(7)
    chosen, pending = [first.link.url], [first]
    while True:
        choice = policy.choose(())
        if choice is not None:
            assert choice.why, "its choice has no reason: fill in Choice.why"
            chosen.append(choice.link.url)
            pending.append(choice)
        if choice is None and not pending:
            return chosen
        if choice is None or len(pending) >= 4:
            policy.learn(_round_outcome(pending.pop(rng.randrange(len(pending))), rng))


def _round_outcome(choice: Choice, rng: random.Random) -> Outcome:
    url, file = choice.link.url, "/data/" in choice.link.url
    change = rng.choice([*get_args(Change), "same"])
    status = {"gone": 404, "failed": 503, "same": 304}.get(change, 200)
    mime = "text/csv" if file else "text/html"
    page = "/page/" in url and not url.endswith("new.csv")
    links = (_news(choice.link),) if page and change == "changed" else ()
    return Outcome(choice, url, status, mime, FOUND if file else NOTHING, links, change=change)


def _check_complete(policy: Policy, web: SmallWeb, *, in_flight: int) -> None:
    _check_choices(policy, *_play(policy, web, in_flight=in_flight))


def _check_choices(
    policy: Policy, given: Collection[str], chosen: Sequence[tuple[str, str]]
) -> None:
    """Check a complete crawl: the URLs that the policy was given, and what was chosen."""
    counts = Counter(chosen)
    twice = [key for key, count in counts.items() if count > 1]
    assert not twice, f"chosen twice: {' '.join(twice[0])}"
    methods = {method for method, _ in chosen}
    assert policy.uses_head or methods <= {"GET"}, "it asked HEAD without uses_head = True"
    asked = [url for method, url in chosen if method == "GET"]
    strange = set(asked) - set(given)
    assert policy.needs_truth or not strange, f"it was never given {sorted(strange)[:1]}"
    lost = set(given) - set(asked)
    assert policy.drops or not lost, f"lost: {sorted(lost)[:1]}; name such links in drops"


def _play(
    policy: Policy, web: SmallWeb, *, in_flight: int
) -> tuple[list[str], list[tuple[str, str]]]:
    """Crawl the web, keeping up to in_flight choices unanswered; answers come in any order."""
    rng = random.Random(7)
    given = {web.root.url: 0}
    chosen: list[tuple[str, str]] = []
    pending: list[Choice] = []
    policy.learn(_start(web))
    while True:
        choice = policy.choose(())
        if choice is not None:
            chosen.append(choice.request)
            pending.append(choice)
        if choice is None and not pending:
            return list(given), chosen
        if choice is None or len(pending) >= in_flight:
            answered = pending.pop(rng.randrange(len(pending)))
            policy.learn(web.outcome(answered, given))


def _start(web: SmallWeb) -> Outcome:
    return Outcome(None, "", 0, "", NOTHING, (web.root,))


def check_judges_anything(make: TargetMaker) -> None:
    target = make()
    for page in _pages():
        verdict = target.judge(page)
        assert isinstance(verdict, Verdict), f"judge returned {verdict!r}, not a Verdict"


def check_failed_pages_are_no_finds(make: TargetMaker) -> None:
    target = make()
    for page in _pages():
        if not page.ok:
            assert not target.judge(page).found, f"a page of status {page.status} is no find"


def check_keeps_no_state(make: TargetMaker) -> None:
    target = make()
    forth = [target.judge(page) for page in _pages()]
    back = [target.judge(page) for page in reversed(_pages())]
    assert forth == back[::-1], "its verdict depends on the pages before"


def _pages() -> list[Page]:
    mimes = ["text/html", "text/csv", "application/pdf", "image/png", "", "text/turtle"]
    bodies = [b"", b"<html><a href=x>y</a>", b"a,b\n1,2\n", bytes(range(256))]
    return [
        Page("https://a.example/x", "GET", status, mime, body)
        for status in (200, 206, 301, 404, 500, 0)
        for mime in mimes
        for body in bodies
    ]


__all__ = [
    "DoesNotApplyError",
    "SmallWeb",
    "check_policy",
    "check_target",
    "policy_checks",
    "target_checks",
]
