"""What a crawl is told of its topic, read when it begins; what it learned, written at its end."""

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


def with_topic(told: CrawlConfig) -> CrawlConfig:
    """Read the files that describe a topic: a crawl that is resumed must mean the same."""
    from lodehound.stores.word_vectors import named_for_good

    told = dataclasses.replace(told, vectors=named_for_good(told.vectors))
    if not (told.about or told.like or told.weights or told.idf):
        return told
    from lodehound.core.urls import canonical
    from lodehound.drivers.live.examples import fetch_examples
    from lodehound.stores.topics import MAX_ABOUT, read_about, read_weights

    replica = [Path(name) for name in told.replica.split("+") if name]
    pages = [] if replica else [url for name in told.like if (url := canonical(name))]
    files = told.like if replica else [name for name in told.like if not canonical(name)]
    texts = [read_about(told.about, files, replica)]
    texts += fetch_examples(told, pages) if pages else []
    if told.weights and not Path(told.weights).absolute().parent.is_dir():
        raise ConfigError(f"--weights {told.weights!r}: its folder is not there; make it first.")
    before = read_weights(Path(told.weights)) if told.weights else ()
    return dataclasses.replace(
        told,
        about_text="\n".join(filter(None, texts))[:MAX_ABOUT],
        weights=str(Path(told.weights).absolute()) if told.weights else "",
        weights_before=json.dumps(before) if before else "",
        idf=str(Path(told.idf).absolute()) if told.idf else "",
    )


@contextmanager
def keeping_weights(told: CrawlConfig, live: Callable[[], Live]) -> Iterator[Callable[[], Live]]:
    """Write what the policy has learned to the file of ``--weights``, however the crawl ends."""
    made: list[Live] = []

    def begin() -> Live:
        made.append(live())
        return made[0]

    try:
        yield begin
    finally:
        if told.weights and made:
            from lodehound.stores.topics import write_weights

            policy = made[0].session.crawl.policy
            write_weights(Path(told.weights), getattr(policy, "weights", ()))
