"""Keeps requests to APIs within bounds: those that find none, and those that go on for ever."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from lodehound.core.link import Link
from lodehound.core.listing import API, is_probe, shortcut_of

MAX_FAILED = 3  # probes without an API, per host
# Answers of an API in a row that list only known URLs; then its further pages are left out.
# More than one, because the pages of the site may have shown what the first answers list.
MAX_REPEATED = 3
MAX_EMPTY = 1000  # answers in a row that list nothing but further requests
NO_API = "no API on this host so far"
REPEATS = "the API repeats itself"


class ApiGuard:
    """Says which requests to APIs are left out, from the answers so far."""

    def __init__(self) -> None:
        self._failed: Counter[str] = Counter()  # by host
        self._repeated: Counter[str] = Counter()  # in a row, by tag path
        self._empty: Counter[str] = Counter()  # in a row, by tag path

    def refusal(self, link: Link) -> str:
        """Return why a request is left out; "" if it is not."""
        if link.kind != API or not is_probe(link) or self._failed[_site(link)] < MAX_FAILED:
            return ""
        return NO_API

    def repeats(self, followed: Link, fresh: Sequence[Link], again: Sequence[Link]) -> bool:
        """Take in what the answer to a request lists; say whether it may go on for ever.

        Args:
            followed: The request.
            fresh: New links in its answer.
            again: Known links in its answer.
        """
        name, path = shortcut_of(followed), followed.tag_path
        own = [one for one in (*fresh, *again) if shortcut_of(one) == name and not is_probe(one)]
        if is_probe(followed) and not own:
            self._failed[_site(followed)] += 1
        news = any(link.kind != API for link in fresh)
        known = any(link.kind != API for link in again)
        self._repeated[path] = 0 if news else self._repeated[path] + known
        self._empty[path] = 0 if news else self._empty[path] + (not known)
        return self._repeated[path] >= MAX_REPEATED or self._empty[path] >= MAX_EMPTY


def _site(link: Link) -> str:
    return link.host.removeprefix("www.")
