"""How long it takes to be back in a crawl that was killed.

    python -m bench.resume [--requests 100000] [--links 40] [--policy sb-classifier] [--json FILE]

A generated graph is crawled by replay into a crawl directory; then a fresh
crawl is driven through the journal. Every link has a text and words around it,
so that the journal is as large as that of a real site. Writing and resuming run
in a child process each, so that neither finds anything warm but the disk.
"""

from __future__ import annotations

import argparse
import resource
import time
from typing import Any

from bench.two_parts import run_parts
from lodehound.assembly.restore import restore
from lodehound.core.crawl import Crawl, Reader
from lodehound.core.link import Link
from lodehound.core.messages import Answer, Ask, Page
from lodehound.core.scope import Scope
from lodehound.core.stop import Budget
from lodehound.drivers.replay import answerer, reader
from lodehound.registry import make_policy, parse
from lodehound.sites import graph
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.targets.files import Files

ROOT = "https://graph.example/"
ANCHOR = "Employment by sector and region, quarterly figures"
AROUND = "Published by the office of statistics. Employment by sector and region. More tables"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--links", type=int, default=40, help="on a page")
    parser.add_argument("--policy", default="sb-classifier")
    run_parts("bench.resume", parser, write=write, resume=resume)


def make_crawl(told: argparse.Namespace, read: Reader | None = None) -> Crawl:
    return Crawl(
        [Link(ROOT)],
        policy=make_policy(parse("policy", told.policy), seed=0),
        target=Files.from_argument("paper"),
        read=read or _unread,
        scope=Scope.around([ROOT]),
        budget=Budget(requests=told.requests),
    )


def _unread(answer: Answer, _: Link) -> Page:
    raise AssertionError(f"{answer.ask.url} is in the journal and need not be read.")


def write(told: argparse.Namespace) -> dict[str, Any]:
    """Crawl and keep the journal."""
    site = graph(told.requests, links=told.links)
    site.anchors[0], site.arounds[0] = ANCHOR, AROUND
    crawl = make_crawl(told, reader(site))
    answer = answerer(site, crawl.scope)
    begun = time.perf_counter()
    with CrawlDir.create(told.folder, config="{}", version="bench") as directory:
        journal = directory.journal
        while isinstance(ask := crawl.next(), Ask):
            journal.asked(ask, crawl.choice_of(ask.number), ())
            reply = answer(ask)
            page = crawl.read(reply)
            directory.answered(reply, page, crawl.receive(reply, page), at=0.0, find=None)
    seconds = time.perf_counter() - begun
    megabytes = sum(path.stat().st_size for path in told.folder.iterdir() if path.is_file()) / 1e6
    return {
        "policy": told.policy,
        "requests": crawl.requests,
        "links on a page": told.links,
        "crawl and write, s": round(seconds, 1),
        "journal, MB": round(megabytes, 1),
    }


def resume(told: argparse.Namespace) -> dict[str, Any]:
    """Bring the crawl back, and look at the journal as ``lodehound status`` does."""
    begun, worked = time.perf_counter(), time.process_time()
    with CrawlDir.open(told.folder) as directory:
        events = restore(make_crawl(told), directory)
        seconds, cpu = time.perf_counter() - begun, time.process_time() - worked
        begun = time.perf_counter()
        directory.summary()
        status = time.perf_counter() - begun
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {
        "events": events,
        "resume, s": round(seconds, 1),
        "resume, CPU s": round(cpu, 1),
        "summary, s": round(status, 2),
        "peak of resuming, MiB": round(peak),
    }


if __name__ == "__main__":
    main()
