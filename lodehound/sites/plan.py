"""Adds files, redirects and dead links to the pages of a generated site."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import NamedTuple

from lodehound.sites.branch import Branch, parts, slug
from lodehound.sites.data_files import DataFile, draw_file
from lodehound.sites.html_pages import Anchor, Block, PlannedPage

TOGETHER = 3  # files per page, if there are enough pages: one table in several formats
ON_INDEXES, ON_DATASETS = 0.4, 0.1  # shares of the files; the others are on releases


class Redirect(NamedTuple):
    """A URL that redirects to another."""

    path: str
    place: str


class Plan:
    """The plan of a complete site.

    Args:
        languages: The first is at the root, the others below it.
        pages: Total number of HTML pages.
        files: Total number of data files.
        depth: Clicks from a home page to the releases.
        redirects: URLs that redirect; up to half of them lead to files.
        dead: Dead links, each to a different URL.
        rng: The random generator.
    """

    def __init__(
        self,
        *,
        languages: Sequence[str],
        pages: int,
        files: int,
        depth: int,
        redirects: int,
        dead: int,
        rng: random.Random,
    ) -> None:
        self.files: list[DataFile] = []
        self.redirects: list[Redirect] = []
        self.branches: list[Branch] = []
        self._rng = rng
        self._redirected = set(rng.sample(range(files), min(redirects // 2, files)))
        self._downloads: list[list[Anchor]] = []
        for number, language in enumerate(languages):
            some = len(parts(range(pages), len(languages))[number])
            hung = len(parts(range(files), len(languages))[number])
            base = f"/{language}/" if number else "/"
            data = math.ceil(hung * (1 - ON_INDEXES - ON_DATASETS) / TOGETHER)
            branch = Branch(base, language, pages=some, depth=depth, data=data, rng=rng)
            self.branches.append(branch)
            self._hang_files(branch, hung)
        self._redirect_pages(redirects - len(self.redirects))
        self._hang_dead(dead)

    def _hang_files(self, branch: Branch, count: int) -> None:
        on_indexes = int(ON_INDEXES * count) if branch.indexes else 0
        on_datasets = int(ON_DATASETS * count) if branch.datasets else 0
        on_releases = count - on_indexes - on_datasets
        self._hang_on(branch, self._some(branch.indexes, on_indexes), on_indexes)
        self._hang_on(branch, self._some(branch.datasets, on_datasets / TOGETHER), on_datasets)
        self._hang_on(branch, self._some(branch.releases, on_releases / TOGETHER), on_releases)

    def _some(self, pages: list[PlannedPage], wanted: float) -> list[PlannedPage]:
        return self._rng.sample(pages, min(len(pages), math.ceil(wanted)))

    def _hang_on(self, branch: Branch, pages: list[PlannedPage], count: int) -> None:
        if not count:
            return
        for page, share in zip(pages, parts(range(count), len(pages)), strict=True):
            anchors = [self._file_link(branch.home.path) for _ in share]
            self._downloads.append(anchors)
            page.blocks.append(Block("downloads", branch.word("downloads"), anchors))

    def _file_link(self, base: str) -> Anchor:
        """Draw the next file and the link to it, direct or through a redirect."""
        file = draw_file(base, len(self.files), self._rng)
        self.files.append(file)
        place = file.path
        if file.number in self._redirected:
            place = f"{base}go/{file.number}"
            self.redirects.append(Redirect(place, file.path))
        return Anchor(place, f"{file.format.upper()} {file.number}")

    def _redirect_pages(self, count: int) -> None:
        """Add links from articles to former URLs of other articles."""
        for number in range(count):
            branch = self._rng.choice(self.branches)
            page = self._rng.choice(branch.articles)
            former = f"{branch.home.path}former/{number}-{slug(page.title)}"
            self.redirects.append(Redirect(former, page.path))
            self._rng.choice(branch.related).append(Anchor(former, page.title))

    def _hang_dead(self, count: int) -> None:
        """Add links to missing files and articles, about equally many."""
        for number in range(count):
            if number % 2 and self._downloads:
                file = draw_file("/", len(self.files) + number, self._rng)
                name = f"{file.format.upper()} {file.number}"
                self._rng.choice(self._downloads).append(Anchor(file.path, name))
            else:
                branch = self._rng.choice(self.branches)
                place = f"{branch.home.path}news/removed-{number}"
                self._rng.choice(branch.related).append(Anchor(place, branch.word("news")))
