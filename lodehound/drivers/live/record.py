"""A recording: a crawl that keeps every response, with its state in a folder beside the file.

::

    site.warc.gz         every response, whole at any instant
    site.warc.gz.crawl/  the crawl directory, until every link has been followed
    site.cut.txt.gz      URLs that were seen and not asked for, if there are any
"""

from __future__ import annotations

import gzip
import shutil
import tempfile
from collections.abc import Set as AbstractSet
from pathlib import Path

from lodehound.config import CrawlConfig
from lodehound.core.errors import ConfigError
from lodehound.core.link import Link
from lodehound.core.scope import Scope
from lodehound.core.urls import resolve
from lodehound.drivers.live.assemble import starts_of
from lodehound.drivers.live.recorded import ENDING
from lodehound.drivers.live.run import Ending, Exit
from lodehound.stores.cache import _cut_file, _cut_urls
from lodehound.stores.crawl_dir import DATABASE, CrawlDir, Journal
from lodehound.stores.crawl_dir.errors import write_error
from lodehound.stores.crawl_dir.events import Answered
from lodehound.version import VERSION

# What decides which links are followed, and in what order: a crawl that is continued
# would not fit its journal with another value.
DECIDING = (
    "urls", "want", "policy", "seed", "finds", "early_stop", "include", "exclude", "under",
    "max_depth", "block", "traps",
)  # fmt: skip


def state_folder(out: Path) -> Path:
    """Return where the state of a recording is kept."""
    return out.with_name(out.name + ".crawl")


def open_state(config: CrawlConfig) -> tuple[CrawlDir, bool]:
    """Begin a recording, or continue the one that was begun; say whether it was.

    Manners, limits and budgets may be others than the last time.
    """
    out = Path(config.record)
    folder = state_folder(out)
    if not out.name.endswith(ENDING):
        raise ConfigError(f"A recording is a {ENDING}: --out {out.name.partition('.')[0]}{ENDING}.")
    if _begun(folder):
        directory = CrawlDir.open(folder)
        try:
            _refuse_other(config, directory)
            directory.keep_config(config.as_json())
        except BaseException:
            directory.close()
            raise
        return directory, True
    if out.exists():
        raise ConfigError(f"{str(out)!r} is there already: remove it, or choose another name.")
    return CrawlDir.create(folder, config=config.as_json(), version=VERSION), False


def _begun(folder: Path) -> bool:
    """Say whether a state was set up; a process may have been killed before that."""
    if not (folder / DATABASE).is_file():
        return False
    journal = Journal(folder / DATABASE, write=False)
    try:
        return bool(journal.meta())
    finally:
        journal.close()


def _refuse_other(config: CrawlConfig, directory: CrawlDir) -> None:
    """Refuse to continue a recording of something else."""
    before = CrawlConfig.from_json(
        directory.config, auth=config.auth, header=config.header, proxy=config.proxy
    )
    other = [name for name in DECIDING if getattr(before, name) != getattr(config, name)]
    if other:
        was = ", ".join(f"{name} = {getattr(before, name)!r}" for name in other)
        raise ConfigError(
            f"{config.record!r} was begun with {was}: give the same again to continue it, or remove "
            f"it and {str(directory.path)!r} to begin anew."
        )


# --- the end -----------------------------------------------------------------------------------


def end_recording(config: CrawlConfig, directory: CrawlDir, ending: Ending) -> int:
    """Bring a recording to its end, which closes its state; return how many URLs it left out.

    The state is removed when there is nothing left to continue.
    """
    out = Path(config.record)
    try:
        left_out = _note_left_out(out, *_sorted_out(config, directory.journal))
    except OSError as error:
        raise write_error(directory.path, error) from error
    answered = set(directory.journal.summary().statuses) - {"failed", "not sent"}
    directory.close()
    if ending.reason == "exhausted" or ending.code == Exit.NOTHING_REACHABLE:
        shutil.rmtree(directory.path)
    if not answered and ending.code == Exit.NOTHING_REACHABLE:
        out.unlink(missing_ok=True)
    return left_out


def _sorted_out(config: CrawlConfig, journal: Journal) -> tuple[set[str], set[str]]:
    """Return the URLs that were asked for, and those that were seen only.

    What the user or a robots.txt kept us from asking for is there all the same, and so is
    what the budget did not reach. Without a list of it the lab would take it for dead links.
    """
    scope = Scope.around(starts_of(config), block=config.block, traps=config.traps)
    asked: set[str] = set()
    seen: set[str] = set()
    outside: set[str] = set()
    for event in journal.events():
        if not isinstance(event, Answered):
            continue
        url = event.answer.ask.url
        (asked if event.answer.sent else seen).add(url)
        links = event.page.links if event.page is not None else ()
        moved = event.answer.location or (event.page.moved if event.page is not None else "")
        places = [*links, *(Link(place) for place in [resolve(url, moved)] if moved and place)]
        for link in places:
            if link.url not in seen and link.url not in outside:
                (outside if scope.refusal(link) else seen).add(link.url)
    return asked, seen - asked


def _note_left_out(out: Path, asked: AbstractSet[str], left_out: AbstractSet[str]) -> int:
    """Write the list of URLs beside the recording; several recordings may share one."""
    file = _cut_file(out)
    urls = sorted((set(_cut_urls(out)) - asked) | left_out)
    if not urls:
        file.unlink(missing_ok=True)
        return 0
    with tempfile.NamedTemporaryFile(dir=out.parent, prefix=file.name, delete=False) as temporary:
        temporary.write(gzip.compress("".join(f"{url}\n" for url in urls).encode(), mtime=0))
    Path(temporary.name).chmod(0o644)  # temporary files are private, recordings are not
    Path(temporary.name).replace(file)
    return len(left_out)
