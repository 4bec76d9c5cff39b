"""Explains in words which rule of the scope excludes a link."""

from __future__ import annotations

from lodehound.core.link import Link
from lodehound.core.scope import BLOCKED_EXTENSIONS, TOO_DEEP, Scope, repeats
from lodehound.core.urls import extension_of, host_of
from lodehound.text.counts import counted


def rule_of(scope: Scope, link: Link, refusal: str) -> str:
    """Return what a refusal means for this link.

    >>> scope = Scope(sites=("e.org",))
    >>> rule_of(scope, Link("https://x.org/"), "other site")
    'x.org is not part of e.org'
    """
    url = link.url
    rules = {
        "other site": f"{host_of(url)} is not part of {', '.join(scope.sites)}",
        "host not recorded": f"{host_of(url)} is not in the recording that was crawled",
        "not recorded": "it is known to be missing in the recording that was crawled",
        "blocked extension": f"URLs that end in {extension_of(url)} {_kind(url)} "
        f"(allow them with --no-block)",
        TOO_DEEP: f"it is {counted(link.depth, 'link')} from the start, and --max-depth is "
        f"{scope.max_depth}",
        "not under the path": f"its path does not start with {scope.under} (--under)",
        "not included": f"it matches none of {', '.join(scope.include)} (--include)",
        "excluded": f"it matches one of {', '.join(scope.exclude)} (--exclude)",
        "trap: too long": f"it has {len(url):,} characters, and more than {scope.max_length:,} "
        f"count as a trap (allow it with --no-traps)",
        "trap: repeated parts": f"a part of it occurs {counted(repeats(url), 'time')}, and "
        f"{scope.max_repeats} count as a trap (allow it with --no-traps)",
    }
    return rules.get(refusal, refusal)


def _kind(url: str) -> str:
    multimedia = extension_of(url) in BLOCKED_EXTENSIONS
    return "count as multimedia" if multimedia else "are files in which the target finds nothing"
