"""A plain table is one from its first line to its last, however long the file is."""

from __future__ import annotations

from pathlib import Path

import pytest

from lodehound.exports import file_checks
from lodehound.exports.file_checks import table_header


@pytest.mark.parametrize("piece", [1, 1 << 20])
@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a,b\n1,2\n", ["a", "b"]),
        ('a,b\r\n"1\n2",\u2028\r\n3,4', ["a", "b"]),
        ("a,b\n", []),
        ("", []),
        ("a,b\n1,2\n , \n", []),
        ("a,b\n1,2,3\n", []),
        ("a,a\n1,2\n", []),
        ('a,b\n1,"2', []),
    ],
)
def test_names_of_plain_tables(
    text: str, names: list[str], piece: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_checks, "PIECE", piece)
    (tmp_path / "t.csv").write_bytes(text.encode())
    assert table_header(str(tmp_path / "t.csv"), "utf-8", ",") == names


@pytest.mark.parametrize("charset", ["ascii", "no such", "hex"])
def test_what_cannot_be_decoded_is_no_table(charset: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes("\u00fc,b\n1,2\n".encode())
    assert table_header(tmp_path / "t.csv", charset, ",") == []
