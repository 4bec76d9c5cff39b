"""The memory that a page takes: of one of 100 MB, the most that is kept of a response."""

from __future__ import annotations

import subprocess
import sys

import pytest

MOST = 600  # MiB, those of the program and of the page itself included
READ = """
import sys
from lodehound.core.link import Link
from lodehound.core.messages import Answer, Ask
from lodehound.read.page import read_page
head, fill = (eval(text) for text in sys.argv[1:])
body = head + fill * ((100_000_000 - len(head)) // len(fill))
answer = Answer(Ask(1, "https://s.example/"), 200, "text/html", body, len(body))
page = read_page(answer, Link("https://s.example/"))
with open("/proc/self/status") as status:
    [peak] = [int(line.split()[1]) for line in status if line.startswith("VmHWM")]
print(len(page.links), page.cut, peak // 1024)
"""
HEAD = b"<a href=/x.csv>x</a>"
FILLS = [b"\0", b"\x80", b"a b ", "€".encode(), "🌍".encode(), b"<p>a", b"<p t=\0>", b"\x01"]
FILLS += [b"<p a b c d e f g h i j k l m n o>", b"<p title='a b c d e f g h i j k l m n o'>"]


def read(head: bytes, fill: bytes) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", READ, repr(head), repr(fill)],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return done.stdout.split()


@pytest.mark.skipif(sys.platform != "linux", reason="the peak is in /proc")
@pytest.mark.soak
@pytest.mark.parametrize("head", [HEAD, HEAD + "🌍".encode(), HEAD + b"<script>"])
@pytest.mark.parametrize("fill", FILLS)
def test_no_page_takes_much_more_than_half_a_gigabyte(head: bytes, fill: bytes) -> None:
    links, cut, megabytes = read(head, fill)
    assert (links, cut) == ("1", "True")
    assert int(megabytes) <= MOST


@pytest.mark.skipif(sys.platform != "linux", reason="the peak is in /proc")
@pytest.mark.parametrize("fill", [b"\0", b"<p a b c d e f g h i j k l m n o>"])
def test_what_packs_well_takes_little(fill: bytes) -> None:
    """The parser takes eighteen times as much for zeros, and a hundred times for attributes."""
    links, cut, megabytes = read(HEAD, fill)
    assert (links, cut) == ("1", "True")
    assert int(megabytes) <= MOST
