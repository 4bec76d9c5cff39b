"""Writes down what a live crawl does: the journal, the files, and what is known of each find."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from functools import cached_property

from lodehound.core.crawl import Crawl
from lodehound.core.forecasts import Forecaster
from lodehound.core.link import Link
from lodehound.core.listing import LISTED
from lodehound.core.messages import Answer, Choice, Page, Step
from lodehound.drivers.live.inspecting import Inspector
from lodehound.read.mime import proposed_name
from lodehound.stores.catalogue.find_rows import FindRow
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.log.events import EstimateRow


class Recorder:
    """Keeps a crawl in its directory.

    Args:
        crawl: The crawl.
        directory: Where.
        files: Keep the files of finds; a recording holds them already.
        versions: Keep the files of older versions, too.
        inspector: Says what is in the files, if that is wanted.

    Attributes:
        estimates: What the policy expected still to find, in the order of the requests.
    """

    def __init__(
        self,
        crawl: Crawl,
        directory: CrawlDir,
        *,
        files: bool = True,
        versions: bool = False,
        inspector: Inspector | None = None,
    ) -> None:
        self.crawl = crawl
        self.directory = directory
        self.files = files
        self.versions = versions
        self.inspector = inspector
        self.last_find: FindRow | None = None
        self.estimates = directory.estimates()
        journal = directory.journal
        self.asked, self.waited, self.offered = journal.asked, journal.waited, journal.offered
        self.rendered, self.page_requested = directory.renders.add, journal.page_requested
        rounds = directory.facts.rounds()
        self._first_round = len(rounds) == 1
        self._earlier = rounds[-1].at  # seconds of the rounds before this one
        self._forecaster = Forecaster.among(crawl.rules)

    def answered(
        self,
        answer: Answer,
        choice: Choice,
        page: Page,
        step: Step,
        *,
        at: float,
    ) -> None:
        """Save a find's file first, then the answer and the find in one transaction."""
        directory, files = self.directory, self.directory.files
        old = find = None
        kept = ""
        if step.found and self.files:
            old = directory.finds.at(answer.ask.url)
            find, kept = self._find(answer, choice, step, old)
        self.last_find = find
        if self.inspector is not None and self.inspector.under_way:
            self.inspector.write(without=old.file if old is not None else "")
        self._estimate()
        directory.answered(
            answer,
            page,
            step,
            at=self._earlier + at,
            find=find,
            replaces=old,
            kept=kept if self.versions else "",
            waiting=self.crawl.waiting,
        )
        if old is not None:
            is_wanted = self.versions or kept in self._kept
            files.settle(
                kept="" if is_wanted else kept,
                unused="" if directory.finds.users_of(old.file) else old.file,
            )
        if find is not None and self.inspector is not None:
            self.inspector.submit(find)

    def _estimate(self) -> None:
        """Keep what the crawl expects still to find, if it has said so anew."""
        if not self._first_round or self._forecaster is None:  # of what a whole crawl finds
            return
        outlook = self._forecaster.last
        last = self.estimates[-1].requests if self.estimates else 0
        if outlook is None or outlook.requests <= last or not outlook.finds:
            return
        left = outlook.left
        row = EstimateRow(outlook.requests, outlook.finds, left.left, left.low, left.high)
        self.directory.journal.estimated(row)
        self.directory.facts.note_outlook(outlook)
        self.estimates.append(row)

    @cached_property
    def _kept(self) -> set[str]:
        """The files of older versions that earlier rounds kept."""
        return self.directory.finds.kept_versions()

    def _find(
        self, answer: Answer, choice: Choice, step: Step, old: FindRow | None
    ) -> tuple[FindRow, str]:
        """Save the file of a find; return its row, and where the version before it is kept."""
        url = answer.ask.url
        sha256 = "" if answer.cut else hashlib.sha256(answer.body).hexdigest()
        files, kept, proposed = self.directory.files, "", proposed_name(answer.headers)
        if old is None:
            file = files.save(
                url, mime=step.mime, body=answer.body, sha256=sha256, proposed=proposed
            )
        else:
            file, kept = files.replace(
                url,
                mime=step.mime,
                body=answer.body,
                sha256=sha256,
                old=old.file,
                old_sha256=old.sha256,
                shared=self.directory.finds.users_of(old.file) > 1,
                proposed=proposed,
            )
        return self._row(answer, choice, step, file, sha256), kept

    def _row(self, answer: Answer, choice: Choice, step: Step, file: str, sha256: str) -> FindRow:
        link = choice.link
        return FindRow(
            number=answer.ask.number,
            url=link.url,
            final_url=answer.ask.url,
            file=file,
            mime=step.mime,
            declared_mime=answer.mime,
            bytes=len(answer.body),
            size=_whole_size(answer),
            truncated=answer.cut,
            sha256=sha256,
            last_modified=answer.headers.get("last-modified", ""),
            etag=answer.headers.get("etag", ""),
            content_disposition=answer.headers.get("content-disposition", ""),
            fetched_at=datetime.now(UTC).isoformat(timespec="seconds"),
            found_on=link.source,
            page_title=self._title_above(link),
            anchor=link.anchor,
            tag_path=link.tag_path,
            depth=link.depth,
            why=choice.why,
            value=step.value,
            label=step.label,
            details=step.details,
        )

    def _title_above(self, link: Link) -> str:
        """Return the title of the page that shows a link, or of the dataset of a listed file."""
        return self.directory.journal.title_of(link.source) or (
            link.around if link.kind == LISTED else ""
        )


def _whole_size(answer: Answer) -> int:
    """Return the bytes of the whole: of a truncated find what the server declared, if it did."""
    declared = answer.headers.get("content-length", "").strip()
    if not answer.cut or "content-encoding" in answer.headers:
        return len(answer.body)
    known = declared.isascii() and declared.isdigit() and len(declared) <= 18
    return max(int(declared) if known else 0, len(answer.body))
