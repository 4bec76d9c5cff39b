"""Tiny sites, links and outcomes, written in one line each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from lodehound.core.crawl import Crawl
from lodehound.core.link import Link
from lodehound.core.messages import Answer, Ask, Choice, Outcome, Page, Step, Verdict
from lodehound.core.policy import Policy
from lodehound.core.scope import Scope
from lodehound.core.stop import Budget, StopRule
from lodehound.core.target import Target
from lodehound.core.urls import resolve
from lodehound.drivers.replay import replay
from lodehound.papers.sb_classifier.linear import Columns, Linear
from lodehound.policies.bfs import Bfs
from lodehound.stores.records import Record
from lodehound.stores.site import RecordedSite, build_site
from lodehound.stores.timeline import Timeline
from lodehound.targets.files import Files

ROOT = "https://s.example/"
FOUND = Verdict(found=True, value=1.0, label="text/csv")
NOTHING = Verdict(found=False)


def url(place: str) -> str:
    """Return the whole address of a place on the tiny site."""
    return resolve(ROOT, place)


def place(address: str) -> str:
    """Return what ``url`` was given."""
    return address.removeprefix(ROOT)


# --- recorded sites --------------------------------------------------------------------------


def page(*links: str) -> Record:
    """A page; a link is a place, or ``block:place`` to stand in a paragraph of that class."""
    return Record("", 200, "text/html", "".join(map(_anchor, links)).encode())


def _parted(written: str) -> tuple[str, str]:
    block, colon, to = written.partition(":")
    return (block, to) if colon and not to.startswith("//") else ("", written)


def _anchor(written: str) -> str:
    block, to = _parted(written)
    anchor = f'<a href="{url(to)}">{to}</a>'
    return f'<p class="{block}">{anchor}</p>' if block else f"<p>{anchor}</p>"


def file(mime: str = "text/csv", size: int = 10) -> Record:
    return Record("", 200, mime, b"a,b", size=size)


def moved(to: str, status: int = 301) -> Record:
    return Record("", status, "text/html", location=to)


def failed(status: int = 404) -> Record:
    return Record("", status, "text/html", b"<a href=/never>not read</a>")


def recorded(records: Mapping[str, Record]) -> RecordedSite:
    """A site from places to records; the first is its root."""
    return build_site("tiny", (replace(record, url=url(at)) for at, record in records.items()))


def crawled(
    site: RecordedSite,
    policy: Policy,
    *,
    target: Target | None = None,
    budget: Budget | None = None,
    rules: tuple[StopRule, ...] = (),
) -> list[str]:
    """Replay a site to the end; return places in the order of the requests, HEADs marked."""
    _, steps = replay(site, policy=policy, target=target or Files(), budget=budget, rules=rules)
    return list(written(steps))


def written(steps: Iterable[Step | Ask]) -> Iterator[str]:
    for step in steps:
        yield place(step.url) if step.method == "GET" else f"HEAD {place(step.url)}"


# --- what policies are told ------------------------------------------------------------------


def link(written: str, *, depth: int = 1) -> Link:
    """A link as ``page`` writes it."""
    block, to = _parted(written)
    path = f"html/body/p.{block}/a" if block else "html/body/p/a"
    return Link(url(to), ROOT, path, to, "", "a", depth)


def links(*all_written: str) -> tuple[Link, ...]:
    return tuple(link(one) for one in all_written)


def started(*places: str) -> Outcome:
    """What a policy is told first."""
    starts = tuple(Link(url(at), kind="") for at in places or [""])
    return Outcome(None, "", 0, "", NOTHING, starts)


def as_page(choice: Choice, *all_written: str) -> Outcome:
    """The choice brought a page that shows these links for the first time."""
    return Outcome(choice, choice.link.url, 200, "text/html", NOTHING, links(*all_written))


def as_file(choice: Choice, *, redirected: str = "") -> Outcome:
    """The choice brought a target, perhaps at the end of a redirect."""
    return Outcome(choice, url(redirected or choice.link.url), 200, "text/csv", FOUND, ())


def as_failure(choice: Choice, status: int = 404) -> Outcome:
    return Outcome(choice, choice.link.url, status, "", NOTHING, ())


def chosen(policy: Policy, asleep: Iterable[str] = ()) -> Choice:
    """Let a policy choose that must have something to choose."""
    choice = policy.choose(frozenset(asleep))
    assert choice is not None, "the policy chose nothing"
    return choice


def batches_of(model: Linear) -> list[list[bool]]:
    """Return a list that fills with the labels of each batch the model learns from now on."""
    batches, learn = list[list[bool]](), model.learn

    def spy(rows: Sequence[Columns], labels: Sequence[bool]) -> None:
        batches.append(list(labels))
        learn(rows, labels)

    model.learn = spy  # type: ignore[method-assign]
    return batches


# --- the machine by hand ---------------------------------------------------------------------


def read_places(answer: Answer, seen: Link) -> Page:
    """Read a page whose body is the places it links to, parted by spaces."""
    ask, places = answer.ask, answer.body.decode().split()
    shown = tuple(
        Link(url(to), ask.url, "html/body/p/a", to, "", "a", seen.depth + 1) for to in places
    )
    return Page(ask.url, ask.method, answer.status, answer.mime, answer.body, shown)


class Listening(Bfs):
    """Breadth first, and keeps what it was told."""

    def __init__(self) -> None:
        super().__init__()
        self.outcomes: list[Outcome] = []

    def learn(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)
        super().learn(outcome)


def crawl_from(*starts: str, policy: Policy | None = None, **options: Any) -> Crawl:
    return Crawl(
        [Link(start) for start in starts or [ROOT]],
        policy=policy or Bfs(),
        target=Files(),
        read=options.pop("read", read_places),
        scope=options.pop("scope", Scope.around([ROOT])),
        **options,
    )


def ask_of(crawl: Crawl, asleep: Iterable[str] = ()) -> Ask:
    """Let a crawl ask that must have something to ask."""
    ask = crawl.next(frozenset(asleep))
    assert isinstance(ask, Ask), f"the crawl said {ask}"
    return ask


def html(ask: Ask, places: str = "", size: int = 0) -> Answer:
    return Answer(ask, 200, "text/html", places.encode(), size)


def csv(ask: Ask, size: int = 0) -> Answer:
    return Answer(ask, 200, "text/csv", size=size)


def redirect(ask: Ask, to: str, status: int = 301) -> Answer:
    return Answer(ask, status, location=to)


# --- files -----------------------------------------------------------------------------------


def http(body: bytes = b"", *, status: str = "200 OK", **headers: str) -> bytes:
    """An HTTP response as it goes over the wire; underscores stand for hyphens in names."""
    lines = [
        f"HTTP/1.1 {status}",
        *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items()),
    ]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


DATES = [f"2024-0{month}-01T00:00:00Z" for month in range(1, 5)]


def warc(
    address: str, block: bytes, kind: str = "response", date: str = DATES[0], **headers: str
) -> bytes:
    """One WARC record, written by hand."""
    lines = [
        "WARC/1.1",
        f"WARC-Type: {kind}",
        f"WARC-Target-URI: {address}",
        f"WARC-Date: {date}",
        "WARC-Record-ID: <urn:uuid:12345678-1234-1234-1234-123456789012>",
        "Content-Type: application/http; msgtype=response",
        *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items()),
        f"Content-Length: {len(block)}",
    ]
    return "\r\n".join([*lines, "", ""]).encode() + block + b"\r\n\r\n"


# --- timelines -------------------------------------------------------------------------------


def timeline(*snapshots: Mapping[str, Record]) -> Timeline:
    """A site that changes: of each snapshot what is new or other there, from places to records."""
    records = [
        replace(record, url=url(at), date=date, size=record.size or len(record.body))
        for date, changes in zip(DATES, snapshots, strict=False)
        for at, record in changes.items()
    ]
    return Timeline.build("tiny", DATES[: len(snapshots)], records)
