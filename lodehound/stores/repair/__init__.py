"""Recognises a damaged crawl directory, and saves what is sound in it."""
