"""Files that a user names are read within limits, and what is wrong is said in plain words."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from lodehound.stores import text_files
from lodehound.stores.text_files import lines_of, read_json, read_text, read_toml


@pytest.mark.parametrize(
    ("read", "body", "complaint"),
    [
        (read_text, "Größe".encode("utf-16"), "it is no text in UTF-8"),
        (read_json, b"[" * 5000, "it is nested too deeply"),
        (read_toml, b"a = " + b"[" * 5000, "it is nested too deeply"),
        (read_text, b"x" * 9000, "it is larger than 0 MiB"),
        (lambda path: list(lines_of(path)), b"1\n" + b"x" * 50, "a line of more than 40 char"),
    ],
)
def test_what_is_wrong_is_said(
    read: Callable[[Path], object],
    body: bytes,
    complaint: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(text_files, "LARGEST", 8000)
    monkeypatch.setattr(text_files, "LONGEST_LINE", 40)
    (tmp_path / "file").write_bytes(body)
    with pytest.raises(ValueError, match=complaint):
        read(tmp_path / "file")


def test_a_byte_order_mark_is_left_out() -> None:
    assert read_text(io.BytesIO(b"\xef\xbb\xbfa\n")) == "a\n"
