"""The command line. Every command calls one public function."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
import traceback
import warnings
from pathlib import Path
from typing import NoReturn

from lodehound.core.errors import NO_THREAD, LodehoundError, reason_of, without_secrets

WIDEST = 1000  # columns of a terminal that are used
LONGEST = 200  # characters of a file's name that are shown
TRACEBACK = "LODEHOUND_TRACEBACK"  # a variable of the environment
LONGEST_LINE, END = 2000, 300  # characters of a message, and of its end if it is longer


def main() -> None:
    """Run the command line; print an error as one line and exit with its code."""
    try:
        _run()
    except KeyboardInterrupt:  # before a command began
        raise SystemExit(130) from None
    except Exception as error:  # whatever a bug raises
        if os.environ.get(TRACEBACK):
            raise
        sys.stderr.write(f"lodehound: {_short(_bug(error))}\n")
        raise SystemExit(1) from None


def _run() -> None:
    _open_standard_files()
    _allow_warnings()
    from lodehound.cli.group import ReaderGoneError
    from lodehound.cli.program import command_line

    if (width := os.environ.get("COLUMNS", "")).isdecimal() and int(width[:9]) > WIDEST:
        os.environ["COLUMNS"] = str(WIDEST)  # lines are filled up to it
    elif width.isdecimal() and not int(width):
        del os.environ["COLUMNS"]  # a table of no width shows nothing
    try:
        command_line()()
    except LodehoundError as error:
        sys.stderr.write(f"lodehound: {_short(str(error))}\n")
        raise SystemExit(error.exit_code) from None
    except ReaderGoneError:
        _print_no_more()
        raise SystemExit(141) from None  # as shells say it
    except OverflowError:  # the database takes numbers up to 2^63
        sys.stderr.write("lodehound: A number is too large: give a smaller one.\n")
        raise SystemExit(2) from None
    except OSError as error:
        _explain(error)
    except RuntimeError as error:
        cause = error.__context__
        if isinstance(cause, OSError) and cause.errno == errno.ELOOP:
            _explain(cause)  # Path.resolve() before Python 3.13
        if str(error) != NO_THREAD:
            raise
        _explain(OSError(errno.EAGAIN, NO_THREAD))


def _bug(error: Exception) -> str:
    """Return a line for a bug report: the error and its place in the code."""
    *_, (frame, line) = traceback.walk_tb(error.__traceback__)
    place = f"{Path(frame.f_code.co_filename).name}:{line}"
    return (
        f"A bug of Lodehound or of a plug-in: {type(error).__name__}: {error} ({place}). "
        f"Please report it with what {TRACEBACK}=1 shows in addition."
    )


def _print_no_more() -> None:
    """Drop the rest of the output: it would fail again while Python exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _short(message: str) -> str:
    """Return a message as one line of bearable length that keeps its end: the way out."""
    line = " ".join(filter(None, map(str.strip, message.splitlines())))  # names keep their spaces
    line = without_secrets(line)
    if not line.isprintable():  # bytes of a file's name that are no text are escaped later
        line = "".join(c if c.isprintable() or "\ud800" <= c <= "\udfff" else " " for c in line)
    if len(line) > LONGEST_LINE:
        line = f"{line[: LONGEST_LINE - END]} … {line[-END:]}"
    return line


def _explain(error: OSError) -> NoReturn:
    """Print what the system refuses, and end with the exit code for it."""
    from lodehound.stores.errors import FULL

    if error.errno in FULL:
        _print_no_more()
        line, code = f"the output cannot be written: {reason_of(error)}", 5
    elif error.filename is None:  # too many open files, no temporary folder, a disk that fails
        line, code = f"the system refuses to go on: {error.strerror or error}.", 1
        _end_quietly()
    else:
        name = os.fsdecode(error.filename) if isinstance(error.filename, bytes) else error.filename
        shown = name if len(str(name)) <= LONGEST else f"{str(name)[:LONGEST]}..."
        line, code = f"{shown!r} cannot be used: {error.strerror or error}.", 2
    with contextlib.suppress(OSError):  # the line itself may be what cannot be written
        sys.stderr.write(f"lodehound: {line}\n")
    raise SystemExit(code) from None


def _end_quietly() -> None:
    """Drop what Python prints of objects that were left half made."""
    warnings.simplefilter("ignore")
    sys.unraisablehook = lambda _: None


def _allow_warnings() -> None:
    """Ignore warnings of libraries where warnings are errors, also in child processes."""
    if any(option.startswith("e") for option in sys.warnoptions):  # "error" may be shortened
        warnings.simplefilter("ignore")
        sys.warnoptions[:] = ["ignore"]
        os.environ["PYTHONWARNINGS"] = "ignore"


def _open_standard_files() -> None:
    """Replace standard files that are closed: the next file opened would get what is printed."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            # The lowest number that is free is that of the closed file.
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))
    for stream in (sys.stdout, sys.stderr):
        # Names of files may be no text, and a terminal may know few letters.
        if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="backslashreplace")
