"""REVISIT-ALL: every known page, then every known file, the longest unseen first."""

from __future__ import annotations

from lodehound.core.history import KnownUrl
from lodehound.policies.revisiting import Revisiting, stage


class RevisitAll(Revisiting):
    """In further rounds every known page, then every file, the longest unseen first."""

    def rank(self, known: KnownUrl, time: float) -> tuple[int, float]:  # noqa: ARG002
        return stage(known), known.visits[-1].time
