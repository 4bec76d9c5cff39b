"""What the ending of an address says."""

from __future__ import annotations

import pytest

from lodehound.core.file_endings import FILE_ENDINGS, names_file
from lodehound.targets.files import NAMES


@pytest.mark.parametrize(
    ("url", "is_file"),
    [
        ("https://e.org/a/table.csv", True),
        ("https://e.org/TABLE.XLSX?v=3", True),
        ("https://e.org/table%2Ecsv", True),
        ("https://e.org/get.php?file=table.csv", True),
        ("https://e.org/export?format=json", True),
        ("https://e.org/news?lang=por", False),
        ("https://e.org/csv", False),
        ("https://e.org/csv/", False),
        ("https://e.org/.csv", False),
        ("https://e.zip/", False),
        ("https://e.org/page.html?from=table.csv&sort=up", False),
    ],
)
def test_addresses_of_files(url: str, is_file: bool) -> None:
    """By the end of the path or of the query; a host is no file."""
    assert names_file(url) == is_file


def test_every_type_that_a_user_can_name_is_an_ending_of_files() -> None:
    """``--want files:csv`` and the endings that suggest a file speak of the same things."""
    assert set(NAMES) <= FILE_ENDINGS
