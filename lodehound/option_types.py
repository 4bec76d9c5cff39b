"""The types of a crawl's options for programs; a text beside a type is the help of one command.

A budget (requests, bytes, time, finds) that is written as "+500" means 500 more than were used.
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

    requests: int | str | None
    bytes: Size | None
    time: Time | None
    delay: float
    concurrency: int
    include: Texts
    exclude: Texts
    under: str
    max_depth: int | None
    max_file: Size
    contact: str
    user_agent: str
    header: Texts
    auth: str
    proxy: str
    nofollow: bool
    sitemaps: bool
    speculative_links: bool
    ignore_robots: bool
    yes_ignore_robots: bool
    max_crawl_delay: float
    allow_private: Texts
    insecure: bool
    block: bool
    traps: bool
    retries: int
    backoff: float
    connect_timeout: float
    read_timeout: float
    total_timeout: float
    min_speed: int


class OwnCrawlOptions(TypedDict, total=False):
    """What only a crawl takes: what counts, who decides, what is kept."""

    want: str
    policy: str
    scope: Literal["site", "web"]
    per_host: int | None
    max_hosts: int | None
    allow_hosts: Texts
    block_hosts: Texts
    shortcuts: str
    metadata_only: bool
    categories: str
    about: Texts
    like: Texts
    vectors: str | Path
    idf: str | Path
    weights: str | Path
    finds: int | str | None
    early_stop: Literal["off", "auto", "paper"]
    stop_nu: int
    stop_epsilon: float
    stop_gamma: float
    stop_kappa: int
    seed: int
    inspect: bool
    inspect_time: Time
    inspect_memory: Size
    render: Literal["never", "auto", "always"]
    browser: str | Path
    render_hosts: Texts
    warc: bool
    keep_versions: bool
    replica: str | Path
    fallback: Literal["live"]


class CrawlOptions(OwnCrawlOptions, RecordOptions, total=False):
    """Every option of a crawl."""


class NamedOptions(TypedDict, total=False):
    """What a crawl directory does not decide: the user names it again, as it was."""

    want: Annotated[str, "As before, if it is module:Class: the directory may be a stranger's."]
    shortcuts: Annotated[str, "As before, if there is a module:Class."]
    weights: Annotated[str | Path, "As before: the file is written."]
    replica: Annotated[str | Path, "As before, with --fallback: the file is written."]


class OptionsThatChange(TypedDict, total=False):
    """What may be another than it was, when a crawl is resumed or updated."""

    early_stop: Literal["off", "auto", "paper"]
    delay: float
    concurrency: int
    render: Literal["never", "auto", "always"]
    browser: str | Path
    render_hosts: Texts
    allow_private: Texts
    insecure: bool
    ignore_robots: bool
    yes_ignore_robots: bool


class ResumeOptions(OptionsThatChange, total=False):
    """What may change when a crawl is resumed; "+500" means 500 more than were used."""

    requests: Annotated[int | str | None, "Maximum number of requests; +500 for 500 more."]
    bytes: Annotated[Size | None, "Maximum volume; +500MB for more."]
    time: Annotated[Time | None, "Maximum running time; +2h for more."]
    finds: Annotated[int | str | None, "Maximum number of finds; +50 for more."]


class UpdateOptions(OptionsThatChange, total=False):
    """What may change when a crawl is updated; the budgets are those of each round."""

    requests: Annotated[int | str | None, "Maximum number of requests of this round."]
    bytes: Annotated[Size | None, "Maximum volume of this round: 500MB, 2GB."]
    time: Annotated[Time | None, "Maximum running time of this round: 90s, 15m, 2h."]
    finds: Annotated[int | str | None, "Maximum number of new and changed finds."]
    sitemaps: Annotated[bool, "Also read sitemaps and feeds, and what they say of changes."]
    keep_versions: Annotated[bool, "Keep the older versions of files that are replaced."]


class NamedFleetOptions(TypedDict, total=False):
    """What the directory of a fleet does not decide: the user names it again, for all sites."""

    policy: Annotated[Sequence[str], "As before, if it is module:Class."]
    want: Annotated[Sequence[str], "As before, if it is module:Class."]
    shortcuts: Annotated[Sequence[str], "As before, if there is a module:Class."]
    browser: Annotated[Sequence[str], "As before: it is started."]
    weights: Annotated[Sequence[str], "As before: the file is written."]
    replica: Annotated[Sequence[str], "As before, with fallback: the file is written."]
    about: Annotated[Sequence[str], "As before, in an object store: what it says goes there."]
    like: Annotated[Sequence[str], "As before, in an object store."]
    allow_private: Annotated[Sequence[str], "As before: private addresses that may be requested."]
    insecure: Annotated[bool, "As before: any TLS certificate is accepted."]
    ignore_robots: Annotated[bool, "As before: robots.txt is ignored."]
    yes_ignore_robots: Annotated[bool, "As before, for other hosts than this machine."]


class NamedResumeOptions(ResumeOptions, NamedOptions, total=False):
    """What ``lodehound resume`` takes."""


class NamedUpdateOptions(UpdateOptions, NamedOptions, total=False):
    """What ``lodehound update`` takes."""
