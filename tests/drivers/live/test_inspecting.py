"""What is in the finds, beside the crawl: written down, and made up for when it was left."""

from __future__ import annotations

import json
from pathlib import Path

from lodehound.core.messages import Answer
from lodehound.drivers.live.inspecting import Inspector
from lodehound.stores.catalogue.find_rows import FindRow, Inspected
from lodehound.stores.crawl_dir import CrawlDir
from tests.stores.log.test_journal import a_choice, a_find, a_page, a_step, an_ask

TABLE = b"year,people\n2001,5\n2002,6\n2003,7\n"


def found(directory: CrawlDir, number: int, **changes: object) -> FindRow:
    """Put a find into the catalogue, with its file."""
    ask = an_ask(number)
    file = directory.files.save(ask.url, mime="text/csv", body=TABLE)
    find = a_find(number, file=file, **{"truncated": False, **changes})  # type: ignore[arg-type]
    answer = Answer(ask, 200)
    directory.journal.asked(ask, a_choice(ask), ())
    step = a_step(answer, found=True)
    directory.answered(answer, a_page(answer), step, at=1.0, find=find)
    return find


def test_what_is_in_a_find_is_written_down(tmp_path: Path) -> None:
    with CrawlDir.create(tmp_path / "d", config="{}", version="1") as directory:
        find = found(directory, 1)
        inspector = Inspector(directory)
        inspector.submit(find)
        inspector.close(wait=60)
        [seen] = directory.finds.inspections()
        summary = directory.summary()
    assert (seen.file, seen.kind, seen.rows, seen.columns) == (find.file, "csv", 3, 2)
    assert json.loads(seen.header) == ["year", "people"]
    assert (summary.contents.inspected, summary.contents.with_tables) == (1, 1)


def test_what_was_left_is_made_up_for_and_nothing_twice(tmp_path: Path) -> None:
    """A truncated find is never looked into."""
    with CrawlDir.create(tmp_path / "d", config="{}", version="1") as directory:
        left = found(directory, 1)
        cut = found(directory, 2, truncated=True)
        inspector = Inspector(directory)
        inspector.requeue()
        inspector.submit(cut)
        inspector.close(wait=60)
        again = Inspector(directory)
        again.requeue()
        again.close(wait=0)
        assert [seen.file for seen in directory.finds.inspections()] == [left.file]
        assert directory.finds.not_inspected() == []


def test_what_an_earlier_version_inspected_is_inspected_again(tmp_path: Path) -> None:
    """Before, nothing was known of columns, and many formats were not read."""
    with CrawlDir.create(tmp_path / "d", config="{}", version="1") as directory:
        find = found(directory, 1)
        old = '{"kind":"csv","tables":[{"name":"","rows":3,"columns":2,"header":["year"]}]}'
        directory.finds.inspected(Inspected(find.file, "csv", 1, 3, 2, "[]", 0, 0, "", old))
        inspector = Inspector(directory)
        inspector.requeue()
        inspector.close(wait=60)
        [seen] = directory.finds.inspections()
        assert directory.finds.not_inspected() == []
    assert json.loads(seen.inspection)["tables"][0]["years"] == [2001, 2003]
