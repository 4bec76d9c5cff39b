"""A journal in memory: what is not committed is lost when the process is killed."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from lodehound.core.link import Link
from lodehound.core.messages import Answer, Ask, Choice, Page, Step, Verdict
from lodehound.core.scope import Scope
from lodehound.stores.catalogue.renders import BETWEEN_SIGNS, RenderRow, UnrenderedPage
from lodehound.stores.database.packed import Sleep
from lodehound.stores.log.events import (
    Answered,
    Asked,
    EstimateRow,
    Event,
    Offered,
    PageRequestRow,
    Waited,
)


class MemoryJournal:
    """Keeps what a Recorder keeps, and gives it back as a crawl directory does."""

    last_find = None

    def __init__(self) -> None:
        self.estimates: list[EstimateRow] = []
        self.kept: list[Event | RenderRow | PageRequestRow] = []
        self.noted: list[Event | RenderRow | PageRequestRow] = []  # not committed

    def _commit(self) -> None:
        self.kept += self.noted
        self.noted.clear()

    def lose(self) -> None:
        """Forget what is not committed: the process was killed."""
        self.noted.clear()

    # --- as a Recorder --------------------------------------------------------------------------

    def asked(self, ask: Ask, choice: Choice, asleep: Collection[str]) -> None:
        sleep = Sleep(frozenset(asleep), whole=True)
        depth, why = choice.link.depth, choice.why
        self.noted.append(Asked(0, ask, depth, why, choice.probability, sleep, "", choice.group))

    def waited(self, asleep: Collection[str]) -> None:
        self.noted.append(Waited(0, Sleep(frozenset(asleep), whole=True)))

    def offered(self, source: str, links: Collection[Link]) -> None:
        self.noted.append(Offered(0, source, tuple(links)))

    def rendered(self, row: RenderRow) -> None:
        self.noted.append(row)

    def page_requested(self, row: PageRequestRow) -> None:
        self.noted.append(row)
        self._commit()

    def answered(
        self, answer: Answer, choice: Choice, page: Page, step: Step, *, at: float
    ) -> None:
        bare, seen = replace(answer, body=b"", headers={}), replace(page, body=b"")
        verdict = Verdict(step.found, step.value, step.label)
        self.noted.append(Answered(0, bare, seen, verdict, step.new_links, "", at, ""))
        self._commit()

    # --- as a crawl directory -----------------------------------------------------------------

    @property
    def journal(self) -> MemoryJournal:
        return self

    finds = journal

    def events(self, after: int) -> Iterator[Event]:
        rows = (RenderRow, PageRequestRow)
        return (event for event in self.kept if not isinstance(event, rows))

    def datasets_since(self, after: int) -> int:
        return 0

    def rendering_costs(self) -> tuple[int, int]:
        sent = [row for row in self.kept if isinstance(row, PageRequestRow) and row.sent]
        return len(sent), sum(row.size for row in sent)

    def asked_urls(self) -> set[str]:
        return {event.ask.url for event in self.kept if isinstance(event, Asked)}

    def last_ask(self) -> int:
        return max((event.ask.number for event in self.kept if isinstance(event, Asked)), default=0)

    def __iter__(self) -> Iterator[RenderRow]:
        """Yield the last word on each page, as the table has it."""
        rows = {row.number: row for row in self.kept if isinstance(row, RenderRow)}
        return iter([rows[number] for number in sorted(rows)])

    def followed(self) -> dict[str, tuple[int, int]]:
        return {}

    def unrendered(self) -> list[UnrenderedPage]:
        asks = {event.ask.number: event for event in self.kept if isinstance(event, Asked)}
        return [
            UnrenderedPage(
                row.number,
                Link(row.url, asks[row.number].ask.source, depth=asks[row.number].depth),
                tuple(row.signs.split(BETWEEN_SIGNS)),
            )
            for row in self
            if row.outcome in {"missing", "off", "left"}
        ]

    # --- what tests ask -----------------------------------------------------------------------

    def answers(self) -> list[Answered]:
        return [event for event in self.kept if isinstance(event, Answered)]

    def charged(self) -> int:
        """Return what a crawl that is restored from this journal has been charged."""
        tries = {event.answer.ask.number: event.answer for event in self.answers()}
        asked = [event.ask.number for event in self.kept if isinstance(event, Asked)]
        own = sum(tries[n].tries * tries[n].sent if n in tries else 1 for n in asked)
        return own + self.rendering_costs()[0]

    def finds_at_most(self) -> int:
        """Return how many finds there are once everything that was asked for is answered."""
        found = sum(event.verdict.found for event in self.answers())
        return found + sum(isinstance(event, Asked) for event in self.kept) - len(self.answers())

    def links_in(self, scope: Scope) -> set[str]:
        """Return the URLs in scope that pages showed or sitemaps named."""
        links = [link for event in self.answers() for link in event.page.links]
        links += [link for event in self.kept if isinstance(event, Offered) for link in event.links]
        return {link.url for link in links if not scope.refusal(link)}

    def close(self) -> None:
        """Commit everything, as a journal that is closed."""
        self._commit()
