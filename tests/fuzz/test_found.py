"""Inputs that once crashed or held a reader are read without harm."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import pytest

from tests.fuzz.mutations import mutated
from tests.fuzz.readers import READERS

FOUND = sorted(path for path in Path(__file__).with_name("found").rglob("*") if path.is_file())


@pytest.mark.parametrize("path", FOUND, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_what_fuzzing_found(path: Path) -> None:
    """Large inputs are packed: a page of 500 KB that took 89 s has less than one."""
    body = path.read_bytes()
    if path.suffix == ".gz":
        body = gzip.decompress(body)
    READERS[path.parent.name].read(body)


@pytest.mark.parametrize("name", READERS)
def test_a_few_mutations_of_every_kind(name: str) -> None:
    reader, rng = READERS[name], random.Random(1)
    for body in reader.seeds():
        reader.read(body)
        for _ in range(5):
            reader.read(mutated(body, rng))
