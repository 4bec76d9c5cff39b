"""Repairs a damaged crawl directory: keeps what is sound, says what is lost."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from lodehound.assembly.rebuild import config_of, rebuild
from lodehound.assembly.trust import unnamed
from lodehound.config import CrawlConfig
from lodehound.core.errors import ConfigError, LodehoundError, SiteError
from lodehound.stores.crawl_dir import CrawlDir, no_crawl
from lodehound.stores.crawl_dir.datasette import write_metadata
from lodehound.stores.database.connect import plain
from lodehound.stores.database.schema import FORMAT
from lodehound.stores.errors import write_error
from lodehound.stores.files.inside import check_inside
from lodehound.stores.files.layout import DATABASE, JOURNAL
from lodehound.stores.locks.lock import Lock
from lodehound.stores.repair.damage import problems
from lodehound.stores.repair.mending import Tables, mend, write_database
from lodehound.stores.repair.rehash import FileCheck, check_files, put_back
from lodehound.stores.repair.salvage import Salvaged, salvage
from lodehound.text.shell import quoted
from lodehound.version import VERSION

# What a row of a table is, for people.
WORDS = {
    "asks": "requests", "answers": "answers", "waits": "waits of the policy",
    "offers": "lists of links from sitemaps", "finds": "finds",
    "inspections": "contents of files", "runs": "runs", "meta": "facts about the crawl",
}  # fmt: skip

WORKPLACE = ".repair-"  # how the name of the folder begins in which a repair works


class NothingSoundError(SiteError):
    """Nothing of a crawl directory can be saved.

    Args:
        folder: The crawl directory; nothing in it was changed.
        damage: What is damaged.
    """

    def __init__(self, folder: Path, damage: str) -> None:
        super().__init__(
            f"Nothing of the journal in {str(folder)!r} can be saved ({damage}): its files "
            f"are left as they are; set them aside and begin the crawl again with "
            f"'lodehound repair {quoted(folder)} --begin-again'."
        )


@dataclass
class Repair:
    """What was done to a crawl directory.

    Attributes:
        damage: What was damaged, at first sight; [] if nothing was, and nothing was done.
        requests: Requests that are kept.
        answers: Those with an answer; the others are made again by ``resume``.
        finds: Finds that are kept.
        losses: What is lost, a line each.
        notes: What else was done, a line each.
        original: The folder with the damaged originals.
    """

    damage: list[str] = field(default_factory=list)
    requests: int = 0
    answers: int = 0
    finds: int = 0
    losses: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    original: Path = Path()


def repair(folder: Path) -> Repair:
    """Repair a crawl directory in place. The damaged originals are moved, never removed.

    Raises:
        SiteError: Nothing could be saved, or written; nothing was changed.
        DiskFullError: There is no space left; nothing was changed.
    """
    if not (folder / DATABASE).is_file():
        raise no_crawl(folder)
    check_inside(folder, write=True)
    again = f"run 'lodehound repair {quoted(folder)}' again"
    try:
        return _repaired(folder, again)
    except (OSError, sqlite3.OperationalError) as error:
        raise write_error(folder, error, again) from error


def obstacle(folder: Path) -> str:
    """Replay a repaired journal as ``resume`` will; return what prevents it, "" if nothing does."""
    try:
        with CrawlDir.open(folder, write=False) as directory:
            if not unnamed(config_of(directory)):  # else it takes code that we do not run
                rebuild(directory)
    except LodehoundError as error:
        return f"the crawl cannot be resumed as it is: {error}"
    return ""


def _repaired(folder: Path, again: str) -> Repair:
    with closing(_Held(folder, again)), _workplace(folder) as near:
        saved = salvage(folder / DATABASE, Path(near))
        files = check_files(folder, saved.tables["finds"].values())
        done = Repair(_damage(folder, files))
        if not done.damage:
            return done
        if not (saved.tables["asks"] or saved.tables["answers"] or saved.tables["finds"]):
            raise NothingSoundError(folder, done.damage[0])
        tables, lost = mend(saved.tables, files.lost)
        meta_losses = _mend_meta(tables)
        write_database(Path(near, "new"), tables)
        done.original = _set_aside(folder, files)
        _replace(folder, Path(near, "new"))
    done.requests, done.answers = len(tables["asks"]), len(tables["answers"])
    done.finds = len(tables["finds"])
    done.losses = [*meta_losses, *_losses(saved, lost, files)]
    done.notes = _notes(files)
    with CrawlDir.open(folder) as directory:
        directory.keep_end("")
    return done


def _workplace(folder: Path) -> tempfile.TemporaryDirectory[str]:
    """Make a folder for the new database, and remove those of repairs that were killed."""
    for left in folder.glob(f"{WORKPLACE}*"):
        shutil.rmtree(left, ignore_errors=True)
    return tempfile.TemporaryDirectory(dir=folder, prefix=WORKPLACE)


class _Held:
    """The lock of a crawl directory, to be closed."""

    def __init__(self, folder: Path, then: str) -> None:
        self.close = Lock(folder, then).release


def _damage(folder: Path, files: FileCheck) -> list[str]:
    found = [*problems(folder, thorough=True)] or _wrong_config(folder)
    for name in sorted(files.lost | files.back.keys()):
        state = "is not the file that was downloaded" if name in files.changed else "is missing"
        found.append(f"{name} {state}")
    return found


def _wrong_config(folder: Path) -> list[str]:
    with CrawlDir.open(folder, write=False) as directory:
        try:
            config_of(directory)
        except ConfigError as error:
            return [str(error)]
    return []


def _mend_meta(tables: Tables) -> list[str]:
    """Replace what is missing in the facts about the crawl; say what."""
    meta = {plain(key): plain(row["value"]) for key, row in tables["meta"].items()}
    asked_at = [str(row["asked_at"]) for row in tables["asks"].values()]
    spare = {"version": VERSION, "created_at": min(asked_at, default=_now())}
    missing = [name for name in spare if name not in meta]
    losses = [f"{name}: {spare[name]} is used instead" for name in missing]
    meta = spare | meta | {"format": str(FORMAT)}
    try:
        CrawlConfig.without_secrets(meta["config"])
    except (ConfigError, ValueError, KeyError, AttributeError, TypeError):
        starts = [plain(row["url"]) for row in tables["asks"].values() if not row["source"]]
        meta["config"] = CrawlConfig.made_of({"urls": starts[:1]}).as_json()
        losses.append("the options of the crawl: defaults are used, give yours to resume")
    tables["meta"] = {key: {"key": key, "value": value} for key, value in meta.items()}
    return losses


def _set_aside(folder: Path, files: FileCheck) -> Path:
    """Copy the damaged database and move changed files to a folder of their own."""
    kept = folder / f"damaged-{datetime.now(UTC):%Y%m%dT%H%M%S}-{os.getpid()}"
    kept.mkdir()
    for name in sorted(JOURNAL):
        if (folder / name).is_file():
            shutil.copy2(folder / name, kept / name)
    put_back(folder, files, kept)
    return kept


def _replace(folder: Path, new: Path) -> None:
    """Put the repaired database into place. The old log must not be read with it."""
    for name in sorted(JOURNAL - {DATABASE}):
        (folder / name).unlink(missing_ok=True)
    new.replace(folder / DATABASE)
    write_metadata(folder)


def _losses(saved: Salvaged, lost: Counter[str], files: FileCheck) -> list[str]:
    """List what is lost, and what became of the files."""
    damaged = saved.damaged + lost
    losses = [f"{WORDS.get(name, name)}: {damaged[name]} damaged or left out" for name in damaged]
    if saved.unreachable:
        named = ", ".join(WORDS.get(name, name) for name in saved.unreachable)
        losses.append(f"further rows that cannot be counted, of: {named}")
    losses += [f"{name}: lost or changed, requested again by resume" for name in sorted(files.lost)]
    return losses


def _notes(files: FileCheck) -> list[str]:
    notes = [f"{name}: put back from {place.name}" for name, place in sorted(files.back.items())]
    if files.strange:
        notes.append(f"files that belong to no find, and are kept: {files.strange:,}")
    return notes


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
