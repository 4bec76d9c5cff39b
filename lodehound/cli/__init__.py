"""The command line. Every command is a thin call of one public function."""

from __future__ import annotations

import sys

from lodehound.core.errors import LodehoundError


def main() -> None:
    """Run the command line; what the user did wrong is one line and exit code 2."""
    from lodehound.cli.app import app

    try:
        app()
    except LodehoundError as error:
        sys.stderr.write(f"lodehound: {' '.join(str(error).split())}\n")
        raise SystemExit(2) from None
    except BrokenPipeError:
        sys.stderr.close()  # whoever read our output has gone: nothing is left to say
        raise SystemExit(141) from None
