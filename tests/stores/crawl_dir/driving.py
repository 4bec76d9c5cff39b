"""A driver that keeps its crawl in a crawl directory: a recorded site answers.

Also a program, for tests that kill it: ``python -m tests.stores.crawl_dir.driving DIR SEED
[LIMIT]``. It says "." on its output for every answer that is committed.
"""

from __future__ import annotations

import functools
import hashlib
import random
import resource
import sys
from collections import deque
from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path

from lodehound.assembly.restore import restore
from lodehound.core.asleep import Asleep
from lodehound.core.crawl import Crawl
from lodehound.core.lanes import Lanes
from lodehound.core.link import Link
from lodehound.core.messages import (
    NOT_FOUND,
    WAIT,
    Answer,
    Ask,
    Choice,
    Outcome,
    Page,
    Step,
    Stop,
    Verdict,
)
from lodehound.core.policy import Policy
from lodehound.core.stop import Budget
from lodehound.core.target import Target
from lodehound.core.urls import host_of
from lodehound.drivers.replay import answerer, reader, scope_of
from lodehound.registry import make_policy, parse
from lodehound.sites import StatsOffice
from lodehound.stores.catalogue.find_rows import FindRow
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.errors import DiskFullError
from lodehound.stores.records import Record
from lodehound.stores.site import RecordedSite, build_site
from lodehound.targets.files import Files

ROOT = "https://stats.example/"
DATA = "https://data.stats.example/"
HOSTS = [host_of(ROOT), host_of(DATA)]
FORBIDDEN = "/about/"  # by robots.txt, so to speak


@functools.cache
def records() -> dict[str, Record]:
    """An office whose archive and files are on a second host: hosts can sleep one by one."""
    made = StatsOffice(pages=70, files=24, redirects=8, seed=3).records()
    return {_split(record.url): _on_two_hosts(record) for record in made}


def _on_two_hosts(record: Record) -> Record:
    body = record.body
    if "html" in record.content_type:
        body = _split(body.decode().replace('href="/', f'href="{ROOT}')).encode()
    location = _split(ROOT + record.location.removeprefix("/")) if record.location else ""
    return replace(record, url=_split(record.url), body=body, location=location)


def _split(text: str) -> str:
    """Move addresses to the second host."""
    for folder in ("archive/", "files/"):
        text = text.replace(ROOT + folder, DATA + folder)
    return text


@functools.cache
def site() -> RecordedSite:
    return build_site("two hosts", records().values())


class HeadFirst(Policy):
    """Asks what everything is before it asks for it."""

    uses_head = True

    def __init__(self) -> None:
        self._choices: deque[Choice] = deque()

    def choose(self, asleep: Collection[str]) -> Choice | None:
        for choice in self._choices:
            if choice.link.host not in asleep:
                self._choices.remove(choice)
                return choice
        return None

    def learn(self, outcome: Outcome) -> None:
        if outcome.choice is not None and outcome.choice.method == "HEAD":
            self._choices.appendleft(Choice(outcome.choice.link, why="headed"))
        self._choices += (Choice(link, "HEAD", why="new") for link in outcome.links)


class Rows(Target):
    """Finds what has a row of figures in it: the body must be there."""

    def judge(self, page: Page) -> Verdict:
        rows = page.body.count(b"-Q")
        return Verdict(found=True, value=rows, label="rows") if rows else NOT_FOUND


class Watched(Lanes):
    """Keeps what a policy is told, and whether it was asked."""

    def __init__(self, policy: Policy) -> None:
        super().__init__(policy)
        self.told: list[Outcome] = []
        self.asked = False
        self.picks = 0

    def choose(self, asleep: Collection[str]) -> Choice | None:
        self.asked = True
        return super().choose(asleep)

    def pick(self, asleep: Collection[str]) -> Choice | None:
        self.picks += 1
        return super().pick(asleep)

    def learn(self, outcome: Outcome) -> None:
        self.told.append(outcome)
        super().learn(outcome)


class Driver:
    """Asks, waits, answers and writes down, several requests at a time, in any order.

    Args:
        directory: Where the crawl is kept; one that was begun before is taken up.
        policy: As on the command line.
        in_flight: Most requests without an answer.
        sleepy: Let hosts fall asleep, requests be tried again and sitemaps turn up.
        target: What counts as found; data files unless given.
        budget: The most it may cost.
        seed: Of the order of answers and of everything sleepy; not of the policy.
    """

    def __init__(
        self,
        directory: CrawlDir,
        *,
        policy: str = "sb-classifier:b=3",
        in_flight: int = 1,
        sleepy: bool = False,
        target: Target | None = None,
        budget: Budget | None = None,
        seed: int = 0,
    ) -> None:
        self.directory = directory
        self.in_flight = in_flight
        self.sleepy = sleepy
        self.rng = random.Random(seed)
        self.asleep = Asleep()
        self.asked: list[str] = []
        self.steps: list[Step] = []
        self.stop: Stop | None = None
        self._read = reader(site())
        scope = scope_of(site(), [ROOT])
        self._answer = answerer(site(), scope)
        self.policy = Watched(make_policy(parse("policy", policy), seed=5))
        self.crawl = Crawl(
            [Link(ROOT)],
            policy=self.policy,
            target=target or Files(),
            read=self._fresh,
            scope=scope,
            budget=budget,
        )
        self.events = restore(self.crawl, directory)
        self.flying = self.crawl.unanswered

    def _fresh(self, answer: Answer, link: Link) -> Page:
        page = self._read(answer, link)
        bodied = page.ok and page.method == "GET"
        return replace(page, body=records()[page.url].body) if bodied else page

    def run(self) -> None:
        """Go on to the end."""
        for _ in self.turns():
            pass

    def turns(self) -> Iterator[bool]:
        """Go on to the end; say after each turn whether it was committed."""
        while self.stop is None:
            if self.sleepy and self.rng.random() < 0.03:
                self._offer()
            if len(self.flying) < self.in_flight and self._ask():
                yield False
            elif self.flying:
                self._receive(self.flying.pop(self.rng.randrange(len(self.flying))))
                yield True

    def _ask(self) -> bool:
        self.asleep.become([host for host in HOSTS if self.sleepy and self.rng.random() < 0.3])
        asleep = self.asleep
        self.policy.asked = False
        said = self.crawl.next(asleep)
        if isinstance(said, Stop):
            self.stop = said
        elif said is WAIT and self.policy.asked:
            self.directory.journal.waited(asleep)
        elif isinstance(said, Ask):
            self.directory.journal.asked(said, self.crawl.choice_of(said.number), asleep)
            self.asked.append(f"{said.method} {said.url}")
            self.flying.append(said)
        return isinstance(said, Ask)

    def _offer(self) -> None:
        url = self.rng.choice(site().urls[:50])
        links = (Link(url, ROOT + "sitemap.xml", kind="sitemap"),)
        self.directory.journal.offered(ROOT + "sitemap.xml", links)
        self.crawl.offer(links)

    def _receive(self, ask: Ask) -> None:
        choice = self.crawl.choice_of(ask.number)
        answer = self._answered(ask)
        page = self.crawl.read(answer)
        step = self.crawl.receive(answer, page)
        find = self._find(answer, choice.link, step) if step.found else None
        self.steps.append(step)
        self.directory.answered(answer, page, step, at=len(self.steps), find=find)

    def _answered(self, ask: Ask) -> Answer:
        if FORBIDDEN in ask.url:
            return Answer(ask, 0, error="robots.txt: disallowed", sent=False)
        answer = self._answer(ask)
        if self.sleepy and self.crawl.has_room and self.rng.random() < 0.1:
            self.crawl.charge()
            answer = replace(answer, tries=2)
        return answer

    def _find(self, answer: Answer, link: Link, step: Step) -> FindRow:
        url, body = answer.ask.url, records()[answer.ask.url].body
        return FindRow(
            number=answer.ask.number,
            url=link.url,
            final_url=url,
            file=self.directory.files.save(url, mime=step.mime, body=body),
            mime=step.mime,
            declared_mime=answer.mime,
            bytes=len(body),
            size=len(body),
            truncated=answer.cut,
            sha256=hashlib.sha256(body).hexdigest(),
            last_modified="",
            etag='"é"',
            content_disposition="",
            fetched_at="2026-01-01T00:00:00+00:00",
            found_on=link.source,
            page_title="",
            anchor=link.anchor,
            tag_path=link.tag_path,
            depth=link.depth,
            why=step.why,
        )


def outcome(directory: CrawlDir) -> tuple[set[tuple[str, str, str]], set[str]]:
    """What a crawl comes to: its finds, and every URL it asked for."""
    found = [(find.final_url, find.file, find.sha256) for find in directory.finds]
    asked = directory.database._db.execute("SELECT url FROM asks")
    assert len(set(found)) == len(found)
    return set(found), {url for (url,) in asked}


def begin(path: Path) -> CrawlDir:
    return CrawlDir.create(path, config='{"urls": []}', version="1.0")


def main() -> None:
    path, seed, *limit = sys.argv[1:]
    if limit:  # bytes of a file: the disk is as good as full there
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit[0]), int(limit[0])))
    try:
        with CrawlDir.open(Path(path)) as directory:
            driver = Driver(directory, in_flight=5, sleepy=True, seed=int(seed))
            for committed in driver.turns():
                if committed:
                    sys.stdout.write(".")
                    sys.stdout.flush()
    except DiskFullError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
