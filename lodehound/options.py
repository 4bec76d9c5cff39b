"""The options of a crawl, once: flags of the command line, and keyword arguments of programs.

An option with a text is a flag; the others are set by a config file or from a program.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal, TypedDict

Size = int | str  # 500, "20MB"
Time = float | str  # 90, "15m"
Texts = str | Sequence[str]


class RecordOptions(TypedDict, total=False):
    """What both a crawl and a recording take."""

    requests: Annotated[int | None, "Most requests."]
    bytes: Annotated[Size | None, "Most volume: 500MB, 2GB."]
    time: Annotated[Time | None, "Longest time: 90s, 15m, 2h."]
    delay: Annotated[float, "Seconds between requests to a host."]
    concurrency: Annotated[int, "Requests in flight."]
    include: Annotated[Texts, "Only URLs like this (*)."]
    exclude: Annotated[Texts, "No URLs like this (*)."]
    under: Annotated[str, "Only paths that begin so."]
    max_depth: Annotated[int | None, "Most links from the start."]
    max_file: Annotated[Size, "Longest body: 100MB; more is cut."]
    contact: Annotated[str, "Whom a site may write to."]
    user_agent: Annotated[str, "Another name to go by."]
    header: Annotated[Texts, "Name: value."]
    auth: Annotated[str, "user:password, for the start hosts."]
    proxy: Annotated[str, "Proxy for every request."]
    nofollow: Annotated[bool, "Keep to nofollow."]
    sitemaps: Annotated[bool, "Read sitemaps and feeds."]
    ignore_robots: Annotated[bool, "For your own sites."]
    yes_ignore_robots: Annotated[bool, "Yes, really."]
    max_crawl_delay: float
    allow_private: Annotated[Texts, "HOST or CIDR."]
    insecure: Annotated[bool, "Take any certificate."]
    block: Annotated[bool, "Leave multimedia out."]
    traps: Annotated[bool, "Leave out what looks like a trap."]
    retries: Annotated[int, "Further tries of a failed request."]
    backoff: Annotated[float, "First rest of a failing host."]
    connect_timeout: Annotated[float, "Seconds."]
    read_timeout: Annotated[float, "Seconds."]
    total_timeout: Annotated[float, "Seconds."]
    min_speed: Annotated[int, "Bytes per second."]


class OwnCrawlOptions(TypedDict, total=False):
    """What only a crawl takes: what counts, who decides, what is kept."""

    want: Annotated[str, "What counts as a find; files unless given."]
    policy: Annotated[str, "NAME or NAME:param=value,...; the target's own unless given."]
    scope: Annotated[
        Literal["site", "web"], "site or web: any host reached; the target's own unless given."
    ]
    per_host: Annotated[int | None, "Most URLs of one host."]
    max_hosts: Annotated[int | None, "Most hosts."]
    allow_hosts: Annotated[Texts, "FILE: only these hosts and those below them."]
    block_hosts: Annotated[Texts, "FILE: none of these hosts, nor those below them."]
    categories: Annotated[str, "Of a topic: wider subjects."]
    about: Annotated[Texts, "Of a topic: text files."]
    like: Annotated[Texts, "Of a topic: example pages."]
    vectors: Annotated[str | Path, "Of a topic: wordllama, a file, or none."]
    idf: Annotated[str | Path, "Of a topic: a corpus, or document frequencies."]
    weights: Annotated[str | Path, "What was learned: from this file, and to it."]
    finds: Annotated[int | None, "Most finds."]
    early_stop: Annotated[Literal["off", "auto", "paper"], "off, auto or paper."]
    stop_nu: int
    stop_epsilon: float
    stop_gamma: float
    stop_kappa: int
    seed: Annotated[int, "Random seed."]
    inspect: Annotated[bool, "Look into the finds; yes unless told otherwise."]
    inspect_time: Annotated[Time, "Longest for one file: 20s."]
    inspect_memory: Annotated[Size, "Most memory for one file: 1GiB."]
    warc: Annotated[bool, "Keep every response as WARC."]
    replica: Annotated[str | Path, "A recorded site that answers."]
    fallback: Annotated[Literal["live"], "live: fetch what it lacks."]


class CrawlOptions(OwnCrawlOptions, RecordOptions, total=False):
    """Every option of a crawl."""


class Budgets(TypedDict, total=False):
    """What may change when a crawl is resumed; of requests also "+500" for more."""

    requests: int | str | None
    bytes: Size | None
    time: Time | None
    finds: int | None
