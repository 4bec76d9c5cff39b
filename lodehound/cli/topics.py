"""Reads the topic options when a crawl starts, and writes the learned weights when it ends."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from lodehound.core.errors import ConfigError

if TYPE_CHECKING:
    from lodehound.config import CrawlConfig
    from lodehound.drivers.live.engine import Live


def with_topic(config: CrawlConfig) -> CrawlConfig:
    """Read the files that describe a topic, so that a resumed crawl has the same topic."""
    from lodehound.stores.word_vectors import named_for_good

    config = dataclasses.replace(config, vectors=named_for_good(config.vectors))
    if not (config.about or config.like or config.weights or config.idf):
        return config
    from lodehound.core.urls import canonical
    from lodehound.drivers.live.examples import fetch_examples
    from lodehound.stores.topics import MAX_ABOUT, read_about, read_weights

    replica = [Path(name) for name in config.replica.split("+") if name]
    pages = [] if replica else [url for name in config.like if (url := canonical(name))]
    files = config.like if replica else [name for name in config.like if not canonical(name)]
    texts = [read_about(config.about, files, replica)]
    texts += fetch_examples(config, pages) if pages else []
    if config.weights and not Path(config.weights).absolute().parent.is_dir():
        raise ConfigError(f"--weights {config.weights!r}: create its folder first.")
    before = read_weights(Path(config.weights)) if config.weights else ()
    return dataclasses.replace(
        config,
        about_text="\n".join(filter(None, texts))[:MAX_ABOUT],
        weights=str(Path(config.weights).absolute()) if config.weights else "",
        weights_before=json.dumps(before) if before else "",
        idf=str(Path(config.idf).absolute()) if config.idf else "",
    )


@contextmanager
def keeping_weights(config: CrawlConfig, live: Callable[[], Live]) -> Iterator[Callable[[], Live]]:
    """Write the learned weights to the file of ``--weights``, however the crawl ends."""
    made: list[Live] = []

    def begin() -> Live:
        made.append(live())
        return made[0]

    try:
        yield begin
    finally:
        if config.weights and made:
            from lodehound.stores.topics import write_weights

            policy = made[0].session.crawl.policy
            write_weights(Path(config.weights), getattr(policy, "weights", ()))
