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
FILES = {"allow_hosts", "block_hosts"}  # on the command line a file names them
# The help of options that several commands take.
RENDER = "Render pages in a browser: never, auto (where it pays) or always."
BROWSER = "Chromium or Chrome; by default, the one installed."
RENDER_HOSTS = "Another host that rendered pages may load from."


class RecordOptions(TypedDict, total=False):
    """What both a crawl and a recording take."""

    requests: Annotated[int | None, "Maximum number of requests."]
    bytes: Annotated[Size | None, "Maximum volume: 500MB, 2GB."]
    time: Annotated[Time | None, "Maximum running time: 90s, 15m, 2h."]
    delay: Annotated[float, "Seconds between two requests to a host."]
    concurrency: Annotated[int, "Maximum number of requests in flight."]
    include: Annotated[Texts, "Follow only URLs that match; * matches any text."]
    exclude: Annotated[Texts, "Follow no URLs that match; * matches any text."]
    under: Annotated[str, "Follow only paths that start with this: /data/."]
    max_depth: Annotated[int | None, "Maximum number of links from the start."]
    max_file: Annotated[Size, "Maximum size of a response; more is cut off."]
    contact: Annotated[str, "Your address, sent in the user agent."]
    user_agent: Annotated[str, "Another user agent."]
    header: Annotated[Texts, "A header to send: 'Name: value'."]
    auth: Annotated[str, "Credentials for the start hosts."]
    proxy: Annotated[str, "Send every request through this proxy."]
    nofollow: Annotated[bool, "Do not follow links marked nofollow."]
    sitemaps: Annotated[bool, "Also try /sitemap.xml, and read feeds at once."]
    speculative_links: Annotated[bool, "Follow likely URLs in scripts, attributes and JSON."]
    ignore_robots: Annotated[bool, "Ignore robots.txt: for your own sites only."]
    yes_ignore_robots: Annotated[bool, "Confirm --ignore-robots for other hosts than this machine."]
    max_crawl_delay: float
    allow_private: Annotated[Texts, "Allow this private host or network (CIDR)."]
    insecure: Annotated[bool, "Accept any TLS certificate."]
    block: Annotated[bool, "Leave out images, audio and video."]
    traps: Annotated[bool, "Leave out URLs that look like crawler traps."]
    retries: Annotated[int, "How often to repeat a failed request."]
    backoff: Annotated[float, "Pause after the first failure of a host."]
    connect_timeout: Annotated[float, "Time limit for a connection."]
    read_timeout: Annotated[float, "Time limit for the next bytes of a response."]
    total_timeout: Annotated[float, "Time limit for a whole response."]
    min_speed: Annotated[int, "Slowest response accepted, in bytes per second."]


class OwnCrawlOptions(TypedDict, total=False):
    """What only a crawl takes: what counts, who decides, what is kept."""

    want: Annotated[
        str,
        "What counts as a find: files, files:csv,xlsx, markup, rdf, rdf:embedded, topic:...",
    ]
    policy: Annotated[str, "NAME or NAME:param=value,...; by default, the target's own."]
    scope: Annotated[
        Literal["site", "web"], "site, or web for any host. By default, the target's own."
    ]
    per_host: Annotated[int | None, "Maximum number of URLs per host."]
    max_hosts: Annotated[int | None, "Maximum number of hosts."]
    allow_hosts: Annotated[Texts, "A list of hosts: crawl only these and their subdomains."]
    block_hosts: Annotated[Texts, "A list of hosts: crawl none of these or their subdomains."]
    shortcuts: Annotated[str, "APIs, listings and feeds to use: auto, off or NAME,NAME..."]
    metadata_only: Annotated[bool, "Catalogue datasets by APIs; fetch no files."]
    categories: Annotated[str, "Broader subjects of the topic."]
    about: Annotated[Texts, "Text files that describe the topic."]
    like: Annotated[Texts, "Example pages of the topic."]
    vectors: Annotated[str | Path, "Word vectors: wordllama, a file, or none."]
    idf: Annotated[str | Path, "Document frequencies, or a corpus to count them in."]
    weights: Annotated[str | Path, "Read learned weights from this file, and write them to it."]
    prior: Annotated[str | Path, "Begin with what other crawls have learned: see learn-prior."]
    finds: Annotated[int | None, "Maximum number of finds."]
    early_stop: Annotated[
        Literal["off", "auto", "paper"], "Stop when finds become rare: off, auto or paper."
    ]
    stop_nu: int
    stop_epsilon: float
    stop_gamma: float
    stop_kappa: int
    seed: Annotated[int, "Random seed."]
    inspect: Annotated[bool, "Look for tables in the finds."]
    inspect_time: Annotated[Time, "Time limit for one file."]
    inspect_memory: Annotated[Size, "Memory limit for one file."]
    render: Annotated[Literal["never", "auto", "always"], RENDER]
    browser: Annotated[str | Path, BROWSER]
    render_hosts: Annotated[Texts, RENDER_HOSTS]
    warc: Annotated[bool, "Keep every response in a WARC file."]
    keep_versions: Annotated[bool, "Keep the older versions of files that an update replaces."]
    replica: Annotated[str | Path, "Crawl a recorded site instead of the network."]
    fallback: Annotated[Literal["live"], "live: fetch what the recorded site lacks."]


class CrawlOptions(OwnCrawlOptions, RecordOptions, total=False):
    """Every option of a crawl."""


class ResumeOptions(TypedDict, total=False):
    """What may change when a crawl is resumed; "+500" means 500 more than were used."""

    requests: Annotated[int | str | None, "Maximum number of requests; +500 for 500 more."]
    bytes: Annotated[Size | None, "Maximum volume; +500MB for more."]
    time: Annotated[Time | None, "Maximum running time; +2h for more."]
    finds: Annotated[int | str | None, "Maximum number of finds; +50 for more."]
    early_stop: Annotated[
        Literal["off", "auto", "paper"], "Stop when finds become rare: off, auto or paper."
    ]
    delay: Annotated[float, "Seconds between two requests to a host."]
    concurrency: Annotated[int, "Maximum number of requests in flight."]
    render: Annotated[Literal["never", "auto", "always"], RENDER]
    browser: Annotated[str | Path, BROWSER]
    render_hosts: Annotated[Texts, RENDER_HOSTS]


class UpdateOptions(TypedDict, total=False):
    """What may change when a crawl is updated; the budgets are those of each round."""

    requests: Annotated[int | None, "Maximum number of requests of this round."]
    bytes: Annotated[Size | None, "Maximum volume of this round: 500MB, 2GB."]
    time: Annotated[Time | None, "Maximum running time of this round: 90s, 15m, 2h."]
    finds: Annotated[int | None, "Maximum number of new and changed finds."]
    early_stop: Annotated[
        Literal["off", "auto", "paper"], "Stop when finds become rare: off, auto or paper."
    ]
    delay: Annotated[float, "Seconds between two requests to a host."]
    concurrency: Annotated[int, "Maximum number of requests in flight."]
    sitemaps: Annotated[bool, "Also read sitemaps and feeds, and what they say of changes."]
    keep_versions: Annotated[bool, "Keep the older versions of files that are replaced."]
    render: Annotated[Literal["never", "auto", "always"], RENDER]
    browser: Annotated[str | Path, BROWSER]
    render_hosts: Annotated[Texts, RENDER_HOSTS]
