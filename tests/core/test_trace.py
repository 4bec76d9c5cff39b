"""One link passes each room once, in order."""

from __future__ import annotations

from collections.abc import Collection

from lodehound.core.crawl import Crawl
from lodehound.core.link import Link
from lodehound.core.messages import Answer, Choice, Outcome, Page, Verdict
from lodehound.core.scope import Scope
from lodehound.drivers import replay
from lodehound.papers.sb_classifier.sb_classifier import SbClassifier
from lodehound.targets.files import Files
from tests.helpers import ROOT, file, page, recorded, url

SITE = recorded(
    {
        "": page("news", "list:stats"),
        "news": page(),
        "stats": page("list:pop.csv"),
        "pop.csv": file(),
    }
)
ME = url("stats")
rooms: list[str] = []


class Spy(SbClassifier):
    """The policy's two doors."""

    def learn(self, outcome: Outcome) -> None:
        if ME in [link.url for link in outcome.links]:
            rooms.append("offered to the policy")
        if outcome.choice and (outcome.choice.link.url, outcome.choice.method) == (ME, "GET"):
            rooms.append("learned by the policy")
        super().learn(outcome)

    def choose(self, asleep: Collection[str]) -> Choice | None:
        choice = super().choose(asleep)
        if choice and (choice.link.url, choice.method) == (ME, "GET"):
            rooms.append("chosen by the policy")
        return choice


class Judge(Files):
    """The target's door."""

    def judge(self, page: Page) -> Verdict:
        if (page.url, page.method) == (ME, "GET"):
            rooms.append("judged by the target")
        return super().judge(page)


class Gate(Scope):
    """The scope's door."""

    def refusal(self, link: Link) -> str:
        if link.url == ME:
            rooms.append("let in by the scope")
        return ""


def read(answer: Answer, link: Link) -> Page:
    """The reader's door."""
    if (answer.ask.url, answer.ask.method) == (ME, "GET"):
        rooms.append("read")
    read_page = replay.reader(SITE)(answer, link)
    if ME in [found.url for found in read_page.links]:
        rooms.append("seen on a page")
    return read_page


def test_the_rooms_of_one_link() -> None:
    """Seen, let in, offered, chosen, read, judged, learned, written: each once, in this order."""
    rooms.clear()
    crawl = Crawl([Link(ROOT)], policy=Spy(b=1), target=Judge(), read=read, scope=Gate())

    for step in replay.run(crawl, replay.answerer(SITE, Gate())):
        rooms.extend(["written in the ledger"] if (step.url, step.method) == (ME, "GET") else [])

    assert rooms == [
        "seen on a page",
        "let in by the scope",
        "offered to the policy",
        "chosen by the policy",
        "read",
        "judged by the target",
        "learned by the policy",
        "written in the ledger",
    ]
