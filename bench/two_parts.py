"""Measures two parts of a job in a child process each: neither finds anything warm but the disk."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

Part = Callable[[argparse.Namespace], dict[str, Any]]


def run_parts(module: str, parser: argparse.ArgumentParser, **parts: Part) -> None:
    """Run the parts one after another in one folder, and print their figures.

    Args:
        module: The one that calls this when it is run.
        parser: Its options.
        parts: By name, in their order; each gets the options, with ``folder``.
    """
    parser.add_argument("--json", type=Path, help="write the figures as JSON")
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--part", choices=parts, help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.part:
        print(json.dumps(parts[told.part](told)))
        return
    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for part in parts:
            command = [sys.executable, "-m", module, *sys.argv[1:]]
            command += ["--part", part, "--folder", f"{folder}/crawl"]
            done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
            figures |= json.loads(done.stdout)
    for name, value in figures.items():
        print(f"{name:32} {value:>12}")
    if told.json:
        told.json.write_text(json.dumps(figures) + "\n")
