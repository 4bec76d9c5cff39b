"""Known URLs in the order of what a revisit is expected to bring, kept up to date as they change.

URLs of a kind share a factor: the news that this round has brought of the kind, over what was
expected. So each kind has a heap of its own, and only its first is compared with the others'. Those
of a kind whose relatives had news are a kind of their own.
"""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from collections.abc import Sequence

from lodehound.learn.news import FIND
from lodehound.learn.revisits import (
    ALIAS,
    BY_MEAN,
    PAGE_CHANGED,
    PAGE_SAME,
    STATES,
    STEM_CHANGED,
    STEM_NEWS,
    STEM_SAME,
    TWIN_CHANGED,
    TWIN_NEWS,
    TWIN_SAME,
    UNSEEN,
    Revisits,
)

CLAIMED = -2  # the kind of URLs that changed since the last visit, as a sitemap says
QUIET = frozenset({TWIN_SAME, STEM_SAME, PAGE_SAME})
LONG = 5  # one revisit in so many goes to a URL that has waited long


def hit_share(worth: float) -> float:
    """Return the share of hits among the requests that something of this worth causes.

    A page with n finds costs one request and gives n finds for n more: n / (n + 1), which is
    1 - 2 ** -w for the worth w = log2(1 + n).
    """
    return 1.0 - math.exp2(-worth)


def finds_of(worth: float) -> float:
    """Return the number of finds of a worth: w = log2(1 + n)."""
    return math.exp2(min(worth, 30.0)) - 1.0


class RevisitQueue:
    """The known URLs that were not visited in this round.

    Args:
        model: Says what a revisit is expected to bring.
    """

    def __init__(self, model: Revisits) -> None:
        self._model = model
        self._alone: list[float] = model.expected().tolist()
        self._now = list(self._alone)  # with what this round has shown of relatives
        self._state = [UNSEEN] * len(self._now)
        self._open = [True] * len(self._now)  # neither taken nor set aside
        self._taken: set[int] = set()
        self._kind: list[int] = model.kinds.tolist()
        self._find: list[bool] = (model.classes == FIND).tolist()
        self._relatives: dict[str, list[int]] = defaultdict(list)
        for number, address in enumerate(model.addresses):
            self._relatives[f"twin {address.twin}"].append(number)
            self._relatives[f"stem {address.stem}"].append(number)
        self._claimed: set[int] = set()
        self._seen: dict[int, float] = defaultdict(float)  # news of a kind in this round
        self._expected: dict[int, float] = defaultdict(float)
        self._heaps: dict[int, list[tuple[float, int]]] = defaultdict(list)
        self._heads: list[tuple[float, int, int]] = []  # first of each heap, maybe stale
        self._version: dict[int, int] = defaultdict(int)
        for number, kind in enumerate(self._kind):
            self._heaps[kind].append((-self._now[number], number))
        for kind, heap in self._heaps.items():
            heapq.heapify(heap)
            self._show(kind)
        self._turn = 0
        self._waiting_long = model.waiting_long()

    def best(self) -> float:
        """Return the value of the best revisit; below 0 when there is none."""
        while self._heads:
            value, kind, version = self._heads[0]
            if version == self._version[kind] and self._first(kind) is not None:
                return -value
            heapq.heappop(self._heads)
        return -1.0

    def waits(self, number: int) -> bool:
        """Return whether a URL was not visited in this round."""
        return number not in self._taken

    def left(self) -> float:
        """Return the finds that the remaining revisits are expected to bring."""
        return sum(
            min(news, 1.0) if self._find[number] else finds_of(news)
            for number, news in enumerate(self._now)
            if self.waits(number)
        )

    def look(self) -> tuple[int, str]:
        """Return the best revisit, at times one that has waited long, and the reason."""
        if (self._turn + 1) % LONG == 0:
            while self._waiting_long:
                other = self._waiting_long[-1]
                if self.waits(other) and self._state[other] == UNSEEN:
                    if not self._open[other]:  # its host sleeps
                        break
                    return other, "revisit: not visited for a long time"
                self._waiting_long.pop()
        value, kind, _ = self._heads[0]
        number = self._heaps[kind][0][1]
        reason = self._model.reason(number, self._state[number])
        return number, f"revisit: {-value:.2f} finds per request expected, {reason}"

    def remove(self, number: int) -> None:
        """Remove a URL that is visited."""
        self._turn += 1
        self._taken.add(number)
        self._expected[self._place(number)] += self._now[number]
        self.set_aside(number)

    def set_aside(self, number: int) -> None:
        """Leave a URL out until it is put back."""
        self._open[number] = False
        self._show(self._place(number))

    def put_back(self, number: int) -> None:
        """Put back a URL that was set aside, unless it was removed meanwhile."""
        if number in self._taken:
            return
        self._open[number] = True
        self._push(number)
        self._show(self._place(number))

    def learn(self, number: int, news: float, *, fresh: bool, changed: bool) -> None:
        """Take in what a revisit brought, and what it says of the relatives.

        Args:
            number: Of the URL.
            news: Worth of what it brought.
            fresh: It showed new links, or is a find that is new or changed.
            changed: Its content changed.
        """
        kind = self._place(number)
        self._seen[kind] += news
        touched = {kind}
        address = self._model.addresses[number]
        for name, same, differs, some in (
            (f"twin {address.twin}", TWIN_SAME, TWIN_CHANGED, TWIN_NEWS),
            (f"stem {address.stem}", STEM_SAME, STEM_CHANGED, STEM_NEWS),
        ):
            state = some if fresh else differs if changed else same
            for other in self._relatives[name]:
                if self.waits(other):
                    alias = self._model.addresses[other].alias == address.alias
                    touched.add(self._tell(other, ALIAS if alias else state))
        for other in self._model.shown_on(number):
            if self.waits(other):
                touched.add(self._tell(other, PAGE_CHANGED if changed else PAGE_SAME))
        for kind in touched:
            self._show(kind)

    def claim(self, numbers: Sequence[int], listed: int) -> None:
        """Take in that URLs have changed since the last visit, as a sitemap says.

        Args:
            numbers: Of the URLs.
            listed: How many known URLs the sitemap lists. One that says so of all says nothing.
        """
        model = self._model
        trust = model.trust * (1 - len(numbers) / max(listed, 1))
        for number in numbers:
            if self.waits(number) and self._state[number] in {UNSEEN, *QUIET}:
                said = trust * float(model.gain[model.classes[number]])
                if said > self._now[number]:
                    self._state[number] = UNSEEN
                    self._claimed.add(number)
                    self._now[number] = said
                    self._push(number)
        self._show(CLAIMED)

    def _tell(self, number: int, state: int) -> int:
        """Update a URL by the state of a related one, unless a closer is known; return its heap."""
        known = self._state[number]
        if number in self._claimed and state in QUIET:
            return CLAIMED  # what is said of the URL itself counts more
        if known == UNSEEN or state < known:
            self._claimed.discard(number)
            self._state[number] = state
            self._now[number] = self._model.after(number, state, self._alone[number])
            self._push(number)
        return self._place(number)

    def _push(self, number: int) -> None:
        heapq.heappush(self._heaps[self._place(number)], (-self._now[number], number))

    def _place(self, number: int) -> int:
        """Return the number of the kind that a URL belongs to at present."""
        if number in self._claimed:
            return CLAIMED
        kind, state = self._kind[number], self._state[number]
        return -STATES * (kind + 1) - state if state in BY_MEAN else kind

    def _first(self, kind: int) -> int | None:
        """Return the first of a heap, after taking out what was visited or valued anew."""
        heap = self._heaps[kind]
        while heap:
            value, number = heap[0]
            if self._open[number] and -value == self._now[number] and self._place(number) == kind:
                return number
            heapq.heappop(heap)
        return None

    def _show(self, kind: int) -> None:
        """Put the first of a heap among those that are compared."""
        number = self._first(kind)
        if number is None:
            return
        news = self._now[number] * (1 + self._seen[kind]) / (1 + self._expected[kind])
        value = min(news, 1.0) if self._find[number] else hit_share(news)
        self._version[kind] += 1
        heapq.heappush(self._heads, (-value, kind, self._version[kind]))
