"""Crawl directories with tables."""

from __future__ import annotations

from tests.search.conftest import crawl, program

__all__ = ["crawl", "program"]
