"""Variables of the environment, for programs that are started now."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def with_variable(name: str, value: str) -> Iterator[None]:
    """Set a variable for a while; programs that are started meanwhile inherit it."""
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before
