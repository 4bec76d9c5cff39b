"""Half a million hosts, five million URLs: what a choice costs, by scoring function.

    python -m bench.hosts [--hosts 1000,10000,100000,500000] [--urls 10]

Every host has links of random confidence; a part of the hosts has been visited,
relevant mostly or hardly at all, as hosts are. Then choices are made, and each
gets its feedback at once.
"""

from __future__ import annotations

import argparse
import gc
import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from lodehound.core.link import Link
from lodehound.core.messages import Choice, Outcome, Verdict
from lodehound.papers.anthelion.anthelion import Anthelion, Score, make_arms

FOUND, NOT = Verdict(found=True, value=1.0), Verdict(found=False)
PAGE = 200  # hosts whose links come together
TURN = 250  # choices before their feedback comes
WORDS = "news data shop blog item page about list archive product event report".split()


class Switching(Anthelion):
    """Anthelion that can be told another score while it runs."""

    def use(self, score: Score) -> None:
        self.score = score
        self._arms = make_arms(score, seed=1)
        for host in self._open:
            self._put(host, self._hosts[host])


def filled(hosts: int, urls: int) -> Switching:
    """Make a policy that knows these hosts, and has been to a tenth of them."""
    rng = random.Random(1)
    policy = Switching(score="neg-bad", explore=0.0, decay=0, seed=1)
    for first in range(0, hosts, PAGE):
        links = tuple(
            Link(f"http://host{host}.example/{rng.choice(WORDS)}/{rng.choice(WORDS)}/{number}")
            for host in range(first, min(first + PAGE, hosts))
            for number in range(urls)
        )
        policy.learn(Outcome(None, "", 0, "", NOT, links))
    for host in rng.sample(range(hosts), hosts // 10):
        visit(policy, host, rng)
    return policy


def visit(policy: Anthelion, host: int, rng: random.Random) -> None:
    """Tell of a few pages of a host; relevance is close to all or nothing."""
    rate = rng.choice([0.02, 0.02, 0.02, 0.95])
    for number in range(1 + int(rng.paretovariate(1.2)) % 200):
        found = FOUND if rng.random() < rate else NOT
        url = f"http://host{host}.example/{'data' if found.found else 'about'}/{number}"
        policy.learn(Outcome(Choice(Link(url)), url, 200, "text/html", found, ()))


def measure(policy: Anthelion, choices: int) -> tuple[float, float]:
    """Choose and learn in turns; return the CPU seconds of a choice and of its feedback.

    CPU time is what other processes do not change, and asking for it is slow: so a turn is
    many choices, whose feedback comes late, as it does in a crawl of many hosts.
    """
    rng = random.Random(2)
    choosing = learning = 0.0
    for _ in range(choices // TURN):
        begun = time.process_time()
        made = [policy.choose(()) for _ in range(TURN)]
        middle = time.process_time()
        for choice in made:
            if choice is None:
                raise RuntimeError("There is nothing left to choose.")
            verdict = FOUND if rng.random() < 0.5 else NOT
            policy.learn(Outcome(choice, choice.link.url, 200, "text/html", verdict, ()))
        choosing += middle - begun
        learning += time.process_time() - middle
    made_in_all = choices // TURN * TURN
    return choosing / made_in_all, learning / made_in_all


def memory() -> float:
    """Return the megabytes this process holds (Linux)."""
    status = Path("/proc/self/status")
    lines = status.read_text(encoding="ascii").splitlines() if status.exists() else []
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS")), 0.0)


def report(scores: Sequence[Score], hosts: int, urls: int, choices: int) -> None:
    """Fill one policy, and let it choose by one score after the other."""
    gc.collect()
    before = memory()
    policy = filled(hosts, urls)
    print(f"{hosts:,} hosts, {hosts * urls:,} URLs: {memory() - before:,.0f} MB", flush=True)
    gc.freeze()
    for score in scores:
        policy.use(score)
        choosing, learning = measure(policy, min(choices, hosts * urls // 20))
        print(
            f"  {score:16} {1e6 * choosing:7.1f} us to choose, {1e6 * learning:6.1f} us to learn",
            flush=True,
        )
    gc.unfreeze()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hosts", default="1000,10000,100000,500000")
    parser.add_argument("--urls", type=int, default=10, help="links of each host")
    parser.add_argument("--choices", type=int, default=2000)
    parser.add_argument("--score", action="append", choices=get_args(Score))
    options = parser.parse_args()
    for hosts in map(int, options.hosts.split(",")):
        report(options.score or get_args(Score), hosts, options.urls, options.choices)


if __name__ == "__main__":
    main()
