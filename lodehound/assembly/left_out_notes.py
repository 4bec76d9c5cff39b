"""Reports which links the scope of a crawl left out, and the command that follows them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from lodehound.assembly.ending import Ending, Exit
from lodehound.assembly.resuming import FOLLOW, crawl_command
from lodehound.config import CrawlConfig
from lodehound.core.crawl import Crawl
from lodehound.core.left_out import OPTION_OF, LeftOut
from lodehound.core.scope import TOO_DEEP, matches
from lodehound.core.urls import canonical, path_of
from lodehound.stores.crawl_dir import CrawlDir
from lodehound.text.counts import counted
from lodehound.text.shell import quoted

LEFT_OUT = "left out"  # the reason of a crawl that followed no link because of its options
HOSTS = 3  # that a command names
URLS = 5  # start URLs that a command names again


def with_left_out(ending: Ending, config: CrawlConfig, crawl: Crawl, directory: CrawlDir) -> Ending:
    """Return the end of a crawl with what its scope left out.

    A crawl whose options refuse every link has not followed every link.

    Args:
        ending: As the crawl itself sees it.
        config: The options.
        crawl: What was crawled.
        directory: Where the crawl is kept.
    """
    if ending.code != Exit.FINISHED or len(directory.facts.rounds()) > 1 or config.record:
        return ending
    if ending.reason == "exhausted" and _followed_none(config, crawl, directory):
        changes = _wider(config, crawl)
        if changes is not None:
            directory.facts.change_meta(FOLLOW, json.dumps(changes))
            why = _why(config, crawl, changes)
            return replace(ending, code=Exit.BAD_INPUT, reason=LEFT_OUT, detail=why)
    return replace(ending, notes=(*ending.notes, *_file_notes(config, crawl, directory)))


def _followed_none(config: CrawlConfig, crawl: Crawl, directory: CrawlDir) -> bool:
    """Return whether no link but the redirects of start URLs was let in."""
    starts = len({canonical(url) for url in config.urls})
    moved = directory.summary().statuses.get("3xx", 0)
    return not crawl.finds and crawl.known <= starts + moved


def _wider(config: CrawlConfig, crawl: Crawl) -> dict[str, Any] | None:
    """Return the options that would follow what was left out; None if no option left it out.

    Lists of hosts stay: without them, a crawl of the web has no end.
    """
    names = [name for reason, name in OPTION_OF.items() if _refused(crawl, reason)]
    if not names:
        return None
    usual = CrawlConfig()
    changes: dict[str, Any] = {name: getattr(usual, name) for name in names if "hosts" not in name}
    if near := crawl.left_out.near:
        changes["include"] = [f"*{text.strip('*')}*" for text in config.include if near[text]]
    return changes


def _refused(crawl: Crawl, reason: str) -> int:
    """Return how many links were left out for a reason."""
    return len(crawl.left_out.deep) if reason == TOO_DEEP else crawl.refused[reason]


def _why(config: CrawlConfig, crawl: Crawl, changes: Mapping[str, Any]) -> str:
    parts = []
    for reason, name in OPTION_OF.items():
        if count := _refused(crawl, reason):
            flag = f"--{name.replace('_', '-')}"
            given = getattr(config, name)
            some = given[:HOSTS] if isinstance(given, tuple) else [str(given)]
            value = "FILE" if "hosts" in name else " ".join(map(quoted, some))
            parts.append(f"{flag} {value} left out {counted(count, 'link')}")
    if changes.get("include"):
        parts.append("a pattern must match a whole URL, and * matches any text")
    return "; ".join(parts)


def _file_notes(config: CrawlConfig, crawl: Crawl, directory: CrawlDir) -> list[tuple[str, str]]:
    """Return how many links to files the scope left out, and the command that fetches them."""
    left = crawl.left_out
    if not config.want.startswith("files") or not left.all_files():
        return []
    notes = []
    for reason, hosts in left.all_files().items():
        files = counted(hosts.total(), "link to a file", "links to files")
        notes.append(("left out", f"{files} {_place(config, hosts, reason)}"))
    if len(config.urls) <= URLS and (changes := _fetching(config, left)):
        command = crawl_command(replace(config, **changes), directory, _free(directory.path))
        notes.append(("fetched by", command))
    return notes


def _place(config: CrawlConfig, hosts: Counter[str], reason: str) -> str:
    if reason == "not under the path":
        return f"not under {config.under} (--under)"
    if reason == "not included":
        return "that match no pattern (--include)"
    if reason == TOO_DEEP:
        return f"more than {counted(config.max_depth or 0, 'link')} from the start (--max-depth)"
    names = ", ".join(host for host, _ in hosts.most_common(HOSTS))
    more = f" and {counted(len(hosts) - HOSTS, 'more host')}" if len(hosts) > HOSTS else ""
    option = " (not in --allow-hosts)" if reason == "host not allowed" else ""
    return f"on other hosts: {names}{more}{option}"


def _fetching(config: CrawlConfig, left: LeftOut) -> dict[str, Any]:
    """Return the options that fetch the files that were left out."""
    urls = [left.examples[host] for host, _ in left.files["other site"].most_common(HOSTS)
            if host in left.examples]  # fmt: skip
    changes: dict[str, Any] = {"urls": (*config.urls, *urls)} if urls else {}
    if left.files["not under the path"] or not all(
        path_of(url).startswith(config.under) for url in urls
    ):
        changes["under"] = ""
    if TOO_DEEP in left.all_files():
        changes["max_depth"] = None
    if left.files["not included"] or not all(
        any(matches(text, url) for text in config.include or ("*",)) for url in urls
    ):
        changes["include"] = ()
    return changes


def _free(path: Path) -> Path:
    """Return a folder beside a crawl that is not there yet."""
    number = 2
    while (made := path.with_name(f"{path.name}-{number}")).exists():
        number += 1
    return made
