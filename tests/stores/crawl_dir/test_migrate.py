"""A crawl directory of format 1 goes on in ours."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from lodehound.core.messages import Answer, Page
from lodehound.stores.crawl_dir import Asked, CrawlDir, Waited
from lodehound.stores.crawl_dir.events import Sleep
from tests.stores.crawl_dir.test_journal import a_choice, a_step, an_ask


def test_lists_of_sleeping_hosts_become_whole_ones(tmp_path: Path) -> None:
    """What format 1 wrote with every event was all that slept, and NULL when nobody did."""
    ask = an_ask()
    with CrawlDir.create(tmp_path, config="{}", version="0.1") as directory:
        directory.journal.asked(ask, a_choice(ask), ())
        directory.journal.waited(())
        page = Page(ask.url, "GET", 200, "text/html")
        answer = Answer(ask, 200)
        directory.journal.answered(
            answer, page, a_step(answer), declared_mime="", at=1.0, find=None
        )
    with sqlite3.connect(tmp_path / "crawl.sqlite") as db:
        db.execute("UPDATE asks SET asleep = '[\"a.example\"]'")
        db.execute("UPDATE waits SET asleep = NULL")
        db.execute("ALTER TABLE answers RENAME COLUMN details TO other")  # as if it were not there
        db.execute("UPDATE meta SET value = '1' WHERE key = 'format'")
    db.close()

    with CrawlDir.open(tmp_path) as directory:
        asked, waited, answered = directory.journal.events()

    assert isinstance(asked, Asked)
    assert isinstance(waited, Waited)
    assert asked.sleep == Sleep(frozenset({"a.example"}), whole=True)
    assert waited.sleep == Sleep(whole=True)
    assert answered.verdict.details == ""  # type: ignore[union-attr]
