"""Runs the fuzzers one after another: ``python -m tests.fuzz --seconds 600 [--reader html]``.

Inputs that crash, hang or raise are kept in ``tests/fuzz/found/READER``; ``make test`` reads all of
them again.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.fuzz.child import LIMIT
from tests.fuzz.readers import READERS

FOUND = Path(__file__).with_name("found")
MOST_FOUND = 5  # inputs of one reader; then there is enough to mend
UNITS = re.compile(r"stat::number_of_executed_units: +(\d+)")


def main() -> int:
    parser = argparse.ArgumentParser(prog="make fuzz")
    parser.add_argument("--seconds", type=int, default=600, help="for each reader")
    parser.add_argument("--reader", choices=sorted(READERS), action="append")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--plain", action="store_true", help="without atheris")
    given = parser.parse_args()
    failed = 0
    for name in given.reader or READERS:
        inputs, kept = fuzz(name, given.seconds, given.seed, plain=given.plain)
        failed += bool(kept)
        sys.stdout.write(f"{name:10} {inputs:>12,} inputs  {', '.join(kept) or 'clean'}\n")
        sys.stdout.flush()
    return 1 if failed else 0


def fuzz(name: str, seconds: int, seed: int, *, plain: bool) -> tuple[int, list[str]]:
    """Fuzz one reader; return the number of inputs and the names of those that are kept."""
    end, inputs, kept = time.monotonic() + seconds, 0, list[str]()
    with tempfile.TemporaryDirectory() as folder:
        while (left := int(end - time.monotonic())) > 0 and len(kept) < MOST_FOUND:
            words = [name, str(left), folder, str(seed + len(kept)), *(["plain"] if plain else [])]
            code, said = _run(words, Path(folder), left)
            inputs += sum(map(int, UNITS.findall(said)))
            if code == 0:
                break
            kept += _keep(name, Path(folder), said)
    return inputs, kept


def _run(words: list[str], folder: Path, left: int) -> tuple[int, str]:
    """Run a child to its end; kill it if an input takes too long."""
    with tempfile.TemporaryFile() as said:
        child = subprocess.Popen(
            [sys.executable, "-m", "tests.fuzz.child", *words],
            stdout=subprocess.DEVNULL,
            stderr=said,
        )
        end = time.monotonic() + left + 4 * LIMIT
        while child.poll() is None and time.monotonic() < end and not _hangs(folder / "current"):
            time.sleep(0.2)
        child.kill()
        child.wait()
        said.seek(0)
        return child.returncode, said.read().decode("utf-8", "replace")


def _hangs(current: Path) -> bool:
    try:
        return time.time() - current.stat().st_mtime > LIMIT
    except OSError:
        return False


def _keep(name: str, folder: Path, said: str) -> list[str]:
    """Keep the inputs that ended a child, and say why."""
    made = [path for path in folder.iterdir() if path.is_file()]
    FOUND.joinpath(name).mkdir(parents=True, exist_ok=True)
    kept = []
    for path in made:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
        shutil.move(path, FOUND / name / digest)
        kept.append(digest)
    if kept:
        (folder.parent / f"fuzz-{name}-{kept[-1]}.log").write_text(said)
    return kept


if __name__ == "__main__":
    sys.exit(main())
