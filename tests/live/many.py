"""Many commands in one process, for those that are over at once: starting it is what takes time.

``python -m tests.live.many`` reads a JSON list of commands, each a list of words, and writes a
JSON list of exit codes, outputs and complaints.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout

from lodehound.cli import main


def outcome(words: Sequence[str]) -> tuple[int, str, str]:
    """Run one command line; return what a shell would see of it."""
    sys.argv = ["lodehound", *words]
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))  # some write bytes
    code = 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
    return code, _text(out), _text(err)


def _text(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()


if __name__ == "__main__":
    json.dump([outcome(words) for words in json.load(sys.stdin)], sys.stdout)
