"""Which pages of a live crawl are rendered, and what they may ask for.

It knows no browser and no sockets. The session asks it about every HTML page; the event loop
takes jobs from it, and brings the requests of a page to its resources.
"""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

from lodehound.core.crawl import Crawl
from lodehound.core.link import Link
from lodehound.core.messages import Answer, Ask, Page, Step
from lodehound.core.urls import canonical, resolve
from lodehound.drivers.live.keeper import Keeper
from lodehound.drivers.live.rendered import Rendered, RenderJob
from lodehound.drivers.live.resources import Clock, Resources
from lodehound.drivers.live.tasks import Reply, answer_of
from lodehound.learn.rendering import RenderChoice, RenderDecision, templates_of
from lodehound.read.html import SHOWN
from lodehound.read.mime import is_html, split_content_type
from lodehound.read.scripts import script_redirect, script_signs
from lodehound.stores.crawl_dir import Journal
from lodehound.stores.crawl_dir.rendering import (
    BETWEEN_SIGNS,
    RenderRow,
    Rendition,
    UnrenderedPage,
)

JOBS = 1  # pages rendered at a time: a browser needs much memory
VALIDATORS = frozenset({"etag", "last-modified"})
MOVES = "refresh"  # the kind of a link to where a page sends the browser
SHOWN_URL = 200  # characters
CARRIED = 0.95  # share of the links that an API must contain to be asked instead


class Rendering:
    """Decides which pages are rendered, and answers for them.

    Args:
        crawl: The crawl whose pages they are.
        keeper: Records everything.
        choice: Decides which pages are worth it.
        hosts: Further hosts that pages may load from, beside those in scope.
        obstacle: Why no page is rendered: "off" or "missing"; None if pages are.
        clock: Seconds since the crawl began.
    """

    def __init__(
        self,
        crawl: Crawl,
        keeper: Keeper,
        *,
        choice: RenderChoice | None = None,
        hosts: Iterable[str] = (),
        obstacle: Rendition | None = "off",
        clock: Clock = lambda: 0.0,
    ) -> None:
        self.crawl = crawl
        self.keeper = keeper
        self.choice = choice or RenderChoice()
        self.obstacle = obstacle
        self.resources = Resources(crawl, keeper, hosts=hosts, clock=clock)
        self.outcomes: Counter[Rendition] = Counter()  # in this session
        self._waiting: deque[RenderJob] = deque()
        self._patterns: dict[str, str] = {}  # of rendered pages, by URL
        self._stepped = False  # the crawl has an answer: it may end without those that wait
        self._unrendered_before: deque[UnrenderedPage] = deque()
        self._taken_up = 0  # number of the one that is loaded or rendered now

    def restore(self, journal: Journal) -> None:
        """Learn again what an earlier session learned."""
        for row in journal.renders():
            if row.outcome in {"rendered", "failed"}:
                self._learn(row)
        for pattern, (count, useful) in journal.followed().items():
            self.choice.followed(pattern, count=count, useful=useful)
        if self.obstacle is None:
            self._unrendered_before.extend(journal.unrendered())

    # --- pages that an earlier run left unrendered for want of a browser ------------------------

    @property
    def taking_up(self) -> bool:
        """Say whether such pages are left: they come before all others."""
        return bool(self._taken_up or self._unrendered_before)

    def take_up(self) -> None:
        """Load the next one, unless one is under way."""
        while self._unrendered_before and not self._taken_up:
            if not self.crawl.may_retry:
                self._unrendered_before.clear()  # until the crawl is resumed with more
                return
            page = self._unrendered_before.popleft()
            self._taken_up = page.number
            self.resources.load_page(page.number, page.link, partial(self._came, page))

    def _came(self, before: UnrenderedPage, reply: Reply) -> None:
        if self._taken_up != before.number:
            return  # the crawl has ended
        answer = answer_of(Ask(before.number, before.link.url), reply, 1)
        page = self.crawl.read(answer, before.link)
        decision = self.choice.decide(page.url, before.signs)
        if _is_document(answer, page):
            self._waiting.append(RenderJob(answer, page, before.link, decision, before.signs))
            return
        if reply.status:  # else it is tried again when the crawl is resumed
            error = f"status {reply.status}"
            self._record(answer, decision, before.signs, "failed", error=error)
        self._taken_up = 0

    def was_answered(self, answer: Answer) -> bool:
        """Say whether a page has its answer from an earlier run: only its links are news."""
        taken_up = self._taken_up == answer.ask.number
        self._taken_up = 0 if taken_up else self._taken_up
        return taken_up

    # --- pages --------------------------------------------------------------------------------

    @property
    def busy(self) -> int:
        """How many pages are rendered or wait for it."""
        loading = self._taken_up and not self._waiting and not self.resources.jobs
        return len(self.resources.jobs) + len(self._waiting) + bool(loading)

    @property
    def under_way(self) -> str:
        """Say which page is rendered; "" if none is."""
        job = next(iter(self.resources.jobs.values()), None)
        return f"rendering {job.page.url[:SHOWN_URL]}" if job is not None else ""

    def admit(self, answer: Answer, page: Page) -> Page | None:
        """Return a page with the links of its API, if any; None if it is rendered first."""
        if not _is_document(answer, page):
            return page
        signs = script_signs(page)
        if not signs and not self.choice.always:
            return page
        link = self.crawl.choice_of(answer.ask.number).link
        if not self.choice.always and (place := script_redirect(page)):
            url = resolve(page.url, place)
            return _with(page, [Link(url, page.url, "script", kind=MOVES, depth=link.depth + 1)])
        decision = self.choice.decide(page.url, signs)
        job = RenderJob(answer, page, link, decision, signs)
        if decision.action == "render" and self.obstacle is None:
            self._waiting.append(job)
            return None
        return self._unrendered(job)

    def _unrendered(self, job: RenderJob) -> Page:
        """Return a page that is not rendered, with the links of its API, if any."""
        decision, answer = job.decision, job.answer
        if job.signs:
            outcome: Rendition = "api" if decision.action == "api" else self.obstacle or "fruitless"
            self._record(answer, decision, job.signs, outcome)
        links = (_link(job, url, "loaded", "loaded") for url in decision.urls)
        return _with(job.page, links)

    def next_job(self, conclude: Callable[[Answer, Page], None]) -> RenderJob | None:
        """Return the next page to render, if there is one and a browser is free.

        Args:
            conclude: Takes pages that waited and need no rendering after all: an earlier page
                has shown that it does not pay, or has shown an API.
        """
        while self._waiting and len(self.resources.jobs) < JOBS:
            job = self._waiting.popleft()
            if not self.crawl.may_retry and self._stepped:
                self.crawl.set_aside(job.answer.ask, sent=True)  # for when there is more budget
                continue
            job.decision = decision = self.choice.decide(job.page.url, job.signs)
            if decision.action == "render":
                job.clicks = self.choice.clicks(decision.pattern)
                self.resources.jobs[job.answer.ask.number] = job
                return job
            conclude(job.answer, self._unrendered(job))
        return None

    def drop(self) -> None:
        """Forget the pages that wait; they have no answer, and are asked for again later."""
        self._waiting.clear()
        self._unrendered_before.clear()
        self._taken_up = 0
        self.resources.jobs.clear()

    def end(self) -> None:
        """Leave the pages that wait without an answer, and load nothing more: the crawl ends."""
        self._unrendered_before.clear()
        if self._stepped or self._taken_up:
            self._waiting.clear()
        if self._taken_up not in self.resources.jobs:
            self._taken_up = 0
        self.resources.refuse_all()

    def put_back(self, job: RenderJob) -> bool:
        """Leave a page without an answer for later, if the end of the crawl cut it short."""
        if not job.cut_short or not (self._stepped or self._taken_up):
            return False
        del self.resources.jobs[job.answer.ask.number]
        if not self.was_answered(job.answer):
            self.crawl.set_aside(job.answer.ask, sent=True)
        return True

    def finish(self, job: RenderJob, rendered: Rendered) -> tuple[Answer, Page]:
        """Return a page as a browser shows it, and the answer it was made of."""
        del self.resources.jobs[job.answer.ask.number]
        answer, page = job.answer, job.page
        shown, clicked = self._links_of(job, rendered)
        fetched, apis = self._fetched(job)
        new = [link for link in (*shown, *clicked, *fetched) if link.url not in _urls(page.links)]
        outcome: Rendition = "failed" if rendered.error and not rendered.snapshots else "rendered"
        fresh = {link.url for link in new if self.crawl.is_new(link)}
        only_clicked = fresh - _urls(shown) - _urls(fetched)
        self._record(
            answer,
            job.decision,
            job.signs,
            outcome,
            seconds=round(rendered.seconds, 3),
            requests=job.requests,
            bytes=job.size,
            links=len(fresh),
            clicks=rendered.clicks,
            clicked_links=len(only_clicked),
            api=json.dumps(self._templates(job, {*_urls(shown), *_urls(clicked)}, fetched, apis)),
            error=rendered.error,
        )
        if rendered.snapshots:
            body = rendered.snapshots[0].html.encode("utf-8", "replace")
            answer = replace(answer, body=body, charset="utf-8", mime="text/html")
            # They are those of the plain page: an update must ask for the whole page again.
            headers = {n: v for n, v in answer.headers.items() if n not in VALIDATORS}
            answer = replace(answer, headers=headers)
            page = replace(page, body=body, charset="utf-8", needs_script=False)
        return answer, _with(page, new)

    def stepped(self, step: Step) -> None:
        """Learn what came of a link of a rendered page."""
        self._stepped = True
        if pattern := self._patterns.get(step.source):
            self.choice.followed(pattern, useful=step.found or step.new_links > 0)

    def _links_of(self, job: RenderJob, rendered: Rendered) -> tuple[list[Link], list[Link]]:
        """Return the links that a page shows, and those that clicks made it show."""
        shown: list[Link] = []
        clicked: list[Link] = []
        for snapshot in rendered.snapshots:
            url = canonical(snapshot.url) or job.page.url
            body = snapshot.html.encode("utf-8", "replace")
            page = self._read(job, url, Reply(200, {"content-type": "text/html"}, body))
            if snapshot is rendered.snapshots[0]:
                title = page.title or job.page.title
                job.page = replace(job.page, title=title, digest=page.digest)
            (clicked if snapshot.clicked else shown).extend(_marked(page.links, job.page.url))
        places = [resolve(job.page.url, place) for place in rendered.places]
        clicked += [_link(job, place, "onclick", "location") for place in places]
        return shown, [link for link in clicked if link.url]

    def _fetched(self, job: RenderJob) -> tuple[list[Link], list[str]]:
        """Return the links in what a page fetched, and the URLs that had some.

        What it fetched is a link itself if it is a find.
        """
        links: list[Link] = []
        apis = []
        for url, reply in job.answers.items():
            page = self._read(job, url, reply)
            if not page.ok or is_html(page.mime):
                continue
            if self.crawl.target.judge(page).found:
                links.append(_link(job, url, "loaded", "loaded"))
            if page.links:
                links += [link._replace(source=job.page.url) for link in page.links]
                apis.append(url)
        return links, apis

    def _templates(
        self, job: RenderJob, shown: set[str], fetched: list[Link], apis: list[str]
    ) -> list[str]:
        """Return the URLs of the API that contains the links, with the parts of the page open."""
        plain, scope = _urls(job.page.links), self.crawl.scope
        only = {url for url in shown - plain - {job.page.url} if not scope.refusal(Link(url))}
        carried = only & _urls(fetched)
        known = [url for url in only - carried if not self.crawl.is_new(Link(url))]
        if not apis or not carried or len(carried) + len(known) < CARRIED * len(only):
            return []
        return list(templates_of(apis, job.page.url))

    def _read(self, job: RenderJob, url: str, reply: Reply) -> Page:
        mime, charset = split_content_type(reply.headers.get("content-type", ""))
        charset = "utf-8" if is_html(mime) else charset
        ask = replace(job.answer.ask, url=url)
        answer = Answer(ask, reply.status, mime, reply.body, charset=charset)
        return self.crawl.read(answer, job.link)

    def _record(
        self,
        answer: Answer,
        decision: RenderDecision,
        signs: tuple[str, ...],
        outcome: Rendition,
        **figures: float | str,
    ) -> None:
        ask = answer.ask
        shown = BETWEEN_SIGNS.join(signs)
        row = RenderRow(ask.number, ask.url, decision.pattern, shown, outcome, **figures)  # type: ignore[arg-type]
        self.keeper.rendered(row)
        self.outcomes[outcome] += 1
        if outcome in {"rendered", "failed"}:
            self._learn(row)

    def _learn(self, row: RenderRow) -> None:
        if row.outcome == "rendered":
            self._patterns[row.url] = row.pattern
        self.choice.learn(
            row.pattern,
            links=row.links,
            requests=row.requests,
            seconds=row.seconds,
            clicks=row.clicks,
            clicked_links=row.clicked_links,
            templates=json.loads(row.api),
        )


def _is_document(answer: Answer, page: Page) -> bool:
    whole = page.ok and not answer.cut and answer.ask.method == "GET" and bool(page.body)
    return whole and is_html(page.mime) and not page.moved


def _link(job: RenderJob, url: str, kind: str, path: str) -> Link:
    return Link(url, job.page.url, path, kind=kind, depth=job.link.depth + 1)


def _urls(links: Iterable[Link]) -> set[str]:
    return {link.url for link in links}


def _marked(links: Iterable[Link], source: str) -> list[Link]:
    """Return links of a rendered page; those that are shown say that a script added them."""
    return [
        link._replace(source=source, kind="rendered" if link.kind in SHOWN else link.kind)
        for link in links
    ]


def _with(page: Page, links: Iterable[Link]) -> Page:
    """Return a page with further links, each URL once."""
    added = {link.url: link for link in links}
    return replace(page, links=(*page.links, *added.values())) if added else page
