"""Crawl directories that were damaged in every way we could think of."""
