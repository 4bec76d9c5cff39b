"""The file of a prior: what crawls of some sites have learned, for crawls of others."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from lodehound.core.errors import ConfigError, reason_of
from lodehound.core.policy import Lessons
from lodehound.stores.errors import output_error
from lodehound.stores.files.replacing import refuse_crawl, refuse_strange, replaced
from lodehound.stores.text_files import read_json

FORMAT = "lodehound-prior-1"
NUMBERS = 2  # of each feature
MOST = 100.0  # their size
BEGIN = f'{{"format": "{FORMAT}"'.encode()
DIGITS = 4


def read_prior(path: Path, features: int) -> str:
    """Return the weights of a prior as JSON.

    Args:
        path: The file.
        features: The largest number that a feature may have.
    """
    try:
        said = read_json(path)
    except (OSError, ValueError) as error:
        raise ConfigError(f"The prior {str(path)!r} cannot be read: {reason_of(error)}.") from error
    if not isinstance(said, dict) or said.get("format") != FORMAT:
        raise ConfigError(
            f"{str(path)!r} is no prior of this version: make one with 'lodehound learn-prior DIR'."
        )
    if not _is_usable(weights := said.get("weights"), features):
        raise ConfigError(
            f"The prior {str(path)!r} is damaged: make it again with 'lodehound learn-prior DIR'."
        )
    return json.dumps(weights)


def write_prior(path: Path, lessons: Lessons, *, crawls: int, force: bool = False) -> None:
    """Write a prior; replace only an earlier one, unless it is forced."""
    weights = {name: [round(one, DIGITS) for one in row] for name, row in lessons.items()}
    text = json.dumps({"format": FORMAT, "crawls": crawls, "weights": weights})
    refuse_crawl(path)
    try:
        if not force:
            refuse_strange(path, BEGIN, "prior")
        with replaced(path) as new:
            new.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise output_error(path, error) from error


def _is_usable(said: object, features: int) -> bool:
    return isinstance(said, Mapping) and all(
        isinstance(feature, str)
        and feature.isascii()
        and feature.isdecimal()
        and len(feature) < 10
        and 0 < int(feature) <= features
        and isinstance(weights, list)
        and len(weights) == NUMBERS
        and all(isinstance(one, int | float) and abs(one) <= MOST for one in weights)
        for feature, weights in said.items()
    )
