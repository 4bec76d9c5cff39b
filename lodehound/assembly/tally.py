"""What a crawl did, counted while it runs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from lodehound.core.messages import Answer, Page, Step


@dataclass(slots=True)
class Tally:
    """What a crawl did since it was started or resumed."""

    side_requests: int = 0  # robots.txt and sitemaps: not charged to the budget
    from_sitemaps: int | None = None  # links first seen in a sitemap or feed, if they are read
    retries: int = 0
    needing_script: int = 0  # pages without a link that a browser might fill
    unsent: Counter[str] = field(default_factory=Counter)
    silent: Counter[str] = field(default_factory=Counter)  # requests set aside, by host
    details: list[str] = field(default_factory=list)  # the first few errors in full
    statuses: Counter[int] = field(default_factory=Counter)

    def count(self, step: Step, answer: Answer, page: Page) -> None:
        """Count one answer."""
        self.needing_script += page.needs_script
        if answer.sent:
            self.statuses[step.status] += 1
        if step.error and answer.sent:
            self.note(step.error)
        elif answer.location:
            self.note(f"status {step.status} to {answer.location[:200]}")

    def note(self, error: str) -> None:
        if len(self.details) < 5:
            self.details.append(error)
