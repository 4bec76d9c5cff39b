"""The command line. Every command is a thin call of one public function."""

from __future__ import annotations

import errno
import os
import sys

from lodehound.core.errors import LodehoundError


def main() -> None:
    """Run the command line; what the user did wrong is one line and an exit code."""
    from lodehound.cli.app import app

    try:
        app()
    except LodehoundError as error:
        sys.stderr.write(f"lodehound: {' '.join(str(error).split())}\n")
        raise SystemExit(error.exit_code) from None
    except BrokenPipeError:
        sys.stderr.close()  # whoever read our output has gone: nothing is left to say
        raise SystemExit(141) from None
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        sys.stderr.write(f"lodehound: the output cannot be written: {error}\n")
        # What is still in the buffer would fail again while Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(5) from None
