"""Best first, without learning: the baseline of Han et al. (Sec. 4)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from lodehound.core.link import Link
from lodehound.core.messages import Choice, Outcome
from lodehound.core.policy import ResumablePolicy
from lodehound.learn.tfidf import TfIdf
from lodehound.policies.pools import Heap
from lodehound.read.subject import Subject, data_files

START = -2.0  # before any cosine


class BestFirst(ResumablePolicy):
    """The link whose words are nearest to the topic, by word vectors.

    A link is known by its URL, its text and the text beside it. Without word vectors the
    cosine of the words' counts must do. Where no topic is wanted, the words of links to
    data files (SB paper, B.2) stand for one.

    Args:
        subject: What is looked for, in words.
    """

    def __init__(self, *, subject: Subject | None = None) -> None:
        self.subject = subject or data_files()
        self._even = TfIdf()
        self._heap = Heap()
        self._waiting: set[str] = set()

    def pick(self, asleep: Collection[str]) -> Choice | None:
        while (link := self._heap.peek(asleep)) is not None:
            if link.url in self._waiting:
                return Choice(link, why=self._reason(link))
            self._heap.take(link)  # it was asked for already
        return None

    def take(self, choice: Choice) -> None:
        self._waiting.discard(choice.link.url)

    def learn(self, outcome: Outcome) -> None:
        fresh = [link for link in outcome.links if link.kind]
        for link in outcome.links:
            self._waiting.add(link.url)
            if not link.kind:
                self._heap.push(link, START)
        # What a redirect led to is shown again without ever having waited here.
        fresh += [link for link in outcome.again if link.url in self._waiting]
        for link, near in zip(fresh, self._nearness(fresh), strict=True):
            self._heap.push(link, -near)

    def _nearness(self, links: Sequence[Link]) -> list[float]:
        if not links:
            return []
        if self.subject.vectors is not None:
            near: list[float] = self.subject.nearness(links)[:, 0].tolist()
            return near
        said = [self.subject.said(link, "") for link in links]
        query = self.subject.queries(self.subject.lang)[:1]
        counted: list[float] = self._even.cosines(said, query)[:, 0].tolist()
        return counted

    def _reason(self, link: Link) -> str:
        if not link.kind:
            return "start URL"
        return f"its words are {self._nearness([link])[0]:.2f} near to the topic"
