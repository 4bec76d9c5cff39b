"""The options of a crawl: the one table that flags, config files and documents are made of.

Name, type and default of an option are those of its field, and an Option beside it is the rest.
The types of options for programs are in lodehound.option_types; tests hold them to the table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any, Literal, get_type_hints

from lodehound.option_units import read_size, read_time, written_size, written_time

# The groups of the help, in its order.
WHAT, WHERE, BUDGETS, POLITENESS = "What to find", "Where to crawl", "Budgets", "Politeness"
TOPICS, NETWORK = "Topics", "Network"
JAVASCRIPT, OUTPUT = "Pages that need JavaScript", "Output"
PANELS = (WHAT, WHERE, BUDGETS, POLITENESS, TOPICS, NETWORK, JAVASCRIPT, OUTPUT)


@dataclass(frozen=True, slots=True)
class Option:
    """What is known of an option beside its name, its type and its default."""

    help: str = ""  # without it, there is no flag: a config file or a program sets the option
    panel: str = ""  # group of the help
    value: str = ""  # stands for the value in the help
    bound: Literal["", "positive", "not negative"] = ""
    choices: tuple[str, ...] = ()
    unit: Literal["", "size", "time"] = ""
    # It decides which links are followed, and in what order: with another value it would be another
    # crawl. Politeness, limits and budgets may change; 'lodehound resume' also changes the policy.
    decides: bool = False
    is_budget: bool = False  # +N means N more than were used
    in_file: bool = False  # a flag names the file that holds the values
    is_secret: bool = False  # never written to disk
    is_named: bool = False  # no directory decides it: code, files elsewhere, protections
    is_internal: bool = False  # kept beside the options


def option(default: Any, help: str = "", panel: str = "", value: str = "", **rest: Any) -> Any:  # noqa: A002 - as in Option
    """Return a field of OptionTable."""
    return field(default=default, metadata={"option": Option(help, panel, value, **rest)})


@dataclass(frozen=True, slots=True)
class OptionTable:
    """Everything the user may say of a crawl, named as the flags and the TOML keys."""

    # fmt: off
    urls: tuple[str, ...] = option((), decides=True)
    want: str = option(
        "files",
        "What counts as a find: files, files:csv,xlsx, markup, rdf, rdf:embedded, topic:...", WHAT,
        "WHAT", decides=True, is_named=True)
    policy: str = option(  # "": the one that the target names
        "", "NAME or NAME:param=value,...; by default, the target's own.", WHAT, "NAME",
        decides=True, is_named=True)
    seed: int = option(0, "Random seed.", WHAT, "N", bound="not negative", decides=True)
    inspect: bool = option(True, "Look for tables in the finds.", WHAT)
    inspect_time: float = option(
        20.0, "Time limit for one file.", WHAT, "TIME", bound="positive", unit="time")
    inspect_memory: int = option(
        1024 * 1024**2, "Memory limit for one file.", WHAT, "SIZE", bound="positive", unit="size")
    scope: str = option(  # site or web; "": the target's own
        "", "site, or web for any host. By default, the target's own.", WHERE, "SCOPE",
        choices=("site", "web"), decides=True)
    per_host: int | None = option(
        None, "Maximum number of URLs per host.", WHERE, "N", bound="positive", decides=True)
    max_hosts: int | None = option(
        None, "Maximum number of hosts.", WHERE, "N", bound="positive", decides=True)
    allow_hosts: tuple[str, ...] = option(
        (), "A file of hosts, or URLs: crawl only these and their subdomains.", WHERE, "FILE",
        decides=True, in_file=True)
    block_hosts: tuple[str, ...] = option(
        (), "A file of hosts, or URLs: crawl none of these or their subdomains.", WHERE, "FILE",
        decides=True, in_file=True)
    include: tuple[str, ...] = option(
        (), "Follow only URLs that match; * matches any text.", WHERE, "PATTERN", decides=True)
    exclude: tuple[str, ...] = option(
        (), "Follow no URLs that match; * matches any text.", WHERE, "PATTERN", decides=True)
    under: str = option(
        "", "Follow only paths that start with this: /data/.", WHERE, "PATH", decides=True)
    max_depth: int | None = option(
        None, "Maximum number of links from the start.", WHERE, "N", bound="not negative",
        decides=True)
    shortcuts: str = option(
        "auto", "APIs, listings and feeds to use: auto, off or NAME,NAME...", WHERE, "NAMES",
        is_named=True)
    metadata_only: bool = option(False, "Catalogue datasets by APIs; fetch no files.", WHERE)
    sitemaps: bool = option(False, "Also try /sitemap.xml, and read feeds at once.", WHERE)
    speculative_links: bool = option(
        True, "Follow likely URLs in scripts, attributes and JSON.", WHERE)
    nofollow: bool = option(False, "Do not follow links marked nofollow.", WHERE)
    block: bool = option(True, "Leave out images, audio and video.", WHERE, decides=True)
    traps: bool = option(True, "Leave out URLs that look like crawler traps.", WHERE, decides=True)
    requests: int | None = option(
        None, "Maximum number of requests.", BUDGETS, "N", bound="positive", is_budget=True)
    bytes: int | None = option(
        None, "Maximum volume: 500MB, 2GB.", BUDGETS, "SIZE", bound="positive", unit="size",
        is_budget=True)
    time: float | None = option(
        None, "Maximum running time: 90s, 15m, 2h.", BUDGETS, "TIME", bound="positive",
        unit="time", is_budget=True)
    finds: int | None = option(
        None, "Maximum number of finds.", BUDGETS, "N", bound="positive", is_budget=True)
    early_stop: str = option(
        "", "When finds become rare: off, auto or paper. By default, auto without --requests.",
        BUDGETS, "RULE",
        choices=("off", "auto", "paper"))
    stop_nu: int = option(1000)
    stop_epsilon: float = option(0.2)
    stop_gamma: float = option(0.05)
    stop_kappa: int = option(15)
    max_file: int = option(
        100 * 1000**2, "Maximum size of a response; more is cut off.", BUDGETS, "SIZE",
        bound="positive", unit="size")
    delay: float = option(
        1.0, "Seconds between two requests to a host.", POLITENESS, "SECONDS", bound="not negative")
    concurrency: int = option(
        8, "Maximum number of requests in flight.", POLITENESS, "N", bound="positive")
    contact: str = option("", "Your address, sent in the user agent.", POLITENESS, "ADDRESS")
    user_agent: str = option("", "Another user agent.", POLITENESS, "TEXT")
    ignore_robots: bool = option(
        False, "Ignore robots.txt: for your own sites only.", POLITENESS, is_named=True)
    yes_ignore_robots: bool = option(
        False, "Confirm --ignore-robots for other hosts than this machine.", POLITENESS,
        is_named=True)
    retries: int = option(
        2, "How often to repeat a failed request.", POLITENESS, "N", bound="not negative")
    backoff: float = option(
        5.0, "Pause after the first failure of a host.", POLITENESS, "SECONDS",
        bound="not negative")
    max_crawl_delay: float = option(30.0, bound="not negative")
    categories: str = option("", "Broader subjects of the topic.", TOPICS, "NAMES", decides=True)
    about: tuple[str, ...] = option(
        (), "Text files that describe the topic.", TOPICS, "FILE", decides=True, is_named=True)
    like: tuple[str, ...] = option(
        (), "Example pages of the topic.", TOPICS, "URL", decides=True, is_named=True)
    about_text: str = option("", is_internal=True)  # what those said when the crawl began
    vectors: str = option(
        "auto", "Word vectors: wordllama, a file, or none.", TOPICS, "NAME", decides=True)
    idf: str = option(
        "", "Document frequencies, or a corpus to count them in.", TOPICS, "FILE", decides=True)
    weights: str = option(  # the file that learned weights go to
        "", "Read learned weights from this file, and write them to it.", TOPICS, "FILE",
        is_named=True)
    weights_before: str = option("", is_internal=True)  # JSON: what it held when the crawl began
    header: tuple[str, ...] = option(
        (), "A header to send: 'Name: value'.", NETWORK, "HEADER", is_secret=True)
    auth: str = option(
        "", "Credentials for the start hosts.", NETWORK, "USER:PASSWORD", is_secret=True)
    proxy: str = option(
        "", "Send every request through this proxy.", NETWORK, "URL", is_secret=True)
    allow_private: tuple[str, ...] = option(
        (), "Allow this private host or network (CIDR).", NETWORK, "HOST", is_named=True)
    insecure: bool = option(False, "Accept any TLS certificate.", NETWORK, is_named=True)
    connect_timeout: float = option(
        15.0, "Time limit for a connection.", NETWORK, "SECONDS", bound="positive")
    read_timeout: float = option(
        30.0, "Time limit for the next bytes of a response.", NETWORK, "SECONDS", bound="positive")
    total_timeout: float = option(
        600.0, "Time limit for a whole response.", NETWORK, "SECONDS", bound="positive")
    min_speed: int = option(
        100, "Slowest response accepted, in bytes per second.", NETWORK, "N", bound="not negative")
    replica: str = option(
        "", "Crawl a recorded site instead of the network.", NETWORK, "FILE", decides=True,
        is_named=True)
    fallback: str = option(
        "", "live: fetch what the recorded site lacks.", NETWORK, "live", choices=("live",))
    render: str = option(
        "auto", "Render pages in a browser: never, auto (where it pays) or always.", JAVASCRIPT,
        "WHEN", choices=("never", "auto", "always"))
    browser: str = option(  # "": found by itself
        "", "Chromium or Chrome; by default, the one installed.", JAVASCRIPT, "PROGRAM",
        is_named=True)
    render_hosts: tuple[str, ...] = option(
        (), "Another host that rendered pages may load from.", JAVASCRIPT, "HOST")
    warc: bool = option(False, "Keep every response in a WARC file.", OUTPUT)
    keep_versions: bool = option(
        False, "Keep the older versions of files that an update replaces.", OUTPUT)
    # the file that ``lodehound record`` writes
    record: str = option("", decides=True, is_named=True, is_internal=True)
    # of a crawl that is divided by hosts: its number, how many
    part: tuple[int, int] = option((0, 1), decides=True, is_internal=True)
    # fmt: on


KINDS: dict[str, Any] = get_type_hints(OptionTable)
OPTIONS: dict[str, Option] = {one.name: one.metadata["option"] for one in fields(OptionTable)}
SECRETS = tuple(name for name, one in OPTIONS.items() if one.is_secret)
# Nothing is used of any budget when a crawl is new.
NOTHING_USED: Mapping[str, float] = MappingProxyType(
    {name: 0 for name, one in OPTIONS.items() if one.is_budget}
)
READERS: dict[str, Callable[[str], Any]] = {"size": read_size, "time": read_time}
WRITERS: dict[str, Callable[[Any], str]] = {"size": written_size, "time": written_time}


def written(name: str, value: Any) -> str:
    """Return the value of an option as it is typed."""
    return WRITERS.get(OPTIONS[name].unit, str)(value)
