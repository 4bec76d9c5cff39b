"""A target of your own, in a file of your own: ``lodehound race --want feeds:Feeds ...``."""

from __future__ import annotations

from lodehound import Page, Target, Verdict


class Feeds(Target):
    """RSS and Atom feeds."""

    mimes = frozenset({"application/rss+xml", "application/atom+xml"})

    def judge(self, page: Page) -> Verdict:
        found = page.ok and page.mime in self.mimes
        return Verdict(found, value=float(found), label=page.mime if found else "")
