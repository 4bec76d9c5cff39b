from __future__ import annotations

import os

import pytest


@pytest.fixture(autouse=True)
def _no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a power cut could tell the difference, and it takes most of the time."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)
