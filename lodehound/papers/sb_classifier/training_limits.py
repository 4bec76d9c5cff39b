"""What parameters of several policies may be."""

from __future__ import annotations

from lodehound.core.errors import ConfigError

MAX_BITS = 24  # of a hash: 2**24 dimensions are more than any vocabulary of tag paths


def check_paths(*, n: int, theta: float) -> None:
    """Refuse n-grams of nothing, and cosines that nothing reaches."""
    if n < 1:
        raise ConfigError(f"n={n}: an n-gram has at least 1 element.")
    if not 0 <= theta <= 1:
        raise ConfigError(f"theta={theta}: a cosine between tag paths is from 0 to 1.")


def check_hash(*, m: int, w: int, pi: int) -> None:
    """Refuse hashes that tell nothing apart, or need too much memory."""
    if not (0 < m < w <= MAX_BITS and pi > 0):
        raise ConfigError(f"m={m}, w={w}, pi={pi}: needed are 0 < m < w <= {MAX_BITS}, pi > 0.")
