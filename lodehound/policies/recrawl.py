"""RECRAWL: every round a fresh crawl with the flagship, nothing conditional."""

from __future__ import annotations

from lodehound.policies.lodehound import LodehoundPolicy


class Recrawl(LodehoundPolicy):
    """In every round a crawl from the start as by the policy lodehound; nothing is known."""

    revisits = False
