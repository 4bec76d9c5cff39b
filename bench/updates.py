"""How long an update takes to start, and what a request of it costs beside the fetch.

    python -m bench.updates [--urls 100000] [--links 40] [--requests 5000] [--json FILE]

A generated graph is crawled by replay into a crawl directory. Then a further round is begun as
``lodehound update`` does, and runs with answers that come at once: most are 304, one page in
twenty shows a new link. Each part runs in a process of its own.
"""

from __future__ import annotations

import argparse
import resource
import time
from dataclasses import replace
from typing import Any

from bench.resume import ANCHOR, AROUND, ROOT
from bench.two_parts import run_parts
from lodehound.assembly.build import make_crawl
from lodehound.assembly.past_rounds import resume_round
from lodehound.assembly.updating import begin_round
from lodehound.config import CrawlConfig
from lodehound.core.crawl import Crawl
from lodehound.core.link import Link
from lodehound.core.messages import Answer, Ask, Page
from lodehound.drivers.replay import answerer, reader
from lodehound.sites import graph
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.stores.site import RecordedSite

CHANGED = 20  # one page in so many shows a new link


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--urls", type=int, default=100_000)
    parser.add_argument("--links", type=int, default=40, help="on a page")
    parser.add_argument("--requests", type=int, default=5_000, help="of the update")
    run_parts("bench.updates", parser, crawl=first_round, update=update)


def first_round(told: argparse.Namespace) -> dict[str, Any]:
    """Crawl breadth first, and keep the journal."""
    site = graph(told.urls * 10 // 11, links=told.links)
    site.anchors[0], site.arounds[0] = ANCHOR, AROUND
    config = CrawlConfig(urls=(ROOT,), policy="bfs", shortcuts="off")
    crawl = make_crawl(config)
    read, answer = reader(site), answerer(site, crawl.scope)
    with CrawlDir.create(told.folder, config=config.as_json(), version="bench") as directory:
        journal = directory.journal
        while isinstance(ask := crawl.next(), Ask):
            journal.asked(ask, crawl.choice_of(ask.number), ())
            reply = replace(answer(ask), headers={"etag": f'"{ask.number}"'})
            page = replace(read(reply, crawl.choice_of(ask.number).link), digest=f"{ask.number}")
            directory.answered(reply, page, crawl.receive(reply, page), at=0.0, find=None)
    megabytes = sum(path.stat().st_size for path in told.folder.iterdir() if path.is_file()) / 1e6
    return {"URLs": crawl.requests, "links on a page": told.links, "journal, MB": round(megabytes)}


def update(told: argparse.Namespace) -> dict[str, Any]:
    """Begin a further round, and run a part of it."""
    site = graph(told.urls * 10 // 11, links=told.links)
    begun, worked = time.perf_counter(), time.process_time()
    with CrawlDir.open(told.folder) as directory:
        config = replace(CrawlConfig.from_json(directory.config), policy="lodehound")
        begin_round(directory, config)
        crawl = resume_round(config, directory)
        ask = crawl.next()
        started, cpu = time.perf_counter() - begun, time.process_time() - worked
        worked = time.process_time()
        while isinstance(ask, Ask) and crawl.requests <= told.requests:
            directory.journal.asked(ask, crawl.choice_of(ask.number), ())
            reply, page = _answer(site, crawl, ask)
            step = crawl.receive(reply, page)
            directory.answered(reply, page, step, at=0.0, find=None)
            ask = crawl.next()
        each = (time.process_time() - worked) / told.requests
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {
        "start of an update, s": round(started, 1),
        "start of an update, CPU s": round(cpu, 1),
        "requests of the update": told.requests,
        "CPU for each request, ms": round(1000 * each, 2),
        "peak, MiB": round(peak),
    }


def _answer(site: RecordedSite, crawl: Crawl, ask: Ask) -> tuple[Answer, Page]:
    """Answer a request: 304, or a page with one more link."""
    number = site.number(ask.url)
    if number < 0 or ask.number % CHANGED or site.mimes[site.mime[number]] != "text/html":
        status = 304 if ask.etag else 404
        return Answer(ask, status), Page(ask.url, ask.method, status, "")
    link = crawl.choice_of(ask.number).link
    new = Link(f"{ROOT}new/{ask.number}", ask.url, "html/body/ul/li/a", ANCHOR, AROUND, depth=1)
    links = (*site.links(number, link.depth + 1), new)
    page = Page(ask.url, "GET", 200, "text/html", links=links, digest=f"{ask.number} new")
    return Answer(ask, 200, "text/html", size=20_000), page


if __name__ == "__main__":
    main()
