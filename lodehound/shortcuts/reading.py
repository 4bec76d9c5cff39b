"""Reads answers with shortcuts: signs on pages become requests, answers of APIs become links."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import accumulate

from lodehound.core.link import Link
from lodehound.core.listing import (
    API,
    SPARE,
    Listing,
    is_probe,
    listed_link,
    page_link,
    probe_link,
    shortcut_of,
)
from lodehound.core.messages import Answer, Page
from lodehound.shortcuts.contract import MAX_PROBES, Expansion, Shortcut
from lodehound.shortcuts.documents import MAX_ITEMS, Fetched
from lodehound.shortcuts.marks import Marks

MAX_UNASKED = 1_000_000  # bytes of a document that is read only to see whose answer it is

Reader = Callable[[Answer, Link], Page]


class ShortcutReader:
    """Reads an answer as ``read`` does, and adds what shortcuts see in it.

    It keeps no state, so that a crawl can be restored from the links in its journal.

    Args:
        read: Reads the pages.
        shortcuts: By their names.
        named: Try them at the start URLs, whatever the pages there say.
        only: Leave out all links but those to APIs: the files are catalogued, not fetched.
    """

    def __init__(
        self,
        read: Reader,
        shortcuts: Mapping[str, Shortcut],
        *,
        named: bool = False,
        only: bool = False,
    ) -> None:
        self.shortcuts = shortcuts
        self.named = named
        self.only = only
        self._read = read
        self._marks = Marks(shortcuts)

    def __call__(self, answer: Answer, link: Link) -> Page:
        """Return the page of an answer."""
        page = self._read(answer, link)
        if answer.ask.method == "HEAD":
            return page
        fetched = _fetched(answer, page)
        name = shortcut_of(link) if link.kind == API else ""
        if name in self.shortcuts:
            page = self._answer(fetched, page, link, name)
        elif page.ok:
            page = self._page(fetched, page, link)
        if self.only:
            links = tuple(one for one in page.links if one.kind == API)
            listing = replace(page.listing, is_wanted=True) if page.listing else None
            page = replace(page, links=links, listing=listing)
        return page

    def _answer(self, fetched: Fetched, page: Page, link: Link, name: str) -> Page:
        """Read the answer to a request to an API."""
        found = self.shortcuts[name].expand(fetched) if page.ok else None
        if found is not None:
            return _expanded(page, found, name, link.depth)
        if page.ok and _is_too_long(fetched, fetched.url):
            return replace(page, cut=True)
        if not is_probe(link):
            return page
        others = [url for url in self._probes(name, link.around) if url != link.url]
        if not others or self._probes(name, link.around)[0] != link.url:
            return page
        second = probe_link(name, others[0], root=link.around, source=page.url, depth=link.depth)
        return replace(page, links=(second, *page.links))

    def _page(self, fetched: Fetched, page: Page, link: Link) -> Page:
        """Read an ordinary page: it may be an answer already, or show where to ask."""
        probes: dict[str, Link] = {}
        beginning = fetched.beginning
        marked = self._marks.shortcuts_for(beginning)
        at_start = self.named and not link.kind
        for name in [name for name in self.shortcuts if at_start or name in marked]:
            shortcut = self.shortcuts[name]
            for root in self._roots(shortcut, beginning, link, marked=name in marked):
                if root == fetched.url and (found := shortcut.expand(fetched)) is not None:
                    page = _expanded(page, found, name, link.depth, own=True)
                else:
                    page = replace(page, cut=page.cut or _is_too_long(fetched, root))
                    for url in self._probes(name, root)[:1]:
                        probe = probe_link(
                            name, url, root=root, source=page.url, depth=link.depth + 1
                        )
                        probes.setdefault(url, probe)
        probes.pop(fetched.url, None)
        if probes:
            return replace(page, links=(*probes.values(), *page.links))
        return page if page.listing is not None else self._unasked(fetched, page, link)

    def _unasked(self, fetched: Fetched, page: Page, link: Link) -> Page:
        """Read an answer of an API that a page links to, and that shows no other sign of it."""
        if fetched.is_html or len(fetched.body) > MAX_UNASKED:
            return page
        if not fetched.head.startswith(("{", "[", "<")):
            return page
        for name, shortcut in self.shortcuts.items():
            found = shortcut.expand(fetched) if shortcut.distinct else None
            if found is not None and not found.is_empty:
                return _expanded(page, found, name, link.depth, own=True)
        return page

    def _roots(
        self, shortcut: Shortcut, fetched: Fetched, link: Link, *, marked: bool
    ) -> tuple[str, ...]:
        roots = shortcut.signs(fetched) if marked else ()
        at_start = self.named and not link.kind
        return roots or ((fetched.url,) if at_start else ())

    def _probes(self, name: str, root: str) -> tuple[str, ...]:
        return self.shortcuts[name].probes(root)[:MAX_PROBES]


def _is_too_long(fetched: Fetched, root: str) -> bool:
    """Return whether a document is an answer, by its signs, that is too long to be read."""
    return root == fetched.url and not fetched.is_html and fetched.is_too_long


def _fetched(answer: Answer, page: Page) -> Fetched:
    return Fetched(
        page.url,
        page.mime,
        answer.body,
        answer.status,
        answer.headers,
        answer.charset,
        answer.cut,
    )


def _expanded(page: Page, found: Expansion, name: str, depth: int, *, own: bool = False) -> Page:
    """Return a page with what it lists.

    Args:
        page: As it was read.
        found: What it lists.
        name: Of the shortcut.
        depth: Of the page. Further pages of an API are not deeper than the first.
        own: It is an ordinary page, which shows links of its own.
    """
    more = [
        page_link(name, one.url, promise=one.promise, source=page.url, depth=depth + one.deeper)
        for one in found.more
        if one.url != page.url
    ]
    whole, found = found, _first(found)
    rest = page.links if own and not found.complete else ()
    # What a page itself shows comes first: where a link stands says more than that it is listed.
    links = (*more, *rest, *_listed(found, name, page.url, depth + 1))
    most = max(len(found.datasets), len(found.files))
    cut = page.cut or found.cut or found != whole or most >= MAX_ITEMS
    listing = Listing(name, found.datasets, found.files, own)
    return replace(page, links=links, listing=listing, cut=cut)


def _first(found: Expansion) -> Expansion:
    """Return no more of an answer than a crawl takes in at once: as much as of a sitemap."""
    most = MAX_ITEMS
    sizes = accumulate(1 + len(one.files) for one in found.datasets)
    datasets = tuple(one for one, size in zip(found.datasets, sizes, strict=True) if size <= most)
    return replace(
        found,
        datasets=datasets,
        files=found.files[:most],
        pages=found.pages[:most],
        spare=found.spare[:most],
        more=found.more[:most],
    )


def _listed(found: Expansion, name: str, source: str, depth: int) -> Iterator[Link]:
    """Yield the files, each with the title of its dataset, and the pages."""
    for dataset in found.datasets:
        for file in dataset.files:
            yield listed_link(
                name,
                file.url,
                source=source,
                depth=depth,
                format=file.format,
                title=file.title or dataset.title,
                around=dataset.title,
            )
        if dataset.url and not dataset.files:
            yield listed_link(name, dataset.url, source=source, depth=depth, title=dataset.title)
    for file in found.files:
        yield listed_link(
            name,
            file.url,
            source=source,
            depth=depth,
            format=file.format,
            title=file.title,
            around=file.modified,
        )
    for form, urls in (("html", found.pages), (SPARE, found.spare)):
        for url in urls:
            date = found.modified.get(url, "")
            yield listed_link(name, url, source=source, depth=depth, format=form, around=date)
