"""Crawling the real web: one asyncio loop around a session that makes no requests."""
