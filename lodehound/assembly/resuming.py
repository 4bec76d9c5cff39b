"""How a crawl is continued: if anything is left to do, and by which command. Imports little."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Annotated, Any, get_origin, get_type_hints

from lodehound.assembly.endings import MEANINGS
from lodehound.config import INTERNAL, KINDS, SECRETS, WRITERS, CrawlConfig, secrets_of
from lodehound.core.shell import joined, quoted
from lodehound.options import FILES, CrawlOptions
from lodehound.stores.crawl_dir import CrawlDir, Summary

# The options that are budgets, by the reason for which a crawl ends when they are spent.
BUDGETS = {"requests": "requests", "bytes": "bytes", "seconds": "time", "finds": "finds"}
# Credentials are not stored, so a command cannot show them.
PLACEHOLDERS = {"auth": "USER:PASSWORD", "header": "'NAME: VALUE'", "proxy": "URL"}
NOTHING: Mapping[str, Any] = MappingProxyType({})


def used_so_far(directory: CrawlDir) -> Summary:
    """Return what the last round of a crawl has used: all of its time if that was up.

    The last answer comes a little earlier than that.
    """
    used = directory.journal.round_summary()
    limit = CrawlConfig.without_secrets(directory.config).time
    if directory.ended == "seconds" and limit is not None:
        return replace(used, at=max(used.at, limit))
    return used


def nothing_to_do(
    config: CrawlConfig,
    directory: CrawlDir,
    used: Summary,
    changes: Mapping[str, Any],
    *,
    renders: bool = False,
) -> str:
    """Say in one line why a crawl cannot go on, and how it could; "" if it can.

    Args:
        config: The config with the changes.
        directory: The crawl.
        used: What it has used so far.
        changes: The options that were given, and that its next command should keep.
        renders: There is a browser, and pages may be rendered.
    """
    if spent := _spent(config, used):
        why = ", ".join(MEANINGS[reason] for reason in spent)
        kept = {name: v for name, v in changes.items() if name not in map(BUDGETS.get, spent)}
        return f"Nothing to do: {why}. Go on with: {_resume(config, directory, spent, kept)}"
    begun = next(directory.journal.inspections(), None) is not None
    to_inspect = config.inspect and begun and directory.journal.not_inspected()
    unrendered = len(directory.journal.unrendered())
    if directory.ended != "exhausted" or to_inspect or (unrendered and renders):
        return ""
    pages = "1 page seems" if unrendered == 1 else f"{unrendered:,} pages seem"
    more = f" {pages} to need JavaScript, and no browser is used: see docs/javascript.md."
    return f"Nothing to do: every link was followed.{more if unrendered else ''}"


def next_command(directory: CrawlDir, used: Summary) -> str:
    """Return the command that continues a crawl; "" if nothing is left to do.

    Args:
        directory: The crawl.
        used: What it has used so far.
    """
    config, ended = CrawlConfig.without_secrets(directory.config), directory.ended
    if ended == "exhausted":
        return ""
    further = len(directory.journal.rounds()) > 1
    if ended == "nothing reachable":
        return update_command(directory) if further else _crawl_again(config, directory)
    if further:  # budgets are those of a round
        used = directory.journal.round_summary()
    spent = _spent(config, used)
    return _resume(config, directory, spent or [ended])


def _crawl_again(config: CrawlConfig, directory: CrawlDir) -> str:
    """Return the command that begins a crawl again, with its options."""
    words = ["lodehound crawl", joined(config.urls), "--out", _place(directory)]
    options = [name for name in KINDS if name not in {"urls", *INTERNAL, *SECRETS}]
    usual, hints = CrawlConfig(), get_type_hints(CrawlOptions, include_extras=True)
    in_file = False
    for name in options:
        if getattr(config, name) == getattr(usual, name):
            continue
        if get_origin(hints[name]) is Annotated:
            words += _flags(config, name)
        else:
            in_file = True
    if in_file:  # some options are set by a config file only
        words.append("--config FILE")
    return " ".join([*words, *_secrets(directory)])


def _place(directory: CrawlDir) -> str:
    """Return the folder of a crawl as a word that is no option."""
    path = str(directory.path)
    return quoted(f"./{path}" if path.startswith("-") else path)


def _flags(config: CrawlConfig, name: str) -> list[str]:
    """Return an option as it is written on the command line, once for each of its values."""
    value, option = getattr(config, name), name.replace("_", "-")
    if isinstance(value, bool):
        return [f"--{option}" if value else f"--no-{option}"]
    if name in FILES:
        return [f"--{option} FILE"]
    values = value if isinstance(value, tuple) else [_written(config, name)]
    return [f"--{option} {quoted(one)}" for one in values]


def _written(config: CrawlConfig, name: str) -> str:
    """Return the value of an option as the command line takes it."""
    value = getattr(config, name)
    if isinstance(value, float) and not value.is_integer():
        return str(value)  # a time is written in whole seconds elsewhere
    return WRITERS.get(name, str)(value)


def _resume(
    config: CrawlConfig,
    directory: CrawlDir,
    reasons: Collection[str],
    more: Mapping[str, Any] = NOTHING,
) -> str:
    """Return the command that continues a crawl which ended for these reasons.

    Args:
        config: Its config.
        directory: Where it is.
        reasons: Why it ended, or cannot go on.
        more: Further options.
    """
    words = ["lodehound resume", _place(directory)]
    for reason in reasons:
        if reason == "early-stop":
            words.append("--early-stop off")
        elif (name := BUDGETS.get(reason)) and getattr(config, name) is not None:
            words.append(f"--{name} +{_written(config, name)}")
    given = [(n, v) for n, value in more.items() for v in _each(value)]
    words += [f"--{name.replace('_', '-')} {quoted(value)}" for name, value in given]
    return " ".join([*words, *_secrets(directory)])


def _each(value: Any) -> list[Any]:
    """Return the values of an option: one that may be repeated has several."""
    return list(value) if isinstance(value, list | tuple) else [value]


def update_command(directory: CrawlDir) -> str:
    """Return the command that begins a further round."""
    words = ["lodehound update", _place(directory), *_secrets(directory)]
    return " ".join(words)


def _secrets(directory: CrawlDir) -> list[str]:
    """Return the options for credentials, which are not stored."""
    return [f"--{name} {PLACEHOLDERS[name]}" for name in secrets_of(directory.config)]


def _spent(config: CrawlConfig, summary: Summary) -> list[str]:
    """Return the reasons for which a crawl ends at once: the budgets that are spent."""
    used = used_by(summary)
    limits = {reason: (used[name], getattr(config, name)) for reason, name in BUDGETS.items()}
    return [r for r, (amount, limit) in limits.items() if limit is not None and amount >= limit]


def used_by(summary: Summary) -> dict[str, float]:
    """Return what a crawl has used of each budget."""
    return {
        "requests": summary.requests,
        "bytes": summary.bytes,
        "time": summary.at,
        "finds": summary.finds,
    }
