"""What a crawler could do that knows every link: a greedy cover of pages, and the files."""

from __future__ import annotations

import heapq
import math
from collections.abc import Collection, Container, Iterable, Iterator

from lodehound.stores.site import ABSENT, RecordedSite

SHARE = 0.9  # Tables 2 and 3 of the SB paper


def floor_requests(
    site: RecordedSite,
    wanted: Collection[str],
    held: Container[str],
    known: Collection[int],
    pages: Iterable[int],
) -> float:
    """Return about the fewest requests to 90 % of the wanted files.

    A file that is known costs its own request; another must be seen on a page first, and a page
    that is new itself on another one.

    Args:
        site: The snapshot.
        wanted: Files to be found: in a further round, those that are new or changed.
        held: URLs of files that are known.
        known: Numbers of the pages that were there before, or where the crawl begins.
        pages: Numbers of all pages that can be reached.
    """
    needed = math.ceil(SHARE * len(wanted) - 1e-9)
    there = sum(url in held for url in wanted)
    read = 0
    if there < needed:
        for cost, shown in _cover(site, wanted, held, known, pages):
            read += cost
            there += len(shown)
            if there >= needed:
                break
    return float(needed + read)


def most_finds(
    site: RecordedSite,
    wanted: Collection[str],
    held: Container[str],
    known: Collection[int],
    pages: Iterable[int],
    *,
    requests: int,
) -> tuple[list[str], list[str]]:
    """Return about the most wanted files that so many requests can find, and those seen on the way.

    The arguments are those of ``floor_requests``.
    """
    found = [url for url in wanted if url in held][:requests]
    seen: list[str] = []
    left = requests - len(found)
    for cost, shown in _cover(site, wanted, held, known, pages) if left > 0 else ():
        if left < max(cost, 1):
            break
        files = sorted(site.urls[number] for number in shown)
        found += files[: left - cost]
        seen += files
        left -= cost + len(files)
    return found, seen


def _cover(
    site: RecordedSite,
    wanted: Collection[str],
    held: Container[str],
    known: Collection[int],
    pages: Iterable[int],
) -> Iterator[tuple[int, set[int]]]:
    """Yield how many pages to read next, and the wanted files that they are the first to show.

    Pages are chosen greedily, by the files that each is the first to show, as is usual for covers.
    """
    missing = {site.number(url) for url in wanted if url not in held}
    shows = {page: found for page in pages if (found := missing.intersection(_links(site, page)))}
    ways = _ways(site, pages, known)
    heap = [(-len(found) / len(ways[page]), page) for page, found in shows.items() if page in ways]
    heapq.heapify(heap)
    read: set[int] = set()
    covered: set[int] = set()
    while heap:
        _, page = heapq.heappop(heap)
        gain = shows[page] - covered
        cost = len(set(ways[page]) - read)
        ratio = -len(gain) / max(cost, 0.5)
        if not gain:
            continue
        if heap and ratio > heap[0][0]:
            heapq.heappush(heap, (ratio, page))  # others came first to some of its files
            continue
        covered |= gain
        read.update(ways[page])
        yield cost, gain


def _links(site: RecordedSite, page: int) -> list[int]:
    """Return what a page links or redirects to."""
    found: list[int] = site.link_url[int(site.starts[page]) : int(site.starts[page + 1])].tolist()
    end = int(site.location[page])
    return found if end == ABSENT else [*found, end]


def _ways(
    site: RecordedSite, pages: Iterable[int], known: Collection[int]
) -> dict[int, tuple[int, ...]]:
    """Return the shortest way from a known page to every page that is reachable."""
    there = set(pages)
    ways: dict[int, tuple[int, ...]] = {page: (page,) for page in there if page in known}
    edge = list(ways)
    while edge:
        further = []
        for page in edge:
            for number in _links(site, page):
                if number in there and number not in ways:
                    ways[number] = (*ways[page], number)
                    further.append(number)
        edge = further
    return ways
