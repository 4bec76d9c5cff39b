"""What APIs list, in the database of a crawl."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from lodehound.core.listing import Dataset, ListedFile, Listing
from lodehound.core.messages import Answer, Page
from lodehound.stores.catalogue.entries import Catalogue
from lodehound.stores.catalogue.listings import FileDescription
from lodehound.stores.crawl_dir import CrawlDir
from tests.stores.log.test_journal import a_choice, a_step, an_ask

FILE = ListedFile("https://e.org/a.csv", "A", "CSV", 3, "2025", "CC0", "Figures")


def keep(directory: CrawlDir, number: int, *datasets: Dataset) -> None:
    """Keep the answer of an API to the same request."""
    ask = replace(an_ask(), number=number)
    answer = Answer(ask, 200)
    page = Page(ask.url, "GET", 200, "application/json", listing=Listing("ckan", datasets))
    directory.journal.asked(ask, a_choice(ask), ())
    directory.answered(answer, page, a_step(answer), at=1.0, find=None)


def test_an_answer_replaces_what_an_earlier_one_to_the_same_request_listed(tmp_path: Path) -> None:
    with CrawlDir.create(tmp_path, config="{}", version="1") as directory:
        keep(directory, 1, Dataset("Old", files=(FILE,)), Dataset("Gone"))
        keep(directory, 2, Dataset("New", licence="CC BY", files=(FILE,)))

    with Catalogue(tmp_path) as catalogue:
        assert [one.dataset for one in catalogue.datasets()] == [
            Dataset("New", licence="CC BY", files=(FILE,))
        ]


def test_the_licence_of_a_file_is_its_own_or_that_of_its_dataset() -> None:
    dataset = Dataset(licence="CC BY", modified="2024")

    assert FileDescription("ckan", FILE, dataset).licence == "CC0"
    assert FileDescription("ckan", ListedFile("https://e.org/"), dataset).licence == "CC BY"
    assert FileDescription("ckan", ListedFile("https://e.org/"), dataset).modified == "2024"
