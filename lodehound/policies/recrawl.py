"""RECRAWL: every round a fresh crawl with the flagship, nothing conditional."""

from __future__ import annotations

from lodehound.policies.lodehound.lodehound_policy import FirstRound


class Recrawl(FirstRound):
    """In every round a crawl from the start as by the policy lodehound; nothing is known."""
