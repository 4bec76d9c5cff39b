"""The command line on a machine whose clock is set: ``python -m tests.soak.odd_clock WORDS``.

Every quarter of a second, the wall clock jumps by an hour, forth and back.
"""

from __future__ import annotations

import time

HOUR = 3600.0
real, monotonic = time.time, time.monotonic


def jumping() -> float:
    return real() + HOUR * (int(monotonic() * 4) % 3 - 1)


time.time = jumping

from lodehound.cli import main  # noqa: E402 - after the clock

if __name__ == "__main__":
    main()
