"""Fuzzes one reader: ``python -m tests.fuzz.child READER SECONDS FOLDER SEED``.

With atheris the mutations are guided by coverage. Without it, they are random, and the input at
hand is always in ``FOLDER/current``, so that the parent can keep it if this process dies.
"""

from __future__ import annotations

import importlib.util
import random
import sys
import time
from pathlib import Path

from tests.fuzz.mutations import mutated

LIMIT = 20  # seconds for one input
MEMORY = 3000  # MB


def main() -> None:
    name, seconds, folder, seed, *plain = sys.argv[1:]
    if importlib.util.find_spec("atheris") and not plain:
        _guided(name, int(seconds), Path(folder), int(seed))
    else:
        _random(name, int(seconds), Path(folder), int(seed))


def _guided(name: str, seconds: int, folder: Path, seed: int) -> None:
    import atheris  # type: ignore[import-not-found,import-untyped,unused-ignore] # noqa: PLC0415

    with atheris.instrument_imports(include=["lodehound"]):
        from tests.fuzz.readers import READERS  # noqa: PLC0415
    reader = READERS[name]
    corpus = folder / "corpus"
    corpus.mkdir(exist_ok=True)
    for number, body in enumerate(reader.seeds()):
        (corpus / f"seed-{number}").write_bytes(body)

    def one(body: bytes) -> None:
        reader.read(body)

    flags = [f"-max_total_time={seconds}", f"-timeout={LIMIT}", f"-rss_limit_mb={MEMORY}"]
    flags += [f"-artifact_prefix={folder}/", f"-seed={seed}", "-max_len=65536", "-verbosity=0"]
    atheris.Setup([sys.argv[0], *flags, "-print_final_stats=1", str(corpus)], one)
    atheris.Fuzz()


def _random(name: str, seconds: int, folder: Path, seed: int) -> None:
    from tests.fuzz.readers import READERS  # noqa: PLC0415

    reader, rng = READERS[name], random.Random(seed)
    seeds = reader.seeds()
    end, count = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        body = mutated(rng.choice(seeds), rng)
        (folder / "current").write_bytes(body)
        reader.read(body)
        count += 1
    (folder / "current").unlink(missing_ok=True)
    sys.stderr.write(f"stat::number_of_executed_units: {count}\n")


if __name__ == "__main__":
    main()
