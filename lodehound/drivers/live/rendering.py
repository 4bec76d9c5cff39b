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
from typing import NamedTuple

from lodehound.core.crawl import Crawl
from lodehound.core.holds import HALT
from lodehound.core.link import Link
from lodehound.core.lives import Event, Life, State
from lodehound.core.messages import Answer, Ask, Page, Step
from lodehound.core.urls import canonical, resolve
from lodehound.drivers.live.recorder import Recorder
from lodehound.drivers.live.rendered import Rendered, RenderJob
from lodehound.drivers.live.replies import Reply, answer_of
from lodehound.drivers.live.resources import Clock, Resources
from lodehound.learn.render_choice import RenderChoice, RenderDecision, templates_of
from lodehound.read.html import SHOWN
from lodehound.read.mime import is_html, split_content_type
from lodehound.read.scripts import script_redirect, script_signs
from lodehound.stores.catalogue.renders import (
    BETWEEN_SIGNS,
    RenderRow,
    RenderStore,
    Rendition,
    UnrenderedPage,
)

JOBS = 1  # pages rendered at a time: a browser needs much memory
VALIDATORS = frozenset({"etag", "last-modified"})
MOVES = "refresh"  # the kind of a link to where a page sends the browser
SHOWN_URL = 200  # characters
CARRIED = 0.95  # share of the links that an API must contain to be asked instead


class RenderedLinks(NamedTuple):
    """The links of a rendered page."""

    shown: list[Link]
    clicked: list[Link]  # after clicks and scrolls
    fetched: list[Link]  # in what scripts fetched
    apis: list[str]  # the URLs of what had some


class Rendering:
    """Decides which pages are rendered, and answers for them.

    Args:
        crawl: The crawl whose pages they are.
        recorder: Records everything.
        choice: Decides which pages are worth it.
        hosts: Further hosts that pages may load from, beside those in scope.
        obstacle: Why no page is rendered: "off" or "missing"; None if pages are.
        clock: Seconds since the crawl began.
    """

    def __init__(
        self,
        crawl: Crawl,
        recorder: Recorder,
        *,
        choice: RenderChoice | None = None,
        hosts: Iterable[str] = (),
        obstacle: Rendition | None = "off",
        clock: Clock = lambda: 0.0,
    ) -> None:
        self.crawl = crawl
        self.recorder = recorder
        self.choice = choice or RenderChoice()
        self.obstacle = obstacle
        self.resources = Resources(crawl, recorder, hosts=hosts, clock=clock)
        self.outcomes: Counter[Rendition] = Counter()  # in this session
        self.lives = crawl.lives
        self._patterns: dict[str, str] = {}  # of rendered pages, by URL
        self._stepped = False  # the crawl has an answer: it may end without those that wait
        self._unrendered_before: deque[UnrenderedPage] = deque()

    def restore(self, before: RenderStore) -> None:
        """Learn again what an earlier session learned."""
        for row in before:
            if row.outcome in {"rendered", "failed"} and not row.is_lost:
                self._learn(row)
        for pattern, (count, useful) in before.followed().items():
            self.choice.followed(pattern, count=count, useful=useful)
        if self.obstacle is None:
            self._unrendered_before.extend(before.unrendered())

    # --- pages that an earlier run left unrendered for want of a browser ------------------------

    def load_next(self) -> bool:
        """Load the next one, unless one is under way; return whether any is left.

        They come before all others.
        """
        while self._unrendered_before and not self.lives.kinds["document"]:
            if not self.crawl.has_room:
                self._unrendered_before.clear()  # until the crawl is resumed with more
                break
            page = self._unrendered_before.popleft()
            self.resources.load_page(page.number, page.link, partial(self._came, page))
        return bool(self.lives.kinds["document"] or self._unrendered_before)

    def _came(self, before: UnrenderedPage, life: Life, reply: Reply) -> None:
        answer = answer_of(Ask(before.number, before.link.url), reply, 1)
        page = self.crawl.read(answer, before.link)
        decision = self.choice.decide(page.url, before.signs)
        if _is_document(answer, page):
            self.lives.move(life, Event.NEEDS_BROWSER)
            life.work = RenderJob(life, answer, page, before.link, decision, before.signs)
        elif reply.status:  # else it is tried again when the crawl is resumed
            error = f"status {reply.status}"
            self._record(answer, decision, before.signs, "failed", error=error)

    # --- pages --------------------------------------------------------------------------------

    @property
    def under_way(self) -> str:
        """Which page is rendered, in words; "" if none is."""
        job = next(iter(self._rendered), None)
        return f"rendering {job.page.url[:SHOWN_URL]}" if job is not None else ""

    @property
    def _rendered(self) -> list[RenderJob]:
        return [life.work for life in self.lives.by_state[State.RENDERED].values()]

    def admit(self, life: Life, answer: Answer, page: Page) -> Page | None:
        """Return a page with the links of its API, if any; None if it is rendered first."""
        if not _is_document(answer, page):
            return page
        signs = script_signs(page)
        if not signs and not self.choice.always:
            return page
        link = self.crawl.choice_of(life.number).link
        if not self.choice.always and (place := script_redirect(page)):
            url = resolve(page.url, place)
            return _with(page, [Link(url, page.url, "script", kind=MOVES, depth=link.depth + 1)])
        decision = self.choice.decide(page.url, signs)
        job = RenderJob(life, answer, page, link, decision, signs)
        if decision.action == "render" and self.obstacle is None:
            self.lives.move(life, Event.NEEDS_BROWSER)
            life.work = job
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

    def next_job(self, conclude: Callable[[Life, Answer, Page], None]) -> RenderJob | None:
        """Return the next page to render, if there is one and a browser is free.

        Args:
            conclude: Takes pages that waited and need no rendering after all: an earlier page
                has shown that it does not pay, or has shown an API.
        """
        waiting = self.lives.by_state[State.BROWSER].values()
        if not waiting or HALT in self.crawl.holds or (self.crawl.is_held and self.crawl.has_room):
            return None
        for life in sorted(waiting, key=lambda life: life.number):
            if len(self.lives.by_state[State.RENDERED]) >= JOBS:
                break
            job: RenderJob = life.work
            if not self.crawl.has_room and self._stepped:
                conclude(life, job.answer, self._left(job))
                continue
            job.decision = decision = self.choice.decide(job.page.url, job.signs)
            if decision.action == "render":
                job.clicks = self.choice.clicks(decision.pattern)
                self.lives.move(life, Event.RENDER)
                return job
            conclude(life, job.answer, self._unrendered(job))
        return None

    def _left(self, job: RenderJob) -> Page:
        """Return a page as it came: it is rendered when the crawl is resumed with more."""
        self._record(job.answer, job.decision, job.signs, "left")
        return job.page

    def drop(self) -> None:
        """Render nothing more: the pages in the browser wait again, until the crawl ends."""
        for life in self.lives.take(State.RENDERED):
            self.lives.move(life, Event.YIELD)
        self._forget_earlier()

    def end(self, conclude: Callable[[Life, Answer, Page], None]) -> None:
        """Take the pages that wait as they came, and load nothing more: the crawl ends."""
        if self._may_leave or HALT in self.crawl.holds:
            for life in self.lives.take(State.BROWSER):
                conclude(life, life.work.answer, self._left(life.work))
        self._forget_earlier()
        self.resources.refuse_all()

    @property
    def _may_leave(self) -> bool:
        """Whether the crawl has an answer, so that it may end without those that wait."""
        return self._stepped or self.lives.kinds["document"] > 0

    def _forget_earlier(self) -> None:
        """Render nothing more that an earlier run left, not even what is on its way."""
        self._unrendered_before.clear()
        for life in self.lives.take(State.SENT) if self.lives.kinds["document"] else ():
            if life.kind == "document":
                life.work.dones.clear()

    def put_back(self, job: RenderJob) -> bool:
        """Put a page back that left the browser to another crawl: it waits again."""
        if job.yielded:
            self.lives.move(job.life, Event.YIELD)
            job.yielded = False
            return True
        return False

    def read(self, job: RenderJob, rendered: Rendered) -> RenderedLinks:
        """Read what a page shows and has fetched; a thread may do it."""
        return RenderedLinks(*self._links_of(job, rendered), *self._fetched(job))

    def finish(
        self, job: RenderJob, rendered: Rendered, links: RenderedLinks
    ) -> tuple[Answer, Page]:
        """Return a page as a browser shows it, and the answer it was made of.

        One that the end of the budget cut short is returned as it came.
        """
        answer, page = job.answer, job.page
        if job.cut_short and self._may_leave:
            return answer, self._left(job)
        shown, clicked, fetched, apis = links
        known = _urls(page.links)
        new = [link for link in (*shown, *clicked, *fetched) if link.url not in known]
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
                captions = {**job.page.captions, **page.captions}
                job.page = replace(job.page, title=title, digest=page.digest, captions=captions)
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
        self.recorder.rendered(row)
        self.outcomes[outcome] += 1
        if outcome in {"rendered", "failed"} and not row.is_lost:
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
