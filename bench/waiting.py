"""The policy `lodehound` with a million links waiting: memory and CPU.

    python -m bench.waiting [LINKS]

Links are what a live crawl gives: anchors of their own, tag paths and source
pages shared by a hundred. Their URLs belong to the crawl and are counted apart.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from lodehound.core.link import Link
from lodehound.core.messages import Choice, Outcome, Verdict
from lodehound.policies.lodehound import LodehoundPolicy

ON_A_PAGE = 100
CHOICES = 300
PAGE = Verdict(False)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    before = _memory()
    urls = [f"https://e.org/stats/area-{i % 97}/page-{i}.html" for i in range(count)]
    text = _memory() - before
    policy = LodehoundPolicy()
    base = _memory()
    policy.learn(Outcome(None, "", 0, "", PAGE, (Link("https://e.org/", kind=""),)))
    learning = 0.0
    for first in range(0, count, ON_A_PAGE):
        choice = _choose(policy)
        links = _links(urls[first : first + ON_A_PAGE], choice.link.url, first)
        learning += _seconds(policy, choice, links)
    grown = _memory() - base
    print(
        f"{count:,} links: {grown / count:.0f} bytes each, {text / count:.0f} more for their URLs"
    )
    print(f"{1e6 * learning / count:.0f} us to take in a new link")
    print(f"{1e3 * _requests(policy):.2f} ms a request with {count:,} waiting")
    began = time.process_time()
    policy.remaining_yield()
    print(f"{time.process_time() - began:.2f} s to estimate what is left")


def _links(urls: list[str], source: str, first: int) -> tuple[Link, ...]:
    path = f"html/body/div.x{first // ON_A_PAGE % 40}/ul/li.y"
    return tuple(
        Link(url, source, f"{path}{n % 5}/a", f"A link number {first + n} in words", "", "a", 1)
        for n, url in enumerate(urls)
    )


def _seconds(policy: LodehoundPolicy, choice: Choice, links: tuple[Link, ...]) -> float:
    began = time.process_time()
    policy.learn(Outcome(choice, choice.link.url, 200, "text/html", PAGE, links))
    return time.process_time() - began


def _requests(policy: LodehoundPolicy) -> float:
    began = time.process_time()
    for _ in range(CHOICES):
        _seconds(policy, _choose(policy), ())
    return (time.process_time() - began) / CHOICES


def _choose(policy: LodehoundPolicy) -> Choice:
    choice = policy.choose(())
    if choice is None:
        raise SystemExit("nothing waits")
    return choice


def _memory() -> int:
    """Return the resident bytes of this process."""
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * 4096


if __name__ == "__main__":
    main()
