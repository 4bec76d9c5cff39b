"""Commands that run in forks of a process that has imported Lodehound: importing takes time.

``python -m tests.prefork FD`` serves commands; ``run_in_fork`` sends it one. The command is a
process of its own with the environment and the directory of the test, as if it had been typed.
"""

from __future__ import annotations

import atexit
import functools
import gc
import importlib
import io
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import redirect_stderr, suppress
from pathlib import Path

ROOT = Path(__file__).parents[1]
IMPORTED = [
    "lodehound.cli.program",
    "lodehound.cli.live",
    "lodehound.assembly.starting",
    "lodehound.drivers.live.assemble",
    "lodehound.drivers.live.browser",
    "lodehound.drivers.live.example_pages",
    "lodehound.drivers.live.engine",
    "lodehound.policies.lodehound",
]
COMMANDS = ["export", "list", "repair", "report", "resume", "status", "update"]
LONGEST = 1 << 17  # bytes of a command with its environment


def run_in_fork(
    words: Sequence[str], seconds: float, folder: Path = Path()
) -> tuple[int, str, str]:
    """Run a command to its end; return its exit code, its output and its complaints."""
    command = {"words": words, "env": dict(os.environ), "cwd": str(folder.absolute())}
    message = json.dumps(command).encode()
    ours, theirs = socket.socketpair()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, ours:
        with theirs:
            files = [out.fileno(), err.fileno(), theirs.fileno()]
            socket.send_fds(_server(), [message], files)
        ours.settimeout(seconds)
        with ours.makefile() as replies:
            pid = int(replies.readline())
            try:
                code = int(replies.readline())
            except TimeoutError:
                os.kill(pid, signal.SIGKILL)
                raise
        return code, _text(out.fileno()), _text(err.fileno())


def _text(file: int) -> str:
    os.lseek(file, 0, os.SEEK_SET)
    with open(file, closefd=False, encoding="utf-8") as stream:
        return stream.read()


@functools.cache
def _server() -> socket.socket:
    """Start the server, which ends with this process; return the socket for commands."""
    ours, theirs = socket.socketpair(type=socket.SOCK_SEQPACKET)
    with theirs:
        server = subprocess.Popen(
            [sys.executable, "-m", __name__, str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            cwd=ROOT,
        )
    atexit.register(server.wait)
    atexit.register(ours.close)  # called first
    return ours


def main() -> None:
    commands = socket.socket(fileno=int(sys.argv[1]))
    _import_all()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        message, files, _, _ = socket.recv_fds(commands, LONGEST, 3)
        if not message:
            return
        if os.fork() == 0:
            commands.close()
            _run(json.loads(message), *files)
            return
        for file in files:
            os.close(file)


def _import_all() -> None:
    """Import what commands need; each imports its own modules before it finds no crawl."""
    for name in IMPORTED:
        importlib.import_module(name)
    with redirect_stderr(io.StringIO()):
        for command in COMMANDS:
            with suppress(SystemExit):
                sys.argv = ["lodehound", command, os.devnull]
                importlib.import_module("lodehound.cli").main()
    gc.freeze()  # else every fork copies all of this when it collects garbage


def _run(command: dict[str, object], out: int, err: int, reply: int) -> None:
    """Run a command in a process of its own, which ends as if nothing else had been before."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    pid = os.fork()
    if pid:
        os.write(reply, f"{pid}\n".encode())
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        os.write(reply, f"{code}\n".encode())
        os._exit(0)
    os.dup2(out, 1)
    os.dup2(err, 2)
    for file in (out, err, reply):
        os.close(file)
    words, env, cwd = command["words"], command["env"], command["cwd"]
    assert isinstance(words, list)
    assert isinstance(env, dict)
    os.environ.clear()
    os.environ.update(env)
    os.chdir(str(cwd))
    tempfile.tempdir = None
    sys.argv = ["lodehound", *words]
    runpy.run_module("lodehound", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
