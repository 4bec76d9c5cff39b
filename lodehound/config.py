"""The config of a crawl: one frozen value from flags and TOML. Passed, never imported."""

from __future__ import annotations

import dataclasses
import json
import math
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from lodehound.core.errors import ConfigError, UnknownNameError, reason_of
from lodehound.core.urls import canonical, proposed
from lodehound.options import KINDS, NOTHING_USED, OPTIONS, READERS, SECRETS, Option, OptionTable
from lodehound.stores.text_files import read_toml
from lodehound.text.values import alternatives, converted, in_words

# What a config file may say of the command itself; it is no part of a crawl's config.
COMMAND: dict[str, Any] = {
    "out": str, "quiet": bool, "json_log": bool, "from": tuple[str, ...]
}  # fmt: skip

GONE = ("prior", "prior_weights")  # options that crawls of earlier versions have stored

CONTROL = re.compile(r"[\x00-\x1f\x7f]")  # refused in headers


def raised_budget(name: str, value: Any, used: float) -> Any:
    """Read a new budget: N, or +N for N more than were used; none for no limit.

    >>> raised_budget("requests", "500", 200), raised_budget("requests", "+500", 200)
    (500, 700)
    >>> raised_budget("time", "+2m", 30.0)
    150.0
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


def check_written(name: str, text: str) -> None:
    """Refuse a text that is no value of an option.

    Raises:
        ConfigError: The message begins with the name.
    """
    if OPTIONS[name].is_budget:
        raised_budget(name, text, 0.0)
    else:
        _fitted(name, text, KINDS[name])


def asks_for_more(values: Mapping[str, Any]) -> bool:
    """Return whether a budget is written as +N.

    >>> asks_for_more({"requests": "+5"}), asks_for_more({"requests": 5, "under": "+"})
    (True, False)
    """
    return any(str(values.get(name)).startswith("+") for name in NOTHING_USED)


EXAMPLES: dict[Any, str] = {int: "500", float: "0.5"}
TOO_LARGE = 2**63  # for a database


@dataclass(frozen=True, slots=True)
class CrawlConfig(OptionTable):
    """The options of a crawl as values, checked."""

    # Options that no directory decides, with the values that the user gave for this very command;
    # never stored.
    named: frozenset[tuple[str, str]] = field(default=frozenset(), compare=False, repr=False)

    @property
    def stop_rule(self) -> str:
        """The rule for stopping early: unless it was named, auto where only the site is a limit."""
        limited = self.requests is not None or self.metadata_only
        return self.early_stop or ("off" if limited else "auto")

    def __post_init__(self) -> None:
        self._check_numbers()
        for name, one in OPTIONS.items():
            value = getattr(self, name)
            if one.choices and value and value not in one.choices:
                *others, last = one.choices
                known = f"{', '.join(others)} or {last}" if others else last
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
        if self.weights_before:
            _check_json(self.weights_before)
        for url in self.urls:
            _check_url(url)

    def _check_numbers(self) -> None:
        for name, one in OPTIONS.items():
            value = getattr(self, name)
            if not one.bound or value is None:
                continue
            if one.bound == "positive" and not 0 < value < math.inf:
                raise ConfigError(f"{name} is {value}: give a number above 0.")
            if not 0 <= value < math.inf:
                raise ConfigError(f"{name} is {value}: give 0 or more.")
            if value >= TOO_LARGE:
                raise ConfigError(f"{name} is {value}: give a smaller number.")

    @classmethod
    def made_of(
        cls,
        given: dict[str, Any],
        toml: Path | None = None,
        *,
        used: Mapping[str, float] = NOTHING_USED,
    ) -> Self:
        """Make a config from a TOML file and from flags, which win; None means not given.

        Args:
            given: Values by option.
            toml: The file.
            used: What the crawl has used of each budget: "+N" means N more.
        """
        values = _from_toml(toml) if toml is not None else {}
        values = {name: value for name, value in values.items() if name not in COMMAND}
        values |= {name: value for name, value in given.items() if value is not None}
        for name in values:
            if name not in OPTIONS:
                known = [one for one, about in OPTIONS.items() if not about.is_internal]
                raise UnknownNameError("option", name, [*known, *COMMAND])
        values |= {
            name: raised_budget(name, values[name], used[name]) for name in used if name in values
        }
        fitted = {name: _fitted(name, value, KINDS[name]) for name, value in values.items()}
        named = (pairs_of(name, value) for name, value in fitted.items() if OPTIONS[name].is_named)
        return cls(**fitted, named=frozenset().union(*named))

    def is_named(self, option: str) -> bool:
        """Return whether the user gave this option, with this value, for this very command."""
        return self.named.issuperset(pairs_of(option, getattr(self, option)))

    def with_named(self, **values: Any) -> Self:
        """Return it with other values of such options, as if the user had given these."""
        pairs = (pair for name, value in values.items() for pair in pairs_of(name, value))
        return replace(self, **values, named=self.named.union(pairs))

    def in_full(self, **values: str) -> Self:
        """Return it with options written out (whole paths): what the user named stays named."""
        mine = {(name, value) for name, value in values.items() if self.is_named(name)}
        return replace(self, **values, named=self.named | mine)  # type: ignore[arg-type]

    def as_json(self) -> str:
        """Write everything but the secrets."""
        unstored = {*SECRETS, "named"}
        kept = {k: v for k, v in dataclasses.asdict(self).items() if k not in unstored}
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
        for name in ("had_secrets", "named", *GONE, *SECRETS):
            values.pop(name, None)  # a proxy in somebody else's directory would get every request
        try:
            return replace(cls.made_of(values | secrets), named=frozenset())
        except ConfigError as error:
            raise ConfigError(
                f"The options stored with the crawl cannot be used ({error}): "
                f"'lodehound repair' replaces them with defaults."
            ) from error


def pairs_of(name: str, value: Any) -> list[tuple[str, str]]:
    """Return an option with its value, or with each of its values."""
    return [(name, one) for one in (value if isinstance(value, tuple) else (value,))]


def had_prior(stored: str) -> bool:
    """Return whether stored options name a prior, the file of another crawl's weights."""
    try:
        values = json.loads(stored)
    except (ValueError, RecursionError):  # damaged: an error where they are used
        return False
    return isinstance(values, dict) and bool(values.get("prior"))


def secrets_of(text: str) -> list[str]:
    """Return the names of the secrets that a crawl was started with, from its stored config."""
    names = json.loads(text).get("had_secrets", [])
    if not isinstance(names, list) or not all(name in SECRETS for name in names):
        raise ConfigError(
            f"The options stored with the crawl cannot be used (had_secrets = {names!r}): "
            f"'lodehound repair' replaces them with defaults."
        )
    return names


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
        raise ConfigError(
            f"The config {str(path)!r} cannot be read: {reason_of(error)}."
        ) from error
    return {name.replace("-", "_"): value for name, value in values.items()}


def _fitted(name: str, value: Any, kind: Any) -> Any:
    """Return an option's value as its type; texts become sizes, times, numbers and tuples."""
    if isinstance(value, str) and value.startswith("+") and str not in alternatives(kind):
        raise ConfigError(
            f"{name} = {value!r} is not understood: +N, for N more, is for "
            f"{', '.join(NOTHING_USED)}."
        )
    try:
        unit = OPTIONS.get(name, Option()).unit
        if isinstance(value, str) and unit:
            return READERS[unit](value)
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
    except (ValueError, RecursionError):
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
