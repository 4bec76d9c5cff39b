"""Writes down what a live crawl does: the journal, the files, and what is known of each find."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from datetime import UTC, datetime

from lodehound.core.crawl import Crawl
from lodehound.core.estimates import RegularEstimates
from lodehound.core.link import Link
from lodehound.core.messages import Answer, Ask, Choice, Page, Step
from lodehound.drivers.live.inspecting import Inspector
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.crawl_dir.events import EstimateRow, FindRow


class Keeper:
    """Keeps a crawl in its directory.

    Args:
        crawl: The crawl.
        directory: Where.
        files: Keep the files of finds; a recording holds them already.
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
        inspector: Inspector | None = None,
    ) -> None:
        self.crawl = crawl
        self.directory = directory
        self.files = files
        self.inspector = inspector
        self.last_find: FindRow | None = None
        self.estimates = directory.journal.estimates()
        self._estimator = RegularEstimates(crawl.policy)

    def asked(self, ask: Ask, choice: Choice, asleep: Collection[str]) -> None:
        self.directory.journal.asked(ask, choice, asleep)

    def waited(self, asleep: Collection[str]) -> None:
        self.directory.journal.waited(asleep)

    def offered(self, source: str, links: Collection[Link]) -> None:
        self.directory.journal.offered(source, tuple(links))

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
        find = self._find(answer, choice, step) if step.found and self.files else None
        self.last_find = find
        if self.inspector is not None:
            self.inspector.write()
        self._estimate()
        waiting = self.crawl.waiting
        self.directory.journal.answered(answer, page, step, at=at, find=find, waiting=waiting)
        if find is not None and self.inspector is not None:
            self.inspector.submit(find)

    def _estimate(self) -> None:
        """Keep what the policy expects still to find, if it says so now."""
        made, finds = self.crawl.requests, self.crawl.finds
        if (said := self._estimator.after(made)) is not None and finds:
            row = EstimateRow(made, finds, said.left, said.low, said.high)
            self.directory.journal.estimated(row)
            self.estimates.append(row)

    def _find(self, answer: Answer, choice: Choice, step: Step) -> FindRow:
        link = choice.link
        sha256 = "" if answer.cut else hashlib.sha256(answer.body).hexdigest()
        save = self.directory.files.save
        return FindRow(
            number=answer.ask.number,
            url=link.url,
            final_url=answer.ask.url,
            file=save(answer.ask.url, mime=step.mime, body=answer.body, sha256=sha256),
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
            page_title=self.directory.journal.title_of(link.source),
            anchor=link.anchor,
            tag_path=link.tag_path,
            depth=link.depth,
            why=choice.why,
            value=step.value,
            label=step.label,
            details=step.details,
        )


def _whole_size(answer: Answer) -> int:
    """Return the bytes of the whole: of a truncated find what the server declared, if it did."""
    declared = answer.headers.get("content-length", "").strip()
    if not answer.cut or "content-encoding" in answer.headers:
        return len(answer.body)
    known = declared.isascii() and declared.isdigit() and len(declared) <= 18
    return max(int(declared) if known else 0, len(answer.body))
