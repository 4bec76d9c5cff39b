"""Where a browser keeps its files: its sockets need short paths."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import pytest

from lodehound.drivers.live.browser_folder import MAX_PLACE, SHORT, place_of_sockets


@pytest.mark.skipif(sys.platform == "win32", reason="it has no such sockets")
@pytest.mark.parametrize(("more", "short"), [(0, False), (1, True)])
def test_a_long_temporary_folder_is_not_for_sockets(
    more: int, short: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Chromium would not start."""
    usual = "/" + "x" * (MAX_PLACE - 1 + more)
    monkeypatch.setattr(tempfile, "tempdir", usual)
    assert place_of_sockets() == (SHORT if short else Path(usual))
