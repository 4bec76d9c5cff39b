"""What one round of a crawl brought: new, changed and gone files, and what it cost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from lodehound.assembly.ending import MEANINGS
from lodehound.stores.catalogue.crawl_rounds import CrawlRound, round_named
from lodehound.stores.catalogue.datasets import dataset_news, only_catalogues
from lodehound.stores.catalogue.find_reads import changes_within, count_not_modified, page_changes
from lodehound.stores.catalogue.totals import Summary
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.log.crawl_reader import CrawlReader
from lodehound.stores.texts import one_line
from lodehound.text.counts import counted

WHOLE = {"exhausted", "early-stop", "left out"}  # a round that ended so has seen the site
UNREACHABLE = "nothing reachable"  # a round that ended so has seen nothing of it
END = 1 << 62  # after the last request


@dataclass(frozen=True, slots=True)
class RoundFile:
    """A file that is new, changed or gone."""

    url: str
    file: str  # in the crawl directory; "" for an older version that was not kept
    sha256: str
    bytes: int
    mime: str


@dataclass(frozen=True, slots=True)
class RoundReport:
    """One round. The names are those of its JSON, a contract.

    In the first round everything is new.
    """

    directory: str
    round: int
    began_at: str
    ended: str  # why it ended; "" while it runs, or if it was killed
    requests: int
    not_modified: int  # answers of status 304
    bytes: int
    seconds: float
    pages: dict[str, int]  # pages that are new, changed, same or gone
    new: list[RoundFile]
    changed: list[RoundFile]
    gone: list[RoundFile]
    unit: str = "file"  # or "dataset", of a crawl that only catalogues

    @property
    def has_news(self) -> bool:
        return bool(self.new or self.changed or self.gone)

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def round_report(directory: CrawlDir, number: int | None = None) -> RoundReport:
    """Report on a round by its number; on the last one unless given.

    Raises:
        ConfigError: There is no such round.
    """
    mine = round_named(directory.facts.rounds(), number)
    summary = directory.summary(mine)
    with CrawlReader(directory.path) as look:
        return _report(directory.path, look, mine, summary)


def _report(folder: Path, look: CrawlReader, mine: CrawlRound, summary: Summary) -> RoundReport:
    within = (mine.first, mine.next_first or END)
    files: dict[str, list[RoundFile]] = {"new": [], "changed": [], "gone": []}
    for change, *values in changes_within(look, *within):
        if change in files:
            files[change].append(RoundFile(*values))
    for change, find, _ in dataset_news(look.rows, *within):
        files[change].append(RoundFile(find.final_url, "", "", find.size, ""))
    return RoundReport(
        directory=str(folder),
        round=mine.number,
        began_at=mine.began_at,
        ended=mine.ended,
        requests=summary.requests,
        not_modified=count_not_modified(look, *within),
        bytes=summary.bytes,
        seconds=summary.at,
        pages=page_changes(look, *within),
        **files,
        unit="dataset" if only_catalogues(look.rows) else "file",
    )


def round_rows(report: RoundReport) -> list[tuple[str, str]]:
    """Return a round in a few lines, as names and texts."""
    pages = ", ".join(f"{count:,} {change}" for change, count in report.pages.items())
    begun = ("round", f"{report.round}, begun {report.began_at[:16].replace('T', ' ')} UTC")
    if report.ended == UNREACHABLE:
        return [begun, ("changes", "not known: nothing was reachable")]
    return [
        begun,
        ("new", counted(len(report.new), report.unit)),
        ("changed", counted(len(report.changed), report.unit)),
        ("gone", counted(len(report.gone), report.unit)),
        *([("pages", pages)] if pages else []),
        ("unchanged", f"{counted(report.not_modified, 'answer')} without content (304)"),
    ]


def shortfall_of(mine: CrawlRound | RoundReport) -> str:
    """Return that a round saw the site not at all, or not to its end; "" if it saw all."""
    number = mine.number if isinstance(mine, CrawlRound) else mine.round
    about = f"Round {number}, begun {mine.began_at[:16].replace('T', ' ')} UTC"
    if mine.ended == UNREACHABLE:
        before = (
            f"; for the changes of the round before: --round {number - 1}" if number > 1 else ""
        )
        return f"{about}, failed: nothing was reachable, so nothing is known of changes{before}"
    if mine.ended in WHOLE:
        return ""
    why = MEANINGS.get(mine.ended, mine.ended) or "it is running, or was killed"
    return f"{about}, did not come to its end ({why}): there may be more changes"


def round_lines(report: RoundReport) -> Iterator[str]:
    """Yield a round as text: figures, then a line for each file."""
    if said := shortfall_of(report):
        yield f"{'ended':11} {said}"
    yield from (f"{name:11} {text}" for name, text in round_rows(report))
    for change in ("new", "changed", "gone"):
        for one in getattr(report, change):
            yield "\t".join([change, one_line(one.url, 5000), one_line(one.file, 5000)])
