"""What one site taught helps the next: a prior for the policy, learned from finished crawls."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from lodehound.assembly.naming import notes_of_plug_ins, without_plug_ins
from lodehound.assembly.rebuild import config_of, whole_replica
from lodehound.assembly.rounds import resume_round
from lodehound.config import CrawlConfig
from lodehound.core.errors import ConfigError, LodehoundError
from lodehound.core.policy import Lessons
from lodehound.core.shell import shown
from lodehound.learn.hashing import MASK
from lodehound.learn.lessons import mean_of
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.files.layout import FLEET
from lodehound.stores.fleet import FleetStore
from lodehound.stores.prior import read_prior

POLICY = "lodehound"
LEAST = 2  # crawls in which a feature must occur, if there are several


def with_prior(config: CrawlConfig) -> CrawlConfig:
    """Read the prior that a config names: a crawl that is resumed must mean the same."""
    if not config.prior:
        return config
    path = Path(config.prior)
    return replace(config, prior=str(path.absolute()), prior_weights=prior_weights(path))


def prior_weights(path: Path) -> str:
    """Return the weights of a prior as JSON; refuse features that the policy does not have."""
    return read_prior(path, MASK)


def learn_prior(
    folders: Sequence[Path],
    warn: Callable[[str], None] = lambda _: None,
    *,
    named: frozenset[tuple[str, str]] = frozenset(),
) -> tuple[Lessons, int]:
    """Return what crawls have learned, and how many crawls there are.

    Args:
        folders: Crawls, or fleets: all their sites count.
        warn: Takes a line about each crawl that is left out, or whose plug-ins are not loaded.
        named: Plug-ins of the crawls, by option, that the user names to load them.

    Raises:
        ConfigError: All are left out.
    """
    learned: list[Lessons] = []
    left_out: list[str] = []
    notes: list[str] = []
    # A crawl that is named twice says no more of other sites than once.
    for folder in {os.path.realpath(one): one for one in _crawls(folders)}.values():
        try:
            lessons = _lessons_of(folder, named, notes.append)
        except LodehoundError as error:
            left_out.append(f"{shown(folder)}: {error}")
            continue
        if lessons:
            learned.append(lessons)
        else:
            left_out.append(f"{shown(folder)}: nothing was learned there")
    if not learned:
        why = f" ({left_out[0]})" if left_out else ""
        raise ConfigError(
            f"There is nothing to learn from{why}: name crawls that have found something."
        )
    for note in [*notes, *(f"left out: {one}" for one in left_out)]:
        warn(note)
    return mean_of(learned, least=min(LEAST, len(learned))), len(learned)


def _crawls(folders: Sequence[Path]) -> Iterator[Path]:
    for folder in folders:
        if not (folder / FLEET).is_file():
            yield folder
            continue
        with FleetStore(folder, write=False) as store:
            yield from [store.crawl_folder(site.name) for site in store.sites()]


def _lessons_of(
    folder: Path, named: frozenset[tuple[str, str]], warn: Callable[[str], None]
) -> Lessons:
    """Drive the policy through the first round of a journal, whichever policy wrote it.

    Further rounds go where finds were: they tell little of a site that is not known.
    """
    with CrawlDir.open(folder, write=False) as directory:
        further = directory.journal.rounds()[1:]
        until = further[0].first - 1 if further else None
        directory.named = named
        config = config_of(directory)
        for note in notes_of_plug_ins(config, {"want", "shortcuts"}):
            warn(f"note: {shown(folder)}: {note}")
        config = replace(config, policy=POLICY, prior="", prior_weights="")
        config, target = without_plug_ins(config)
        with whole_replica(config) as replica:
            crawl = resume_round(config, directory, replica, until=until, target=target)
        return crawl.lanes.lessons()
