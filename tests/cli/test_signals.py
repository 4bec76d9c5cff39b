"""A command that is ended from outside tidies up."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest

from lodehound.cli.signals import ENDING, tidy_end

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs signals")


@pytest.fixture(autouse=True)
def default_actions() -> Iterator[None]:
    """Begin as a shell starts a command: under nohup the tests themselves ignore SIGHUP."""
    before = {number: signal.signal(number, signal.SIG_DFL) for number in ENDING}
    yield
    for number, action in before.items():
        signal.signal(number, action)


def end_twice(number: signal.Signals, tidied: list[bool]) -> None:
    with tidy_end():
        try:
            os.kill(os.getpid(), number)
            pytest.fail("it went on")
        finally:
            os.kill(os.getpid(), number)  # the impatient press twice
            tidied.append(True)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_command_as_an_exception_would(number: signal.Signals) -> None:
    tidied: list[bool] = []
    with pytest.raises(SystemExit) as ended:
        end_twice(number, tidied)
    assert tidied
    assert ended.value.code == 128 + number
    assert signal.getsignal(number) is signal.SIG_DFL


def test_what_is_ignored_stays_so() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    with tidy_end():
        os.kill(os.getpid(), signal.SIGHUP)
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
