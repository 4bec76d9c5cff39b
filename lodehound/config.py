"""The config of a crawl: one frozen value from flags and TOML. Passed, never imported.

Sizes are written ``500``, ``20MB``, ``2GiB``; times ``90``, ``15m``, ``2h``, ``1d``.
"""

from __future__ import annotations

import dataclasses
import json
import math
import re
import tomllib
import typing
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from lodehound.core.errors import ConfigError, UnknownNameError
from lodehound.core.urls import canonical, proposed
from lodehound.core.values import alternatives, converted, in_words
from lodehound.stores.text_files import read_toml

UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
BINARY = {"ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}
SECONDS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}

# What a config file may say of the command itself; it is no part of a crawl's config.
COMMAND: dict[str, Any] = {
    "out": str, "quiet": bool, "json_log": bool, "from": tuple[str, ...]
}  # fmt: skip

# What a crawl keeps beside its options.
INTERNAL = {"about_text", "weights_before", "prior_weights", "record", "part"}

CONTROL = re.compile(r"[\x00-\x1f\x7f]")  # refused in headers

# Never written to disk: they are asked for again when a crawl is resumed.
SECRETS = ("auth", "header", "proxy")


def read_size(text: str) -> int:
    """Read a number of bytes.

    >>> read_size("2GB"), read_size("1.5 MiB"), read_size("300")
    (2000000000, 1572864, 300)
    """
    match = re.fullmatch(r"\s*([0-9.]+)\s*([a-zA-Z]*?)b?\s*", text, flags=re.IGNORECASE)
    unit = match[2].lower() if match else ""
    if match is None or unit not in UNITS | BINARY or not _is_number(match[1]):
        raise ConfigError(f"{text!r} is no size: write for example 500MB or 2GB.")
    size = float(match[1]) * (UNITS | BINARY)[unit]
    if not math.isfinite(size):
        raise ConfigError(f"{text[:40]!r} is no size: it is too large.")
    return int(size)


def read_time(text: str) -> float:
    """Read a number of seconds.

    >>> read_time("2h"), read_time("1.5m"), read_time("10")
    (7200.0, 90.0, 10.0)
    """
    match = re.fullmatch(r"\s*([0-9.]+)\s*([a-zA-Z]*)\s*", text)
    unit = match[2].lower() if match else ""
    if match is None or unit not in SECONDS or not _is_number(match[1]):
        raise ConfigError(f"{text!r} is no time: write for example 90s, 15m or 2h.")
    return float(match[1]) * SECONDS[unit]


def written_size(size: int) -> str:
    """Write a number of bytes as ``read_size`` reads it.

    >>> written_size(2_500_000), written_size(1_234)
    ('2500KB', '1234')
    """
    units = {2**30: "GiB", 2**20: "MiB", 10**9: "GB", 10**6: "MB", 10**3: "KB", 1: ""}
    return next(f"{size // unit}{name}" for unit, name in units.items() if size % unit == 0)


def written_time(seconds: float) -> str:
    """Write a time as ``read_time`` reads it, rounded up to seconds.

    >>> written_time(7200), written_time(90), written_time(22.96)
    ('2h', '90s', '23s')
    """
    rounded, units = math.ceil(seconds), {3600: "h", 60: "m", 1: "s"}
    return next(f"{rounded // unit}{name}" for unit, name in units.items() if rounded % unit == 0)


def more(name: str, value: Any, used: float) -> Any:
    """Read a new budget: N, or +N for N more than were used; none for no limit.

    >>> more("requests", "500", 200), more("requests", "+500", 200), more("time", "+2m", 30.0)
    (500, 700, 150.0)
    """
    if not isinstance(value, str):
        return value
    if value.lower() == "none":
        return None
    amount = _fitted(name, value.removeprefix("+"), KINDS[name])
    if not value.startswith("+"):
        return amount
    if amount is None or amount <= 0:
        raise ConfigError(f"{name} = {value!r} is not understood: write +N for N more.")
    return type(amount)(used + amount)


def _is_number(text: str) -> bool:
    return text.count(".") <= 1 and text != "."


TOO_LARGE = 2**63  # for a database
POSITIVE = (
    "requests", "bytes", "time", "finds", "max_file", "concurrency", "per_host", "max_hosts",
    "connect_timeout", "read_timeout", "total_timeout", "inspect_time", "inspect_memory",
)  # fmt: skip
NOT_NEGATIVE = (
    "seed", "max_depth", "delay", "retries", "backoff", "min_speed", "max_crawl_delay",
)  # fmt: skip

CHOICES = {  # or nothing
    "fallback": ("live",), "scope": ("site", "web"), "render": ("never", "auto", "always"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class CrawlConfig:
    """Everything the user may say of a crawl, named as the flags and the TOML keys."""

    urls: tuple[str, ...] = ()
    want: str = "files"
    policy: str = ""  # "": the one that the target names
    seed: int = 0
    # what is wanted, in words
    categories: str = ""
    about: tuple[str, ...] = ()  # text files
    like: tuple[str, ...] = ()  # example pages
    about_text: str = ""  # what those said when the crawl began
    vectors: str = "auto"
    idf: str = ""
    weights: str = ""  # the file that learned weights go to
    weights_before: str = ""  # JSON: what it held when the crawl began
    prior: str = ""  # the file with what other crawls have learned
    prior_weights: str = ""  # JSON: what it held when the crawl began
    # budgets
    requests: int | None = None
    bytes: int | None = None
    time: float | None = None
    finds: int | None = None
    early_stop: str = "off"
    stop_nu: int = 1000
    stop_epsilon: float = 0.2
    stop_gamma: float = 0.05
    stop_kappa: int = 15
    # where to go
    scope: str = ""  # site or web; "": the target's own
    per_host: int | None = None
    max_hosts: int | None = None
    allow_hosts: tuple[str, ...] = ()
    block_hosts: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    under: str = ""
    max_depth: int | None = None
    block: bool = True
    traps: bool = True
    shortcuts: str = "auto"  # auto, off, or names
    metadata_only: bool = False
    sitemaps: bool = False
    nofollow: bool = False
    speculative_links: bool = True
    # politeness
    contact: str = ""
    user_agent: str = ""
    delay: float = 1.0
    concurrency: int = 8
    ignore_robots: bool = False
    yes_ignore_robots: bool = False
    max_crawl_delay: float = 30.0
    retries: int = 2
    backoff: float = 5.0
    # limits
    max_file: int = 100 * 1000**2
    connect_timeout: float = 15.0
    read_timeout: float = 30.0
    total_timeout: float = 600.0
    min_speed: int = 100
    allow_private: tuple[str, ...] = ()
    insecure: bool = False
    # pages that need JavaScript
    render: str = "auto"
    browser: str = ""  # "": found by itself
    render_hosts: tuple[str, ...] = ()
    # how to ask
    header: tuple[str, ...] = ()
    auth: str = ""
    proxy: str = ""
    # what to keep
    inspect: bool = True
    inspect_time: float = 20.0
    inspect_memory: int = 1024 * 1024**2
    warc: bool = False
    keep_versions: bool = False
    replica: str = ""
    fallback: str = ""
    record: str = ""  # the file that ``lodehound record`` writes
    part: tuple[int, int] = (0, 1)  # of a crawl that is divided by hosts: its number, how many

    def __post_init__(self) -> None:
        self._check_numbers()
        for name, words in CHOICES.items():
            if (value := getattr(self, name)) and value not in words:
                known = " or ".join(words)
                raise ConfigError(f"{name} {value!r} is not understood: use {known}.")
        if self.under and not self.under.startswith("/"):
            raise ConfigError(f"under {self.under!r} is no path: begin it with a slash.")
        for name in ("user_agent", "contact"):
            if CONTROL.search(value := getattr(self, name)):
                raise ConfigError(f"{name} {value!r} has control characters: leave them out.")
        if self.user_agent and not self.user_agent.partition("/")[0].strip():
            raise ConfigError(
                f"user_agent {self.user_agent!r} names no program: write NAME/1.0 (+https://...)."
            )
        for text in filter(None, (self.weights_before, self.prior_weights)):
            _check_json(text)
        for url in self.urls:
            _check_url(url)

    def _check_numbers(self) -> None:
        for name in POSITIVE:
            value = getattr(self, name)
            if value is not None and not 0 < value < math.inf:
                raise ConfigError(f"{name} is {value}: give a number above 0.")
        for name in NOT_NEGATIVE:
            value = getattr(self, name)
            if value is not None and not 0 <= value < math.inf:
                raise ConfigError(f"{name} is {value}: give 0 or more.")
        for name in (*POSITIVE, *NOT_NEGATIVE):
            if (getattr(self, name) or 0) >= TOO_LARGE:
                raise ConfigError(f"{name} is {getattr(self, name)}: give a smaller number.")

    @classmethod
    def made_of(cls, given: dict[str, Any], toml: Path | None = None) -> Self:
        """Make a config from a TOML file and from flags, which win; None means not given."""
        values = _from_toml(toml) if toml is not None else {}
        values = {name: value for name, value in values.items() if name not in COMMAND}
        values |= {name: value for name, value in given.items() if value is not None}
        for name in values:
            if name not in KINDS:
                raise UnknownNameError("option", name, {*KINDS, *COMMAND} - INTERNAL - {name})
        return cls(**{name: _fitted(name, value, KINDS[name]) for name, value in values.items()})

    def as_json(self) -> str:
        """Write everything but the secrets."""
        kept = {k: v for k, v in dataclasses.asdict(self).items() if k not in SECRETS}
        kept["had_secrets"] = [name for name in SECRETS if getattr(self, name)]
        return json.dumps(kept)

    @classmethod
    def from_json(cls, text: str, **secrets: Any) -> Self:
        """Read what ``as_json`` wrote; secrets come from the command line again."""
        missing = [name for name in secrets_of(text) if not secrets.get(name)]
        if missing:
            flags = ", ".join(f"--{name}" for name in missing)
            raise ConfigError(f"This crawl was started with {flags}, which is not stored: give it.")
        return cls.without_secrets(text, **secrets)

    @classmethod
    def without_secrets(cls, text: str, **secrets: Any) -> Self:
        """Read what ``as_json`` wrote, with these secrets: nobody needs them to look at a crawl."""
        values = {"shortcuts": "off"} | json.loads(text)  # version 0.1.0 had no shortcuts
        values.pop("had_secrets", None)
        try:
            return cls.made_of(values | secrets)
        except ConfigError as error:
            raise ConfigError(
                f"The options stored with the crawl cannot be used ({error}): "
                f"'lodehound repair' replaces them with defaults."
            ) from error


def secrets_of(text: str) -> list[str]:
    """Return the names of the secrets that a crawl was started with, from its stored config."""
    names = json.loads(text).get("had_secrets", [])
    if not isinstance(names, list) or not all(name in SECRETS for name in names):
        raise ConfigError(
            f"The options stored with the crawl cannot be used (had_secrets = {names!r}): "
            f"'lodehound repair' replaces them with defaults."
        )
    return names


KINDS: dict[str, Any] = typing.get_type_hints(CrawlConfig)
READERS = {
    "bytes": read_size,
    "max_file": read_size,
    "inspect_memory": read_size,
    "time": read_time,
    "inspect_time": read_time,
}

EXAMPLES: dict[Any, str] = {int: "500", float: "0.5"}
WRITERS: dict[str, Callable[[Any], str]] = {
    "bytes": written_size,
    "max_file": written_size,
    "inspect_memory": written_size,
    "time": written_time,
    "inspect_time": written_time,
}


def command_options(toml: Path | None) -> dict[str, Any]:
    """Return what a config file says of the command itself."""
    values = _from_toml(toml) if toml is not None else {}
    own = {name: value for name, value in values.items() if name in COMMAND}
    return {name: _fitted(name, value, COMMAND[name]) for name, value in own.items()}


def config_options(toml: Path | None) -> dict[str, Any]:
    """Return what a config file says of crawls: neither of the command, nor where they begin."""
    values = _from_toml(toml) if toml is not None else {}
    return {name: value for name, value in values.items() if name not in {*COMMAND, "urls"}}


def toml_urls(toml: Path | None) -> tuple[str, ...]:
    """Return the start URLs of a config file."""
    values = _from_toml(toml) if toml is not None else {}
    urls: tuple[str, ...] = _fitted("urls", values.get("urls", ()), KINDS["urls"])
    return urls


def _from_toml(path: Path) -> dict[str, Any]:
    try:
        values = read_toml(path)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"The config {str(path)!r} is no TOML: {error}.") from error
    except (OSError, ValueError) as error:
        raise ConfigError(f"The config {str(path)!r} cannot be read: {error}.") from error
    return {name.replace("-", "_"): value for name, value in values.items()}


def _fitted(name: str, value: Any, kind: Any) -> Any:
    """Return an option's value as its type; texts become sizes, times, numbers and tuples."""
    try:
        if isinstance(value, str) and name in READERS:
            return READERS[name](value)
        return converted(value, kind)
    except ConfigError as error:
        raise ConfigError(f"{name}: {error}") from error
    except ValueError as error:
        example = next((EXAMPLES[one] for one in alternatives(kind) if one in EXAMPLES), "")
        words = f"write {in_words(kind)}{f', for example {example}' if example else ''}"
        raise ConfigError(f"{name} = {value!r} is not understood: {words}.") from error


def _check_json(text: str) -> None:
    try:
        json.loads(text)
    except ValueError:
        raise ConfigError(
            f"What the policy had learned before is no JSON: {text[:40]!r}."
        ) from None


def _check_url(url: str) -> None:
    authority = re.split(r"[/?#\\]", url.strip().partition("//")[2])[0]
    if "@" in authority:
        # Start URLs are stored and shown; the message shows nothing of it either.
        raise ConfigError("A start URL holds a password or a name: give it by --auth.")
    if meant := proposed(url):
        raise ConfigError(f"{url!r} is no web address: did you mean {meant} ?")
    if canonical(url):
        return
    if canonical(url.replace(authority, authority.rpartition(":")[0], 1)):
        raise ConfigError(f"{url!r} is no web address: the port must be a number up to 65535.")
    raise ConfigError(f"{url!r} is no web address: give http:// or https://.")
