"""A site as a graph without HTML, built directly as columns: for measurements at scale."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lodehound.core.errors import ConfigError
from lodehound.stores.site import ABSENT, Ids, RecordedSite

HOST = "https://graph.example/"
MIMES = ["text/html", "text/csv", "application/pdf", "application/zip"]
ENDINGS = ["csv", "pdf", "zip"]  # in the order of the types
BRANCHES = 4  # children of a page in the tree that connects all pages
RICH = 10  # one in this many groups has files
BARE = 5  # one in this many files has a URL without an extension

Numbers = NDArray[np.int64]


def graph(
    pages: int, *, links: int = 20, files: int | None = None, groups: int = 300, seed: int = 0
) -> RecordedSite:
    """Return a recorded site of a given size, every page and file reachable from the root.

    Pages form a tree; the remaining links of a page lead to random pages. Every
    page belongs to a group, and the links to it have the tag path of that group.
    Only the pages of a few groups link to files, so that tag paths show where the
    files are.

    Args:
        pages: HTML pages.
        links: Links per page.
        files: Data files; by default a tenth of the pages.
        groups: Distinct tag paths of links to pages.
        seed: Random seed.

    >>> site = graph(1000, links=20, files=100)
    >>> len(site.status), len(site.link_url)
    (1100, 20000)
    """
    files = pages // 10 if files is None else files
    _check(pages, links, files, groups)
    rng = np.random.default_rng(seed)
    total = pages + files
    group = _draw_groups(pages, groups, rng)
    table = _link_table(pages, links, files, group, rng)
    rows = table.reshape(-1)
    # A link to a page has the tag path of the page's group; all links to files share one.
    path_of = np.concatenate((group, np.full(files, groups, dtype=np.int32)))
    return RecordedSite(
        name=f"graph-{pages}",
        urls=_urls(pages, files),
        status=np.full(total, 200, dtype=np.int32),
        mime=_mime_column(pages, files),
        size=rng.integers(1_000, 100_000, size=total),
        head_size=np.full(total, 200, dtype=np.int32),
        location=np.full(total, ABSENT, dtype=np.int32),
        starts=np.minimum(np.arange(total + 1) * links, rows.size),
        link_url=rows,
        link_path=path_of[rows],
        # Filled, not np.zeros: memory that is only reserved would not be measured.
        link_anchor=np.full(rows.size, 0, dtype=np.int32),
        link_around=np.full(rows.size, 0, dtype=np.int32),
        link_kind=np.full(rows.size, 0, dtype=np.int8),
        mimes=list(MIMES),
        paths=[*map(_tag_path, range(groups)), "html/body/main/section.files/ul.downloads/li/a"],
        anchors=[""],
        arounds=[""],
    )


def _check(pages: int, links: int, files: int, groups: int) -> None:
    if pages < 1 or links < 1 or groups < 1 or files < 0:
        raise ConfigError("A graph needs at least 1 page, 1 link and 1 group, and 0 files or more.")
    most = pages * (links - min(BRANCHES, links))
    if files > most:
        raise ConfigError(f"{pages} pages of {links} links have at most {most} files, not {files}.")


def _draw_groups(pages: int, groups: int, rng: np.random.Generator) -> Ids:
    """Draw the group of every page: few groups are large and many small, as on real sites."""
    weights = 1 / np.arange(1, groups + 1)
    return rng.choice(groups, size=pages, p=weights / weights.sum()).astype(np.int32)


def _link_table(
    pages: int, links: int, files: int, group: Ids, rng: np.random.Generator
) -> NDArray[np.int32]:
    """Return the URL numbers that each page links to, one row per page."""
    table = rng.integers(0, pages, size=(pages, links), dtype=np.int32)
    branches = min(BRANCHES, links)
    children = np.arange(1, pages, dtype=np.int32)
    table[(children - 1) // branches, (children - 1) % branches] = children
    carriers = _carriers(group, files, links - branches, rng)
    if files:
        number = np.arange(files)
        at = carriers[number % carriers.size]
        table[at, branches + number // carriers.size] = pages + number
    # The position of a link on a page must not reveal where it leads.
    rng.permuted(table, axis=1, out=table)
    return table


def _carriers(group: Ids, files: int, room: int, rng: np.random.Generator) -> Numbers:
    """Return the pages that link to files: those of the rich groups, more if these are too few."""
    rich = np.flatnonzero(group % RICH == RICH - 1)
    poor = np.flatnonzero(group % RICH != RICH - 1)
    needed = -(-files // room) if files else 0
    return np.concatenate((rich, rng.permutation(poor)[: max(0, needed - rich.size)]))


def _mime_column(pages: int, files: int) -> Ids:
    mime = np.zeros(pages + files, dtype=np.int32)
    mime[pages:] = 1 + np.arange(files) % len(ENDINGS)
    return mime


def _urls(pages: int, files: int) -> list[str]:
    urls = [HOST, *(f"{HOST}page/{number}" for number in range(1, pages))]
    urls += (
        f"{HOST}download/{number}"
        if number % BARE == 0
        else f"{HOST}files/table-{number}.{ENDINGS[number % len(ENDINGS)]}"
        for number in range(files)
    )
    return urls


def _tag_path(group: int) -> str:
    """Return a tag path that differs from the others in most of its elements."""
    return f"html/body/div.part-{group}/section.box-{group}/ul.list-{group}/li/a"
