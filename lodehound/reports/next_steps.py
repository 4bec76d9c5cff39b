"""What to do next with a crawl: each step with its command."""

from __future__ import annotations

from typing import NamedTuple

from lodehound.assembly.resuming import next_command
from lodehound.config import CrawlConfig
from lodehound.inspect.records import NEEDS
from lodehound.stores.catalogue.totals import Summary
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.text.counts import counted
from lodehound.text.shell import quoted

LONG = 500  # characters of a command


class NextStep(NamedTuple):
    """Something worth doing, and the command that does it."""

    why: str
    command: str


def next_steps(directory: CrawlDir, config: CrawlConfig, summary: Summary) -> list[NextStep]:
    """Return what is worth doing, the most useful first."""
    place = quoted(directory.path)
    steps = []
    if directory.state.startswith("running"):
        steps.append(NextStep("The crawl is running: watch it.", f"lodehound ui {place}"))
    elif command := next_command(directory, summary):
        steps.append(NextStep("Continue the crawl.", command))
    elif summary.finds:
        why = "Every link was followed. Come back for what is new and changed."
        steps.append(NextStep(why, f"lodehound update {place}"))
    if any(NEEDS.startswith(reason) or reason == NEEDS for reason in summary.unreadable):
        why = "Some files could not be read without further packages."
        steps.append(NextStep(why, NEEDS.removeprefix("needs ")))
    if summary.finds:
        steps += _uses(place, config, summary)
    return [step for step in steps if len(step.command) <= LONG]


def _uses(place: str, config: CrawlConfig, summary: Summary) -> list[NextStep]:
    steps = []
    if summary.contents.with_statistics:
        files = counted(summary.contents.with_statistics, "file")
        why = f"Statistics are in {files}: list the largest."
        steps.append(NextStep(why, f"lodehound list {place} --content tables --sort rows"))
    to = "nquads" if config.want.startswith(("rdf", "markup")) else "datapackage"
    to = "dcat" if config.metadata_only else to  # there are no files
    why = "Hand the finds on with descriptions that other programs read."
    steps.append(NextStep(why, f"lodehound export {place} --to {to} --output {to}"))
    steps.append(NextStep("Search and preview the finds.", f"lodehound ui {place}"))
    return steps
