"""A recording: a crawl that keeps every response, with its state in a folder beside the file.

::

    site.warc.gz         every response, whole at any instant
    site.warc.gz.crawl/  the crawl directory, until every link has been followed
    site.cut.txt.gz      URLs that were seen and not asked for, if there are any
"""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

from lodehound.assembly.build import make_scope, target_of
from lodehound.assembly.ending import Ending, Exit
from lodehound.assembly.replicas import WARC_SUFFIX
from lodehound.assembly.starting import begin, go_on, is_begun
from lodehound.config import CrawlConfig
from lodehound.core.errors import ConfigError
from lodehound.core.link import Link
from lodehound.core.urls import resolve
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.errors import write_error
from lodehound.stores.left_out import change_left_out
from lodehound.stores.log.events import Answered
from lodehound.stores.log.journal import Journal


def state_folder(out: Path) -> Path:
    """Return where the state of a recording is kept."""
    return out.with_name(out.name + ".crawl")


def open_state(config: CrawlConfig) -> tuple[CrawlDir, bool]:
    """Begin a recording, or continue the one that was begun; say whether it was.

    Politeness, limits and budgets may be others than the last time.
    """
    out = Path(config.record)
    folder = state_folder(out)
    if not out.name.endswith(WARC_SUFFIX):
        raise ConfigError(
            f"A recording is a {WARC_SUFFIX}: --out {out.name.partition('.')[0]}{WARC_SUFFIX}."
        )
    if is_begun(folder):
        return go_on(config, folder)[0], True
    if out.exists():
        raise ConfigError(f"{str(out)!r} is there already: remove it, or choose another name.")
    return begin(config, folder), False


# --- the end -----------------------------------------------------------------------------------


def end_recording(config: CrawlConfig, directory: CrawlDir, ending: Ending) -> int:
    """Bring a recording to its end, which closes its state; return how many URLs it left out.

    The state is removed when there is nothing left to continue.
    """
    out = Path(config.record)
    asked, seen = _sorted_out(config, directory.journal)
    if ending.code not in {Exit.DISK_FULL, Exit.NOTHING_REACHABLE}:
        change_left_out(out, add=seen, remove=asked)
    answered = set(directory.summary().statuses) - {"failed", "not sent"}
    directory.close()
    try:
        if ending.reason == "exhausted" or ending.code == Exit.NOTHING_REACHABLE:
            shutil.rmtree(directory.path)
        if not answered and ending.code == Exit.NOTHING_REACHABLE:
            out.unlink(missing_ok=True)
    except OSError as error:
        raise write_error(directory.path, error) from error
    return len(seen)


def _sorted_out(config: CrawlConfig, journal: Journal) -> tuple[set[str], set[str]]:
    """Return the URLs that were asked for, and those that were seen only.

    What the user or a robots.txt kept us from asking for is there all the same, and so is
    what the budget did not reach. Without a list of it the lab would take it for dead links.
    """
    # As the lab will have it, which knows nothing of the user's options.
    plain = replace(config, include=(), exclude=(), under="", max_depth=None)
    scope = make_scope(plain, target_of(plain))
    asked: set[str] = set()
    seen: set[str] = set()
    outside: set[str] = set()
    for event in journal.events():
        if not isinstance(event, Answered):
            continue
        (asked if event.answer.sent else seen).add(event.answer.ask.url)
        for link in _shown(event):
            if link.url not in seen and link.url not in outside:
                (outside if scope.refusal(link) else seen).add(link.url)
    return asked, seen - asked


def _shown(event: Answered) -> list[Link]:
    """Return where an answer leads."""
    answer, page = event.answer, event.page
    moved = answer.location if 300 <= answer.status < 400 else page.moved if page else ""
    place = resolve(answer.ask.url, moved) if moved else ""
    return [*(page.links if page else ()), *([Link(place)] if place else [])]
