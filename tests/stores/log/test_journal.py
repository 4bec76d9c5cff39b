"""What goes into a journal comes out of it, in order and in full."""

from __future__ import annotations

import math
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from lodehound.core.asleep import Asleep
from lodehound.core.errors import ContractError, SiteError
from lodehound.core.link import Link
from lodehound.core.messages import Answer, Ask, Choice, Page, Step, Verdict
from lodehound.stores.catalogue import totals
from lodehound.stores.catalogue.find_rows import FindRow
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.database.crawl_database import CrawlDatabase
from lodehound.stores.database.packed import Sleep
from lodehound.stores.database.schema import FORMAT
from lodehound.stores.log import journal as journal_module
from lodehound.stores.log.events import Answered, Asked, Offered, Waited
from lodehound.stores.log.journal import Journal

ROOT = "https://s.example/"
# Lone surrogates, and two of them that would make one character.
STRANGE = "é \u202e \ud800 \ud83d\ude00 😀 \0"

META = {"format": str(FORMAT), "version": "1.0", "created_at": "2026", "config": "{}"}
Opened = Callable[..., CrawlDir]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    """Opens the crawl of the test, again and again; all are closed in the end."""
    with ExitStack() as stack:

        def open_one(*, write: bool = True) -> CrawlDir:
            database = CrawlDatabase(tmp_path, write=write)
            stack.callback(database.close)
            return CrawlDir(tmp_path, database, lock=None)

        yield open_one


@pytest.fixture
def crawl(tmp_path: Path) -> Iterator[CrawlDir]:
    with CrawlDatabase(tmp_path, write=True) as database:
        database.set_up(META)
        yield CrawlDir(tmp_path, database, lock=None)


@pytest.fixture
def journal(crawl: CrawlDir) -> Journal:
    return crawl.journal


def an_ask(number: int = 1, *, method: str = "GET") -> Ask:
    return Ask(number, f"{ROOT}{number}", "HEAD" if method == "HEAD" else "GET", ROOT)


def a_choice(ask: Ask, why: str = "because") -> Choice:
    return Choice(Link(ask.url, ROOT, "html/a", "text", "", "a", 2), ask.method, 0.25, why)


def a_step(answer: Answer, *, found: bool = False, new_links: int = 0) -> Step:
    ask = answer.ask
    return Step(
        number=ask.number,
        url=ask.url,
        method=ask.method,
        source=ROOT,
        depth=2,
        why="because",
        probability=0.25,
        status=answer.status,
        mime=answer.mime,
        size=answer.size,
        found=found,
        value=1.5 if found else 0.0,
        label="csv" if found else "",
        new_links=new_links,
    )


def a_find(number: int = 1, **changes: str) -> FindRow:
    made = FindRow(
        number=number, url=ROOT, final_url=ROOT + "x", file="files/s.example/x.csv",
        mime="text/csv", declared_mime="text/plain", bytes=3, size=5, truncated=True,
        sha256="0" * 64,
        last_modified="Mon", etag='"1"', content_disposition="attachment", fetched_at="2026",
        found_on=ROOT, page_title="S", anchor="x", tag_path="html/a", depth=2, why="because",
        value=1.5, label="csv",
    )  # fmt: skip
    return replace(made, **changes)  # type: ignore[arg-type]


def a_page(answer: Answer) -> Page:
    return Page(answer.ask.url, answer.ask.method, answer.status, answer.mime)


def note(crawl: CrawlDir, answer: Answer, page: Page | None = None, **more: object) -> None:
    """Ask, and answer at once."""
    crawl.journal.asked(answer.ask, a_choice(answer.ask), ())
    found = bool(more.get("found"))
    find = a_find(answer.ask.number) if found else None
    page = page or a_page(answer)
    crawl.answered(answer, page, a_step(answer, found=found), at=2.5, find=find)


# --- events ----------------------------------------------------------------------------------


def test_events_come_back_in_order(crawl: CrawlDir, journal: Journal, opened: Opened) -> None:
    """Asks, waits, offers and answers have one order; each says what happened."""
    ask, offer = an_ask(), (Link(ROOT + "s", ROOT + "sitemap.xml", kind="sitemap"),)
    answer = Answer(ask, 200, "text/html", size=9, charset="utf-8", tries=2)
    page = Page(ask.url, "GET", 200, "text/html", b"", (Link(ROOT + "2", ask.url, depth=3),), "/m")
    asleep = Asleep({"b.example", "a.example"})
    journal.asked(ask, a_choice(ask), asleep)
    asleep.discard("b.example")
    asleep.add("c.example")
    journal.waited(asleep)
    journal.offered(ROOT + "sitemap.xml", offer)
    crawl.answered(answer, page, a_step(answer, new_links=1), at=2.5, find=None)
    asked, waited, offered, answered = opened().journal.events()
    assert isinstance(asked, Asked)
    assert (asked.seq, asked.ask, asked.depth, asked.why) == (1, ask, 2, "because")
    assert asked.probability == 0.25
    assert asked.sleep == Sleep(frozenset({"a.example", "b.example"}), whole=True)
    assert waited == Waited(2, Sleep(frozenset({"c.example"}), frozenset({"b.example"})))
    assert offered == Offered(3, ROOT + "sitemap.xml", offer)
    assert isinstance(answered, Answered)
    assert answered == Answered(
        4, answer, page, Verdict(found=False), 1, "text/html", 2.5, answered.fetched_at
    )


@pytest.mark.parametrize(
    "answer",
    [
        Answer(an_ask(), 0, error="timeout: 30 s", tries=3),
        Answer(an_ask(), 0, error="robots.txt: disallowed", sent=False),
        Answer(an_ask(), 200, "text/csv", size=2**40, cut=True),
        Answer(an_ask(), 301, STRANGE, location=STRANGE, charset=STRANGE, error=STRANGE),
        Answer(an_ask(method="HEAD"), 404),
    ],
)
def test_answers_without_links_come_back(crawl: CrawlDir, answer: Answer, opened: Opened) -> None:
    """Failures, redirects and answers without a page: every field but the body."""
    note(crawl, answer)
    *_, answered = opened().journal.events()
    assert isinstance(answered, Answered)
    assert answered.answer == answer
    assert answered.page == a_page(answer)


def test_a_page_without_links_is_still_a_page(crawl: CrawlDir, opened: Opened) -> None:
    """Read and empty is not the same as never read. Bodies are left out."""
    answer = Answer(an_ask(), 200, "text/plain", b"<a href=x>", 10)
    page = Page(answer.ask.url, "GET", 200, STRANGE, b"<a href=x>", moved=STRANGE)
    note(crawl, answer, page)
    *_, answered = opened().journal.events()
    assert isinstance(answered, Answered)
    assert answered.page == replace(page, body=b"")
    assert answered.answer == replace(answer, body=b"", mime=STRANGE)


def test_strange_texts_come_back(crawl: CrawlDir, journal: Journal, opened: Opened) -> None:
    """A policy's reason may quote a broken page."""
    ask = replace(an_ask(), source=STRANGE)
    journal.asked(ask, replace(a_choice(ask), why=STRANGE, probability=math.nan), ())
    crawl.database.flush()
    (asked,) = opened().journal.events()
    assert isinstance(asked, Asked)
    assert (asked.ask, asked.why) == (ask, STRANGE)
    assert math.isnan(asked.probability)


def test_a_long_journal_is_read_in_parts(
    crawl: CrawlDir, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No more rows than a part are taken at a time, and none is left out between parts."""
    monkeypatch.setattr(journal_module, "ROWS", 7)
    for number in range(1, 101):
        note(crawl, Answer(an_ask(number), 200))
        journal.waited(())
    events = journal.events()
    assert [event.seq for event, _ in zip(events, range(50), strict=False)] == list(range(1, 51))
    note(crawl, Answer(an_ask(101), 200))  # the reader does not stand in the writer's way
    assert len(list(journal.events())) == 302


def test_the_order_goes_on_after_reopening(crawl: CrawlDir, opened: Opened) -> None:
    note(crawl, Answer(an_ask(1), 200))
    again = opened()
    note(again, Answer(an_ask(2), 200))
    assert [event.seq for event in again.journal.events()] == [1, 2, 3, 4]


# --- transactions ----------------------------------------------------------------------------


def test_what_has_no_answer_is_not_committed(
    crawl: CrawlDir, journal: Journal, opened: Opened
) -> None:
    """Another reader sees asks only with the next answer, or after a flush."""
    other = opened(write=False)
    journal.asked(an_ask(1), a_choice(an_ask(1)), ())
    journal.waited(())
    assert list(other.journal.events()) == []
    note(crawl, Answer(an_ask(2), 200), found=True)
    assert [event.seq for event in other.journal.events()] == [1, 2, 3, 4]
    assert list(other.finds) == [a_find(2)]
    journal.waited(())
    crawl.database.flush()
    assert [event.seq for event in other.journal.events()] == [1, 2, 3, 4, 5]


def test_answer_and_find_come_together_or_not_at_all(
    crawl: CrawlDir, journal: Journal, opened: Opened
) -> None:
    """A find that cannot be written takes its answer and the asks before it along."""
    note(crawl, Answer(an_ask(1), 200), found=True)
    answer = Answer(an_ask(2), 200)
    journal.asked(answer.ask, a_choice(answer.ask), ())
    with pytest.raises(SiteError, match="cannot be written"):
        crawl.answered(answer, a_page(answer), a_step(answer), at=0, find=a_find(1))
    crawl.database.close()
    assert len(list(opened().journal.events())) == 2


def test_a_journal_that_failed_takes_nothing_more(
    crawl: CrawlDir, journal: Journal, opened: Opened
) -> None:
    """A gap would make what follows worthless, so nothing follows, whoever was to blame."""
    answer = Answer(an_ask(1), 200)
    stale = Page(ROOT + "another", "GET", 200, "text/html")
    with pytest.raises(ContractError, match="another"):
        note(crawl, answer, stale)
    with pytest.raises(SiteError, match="failed"):
        journal.waited(())
    with pytest.raises(SiteError, match="failed"):
        crawl.database.flush()
    crawl.database.close()
    assert list(opened().journal.events()) == []


# --- the catalogue and the summary -----------------------------------------------------------


def test_finds_come_back(crawl: CrawlDir, opened: Opened) -> None:
    """In the order of the requests, with every field."""
    finds = [a_find(2, anchor=STRANGE, why=STRANGE), a_find(1)]
    for find in finds:
        answer = Answer(an_ask(find.number), 200)
        crawl.answered(answer, a_page(answer), a_step(answer), at=0, find=find)
    assert list(opened().finds) == finds[::-1]


def test_summary_counts(crawl: CrawlDir) -> None:
    """Requests as the crawl counts them: retries are charged, what was not sent is not."""
    numbers = count(1)
    for answer in (
        Answer(an_ask(next(numbers)), 200, size=10),
        Answer(an_ask(next(numbers)), 204, size=5, tries=3),
        Answer(an_ask(next(numbers)), 404, size=1),
        Answer(an_ask(next(numbers)), 0, error="DNS: no such host"),
        Answer(an_ask(next(numbers)), 0, error="DNS: another"),
        Answer(an_ask(next(numbers)), 0, error="robots.txt disallows", sent=False),
    ):
        note(crawl, answer, found=answer.status == 200)
    summary = crawl.summary()
    assert (summary.requests, summary.finds, summary.bytes, summary.at) == (7, 1, 16, 2.5)
    assert summary.reached == 2
    assert summary.statuses == {"2xx": 2, "4xx": 1, "failed": 2, "not sent": 1}
    assert summary.errors == {"DNS": 2, "robots.txt disallows": 1}


def test_summary_of_nothing(crawl: CrawlDir) -> None:
    summary = crawl.summary()
    assert (summary.requests, summary.finds, summary.bytes, summary.at) == (0, 0, 0, 0.0)
    assert not summary.statuses
    assert not summary.errors


def test_summary_reads_neither_links_nor_finds(crawl: CrawlDir) -> None:
    """Indexes hold all it needs: ``lodehound status`` is fast on a crawl of any size."""
    for statement in (totals.ANSWERS, totals.FILES, totals.COPIES):
        plan = crawl.database._db.execute("EXPLAIN QUERY PLAN " + statement).fetchall()
        assert any("COVERING INDEX" in row["detail"] for row in plan), statement


# --- the file --------------------------------------------------------------------------------


def test_the_file_explains_itself(crawl: CrawlDir) -> None:
    """Whoever opens it finds plain table names, and comments in the schema."""
    schema = dict(
        map(
            tuple, crawl.database._db.execute("SELECT name, sql FROM sqlite_schema WHERE sql <> ''")
        )
    )
    assert {"meta", "asks", "answers", "waits", "offers", "finds"} <= set(schema)
    assert "-- the policy's reason" in schema["asks"]
    assert crawl.database._db.execute("PRAGMA journal_mode").fetchone()[0] == "wal"


@pytest.mark.parametrize("write", [True, False])
def test_garbage_is_no_journal(tmp_path: Path, write: bool) -> None:
    path = tmp_path / "crawl.sqlite"
    path.write_bytes(b"this is no database, however long one looks at it" * 100)
    with pytest.raises(SiteError, match="file is not a database"):
        CrawlDatabase(tmp_path, write=write)


def test_a_missing_file_is_not_made_by_looking(tmp_path: Path) -> None:
    with pytest.raises(SiteError, match="unable to open"):
        CrawlDatabase(tmp_path, write=False)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE answers SET links = x'00'",
        "UPDATE answers SET number = 77",
        "UPDATE asks SET asleep = '['",
        "DROP TABLE waits",
    ],
)
def test_damage_is_said(crawl: CrawlDir, opened: Opened, damage: str) -> None:
    """A journal that somebody has spoilt is refused with its folder's name."""
    answer = Answer(an_ask(1), 200)
    note(crawl, answer, Page(answer.ask.url, "GET", 200, "text/html", links=(Link(ROOT),)))
    crawl.database.close()
    path = crawl.path / "crawl.sqlite"
    db = sqlite3.connect(path)
    with db:
        db.execute(damage)
    db.close()
    with pytest.raises(SiteError, match="is damaged"):
        list(opened().journal.events())


def test_a_looker_on_cannot_write(journal: Journal, opened: Opened) -> None:
    other = opened(write=False)
    with pytest.raises(SiteError, match="readonly"):
        other.journal.waited(())


def test_events_are_only_appended() -> None:
    """The log changes and removes nothing: what changes is in the catalogue."""
    folder = Path(journal_module.__file__).parent
    text = "\n".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))

    assert re.findall(r"\bINSERT INTO\b", text)
    assert re.findall(r"\b(?:DELETE FROM|UPDATE \w+ SET|REPLACE INTO|DO UPDATE)\b", text) == []
