"""What a crawl's config says of a topic: read when it begins; what was learned, kept at its end."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from lodehound.config import CrawlConfig
from lodehound.core.errors import ConfigError
from lodehound.core.policy import Policy
from lodehound.core.urls import canonical
from lodehound.stores.topics import MAX_ABOUT, read_about, read_weights, write_weights
from lodehound.stores.word_vectors import named_for_good

Fetch = Callable[[CrawlConfig, Sequence[str]], list[str]]


def with_topic(config: CrawlConfig, fetch: Fetch) -> CrawlConfig:
    """Read the files that describe a topic: a crawl that is resumed must mean the same.

    Args:
        config: What the user said.
        fetch: Brings the texts of pages on the web.
    """
    config = replace(config, vectors=named_for_good(config.vectors))
    if not (config.about or config.like or config.weights or config.idf):
        return config
    replica = [Path(name) for name in config.replica.split("+") if name]
    pages = [] if replica else [url for name in config.like if (url := canonical(name))]
    files = config.like if replica else [name for name in config.like if not canonical(name)]
    texts = [read_about(config.about, files, replica)]
    texts += fetch(config, pages) if pages else []
    if config.weights and not Path(config.weights).absolute().parent.is_dir():
        raise ConfigError(f"--weights {config.weights!r}: its folder is not there; make it first.")
    before = read_weights(Path(config.weights)) if config.weights else ()
    weights = str(Path(config.weights).absolute()) if config.weights else ""
    return replace(
        config.in_full(weights=weights),
        about_text="\n".join(filter(None, texts))[:MAX_ABOUT],
        weights_before=json.dumps(before) if before else "",
        idf=str(Path(config.idf).absolute()) if config.idf else "",
    )


def keep_weights(config: CrawlConfig, policy: Policy) -> None:
    """Write what a policy has learned to the file of ``--weights``."""
    if config.weights:
        write_weights(Path(config.weights), getattr(policy, "weights", ()))
