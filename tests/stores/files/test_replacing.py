"""Names of what is not yet whole: whoever was killed leaves nothing for ever."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from lodehound.core.errors import ConfigError
from lodehound.stores.files import replacing
from lodehound.stores.files.replacing import OLD, beside, refuse_strange, remove_dead, replaced

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs signals")


@pytest.fixture
def dead() -> int:
    """The number of a process that has ended."""
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    return ended.pid


def test_only_leftovers_of_the_dead_under_the_same_name_are_removed(
    tmp_path: Path, dead: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.csv"
    living, other = beside(path), beside(tmp_path / "y.csv")
    with monkeypatch.context() as patched:
        patched.setattr(os, "getpid", lambda: dead)
        file, folder = beside(path), beside(path)
        others = beside(tmp_path / "y.csv")
        old = path.with_name(beside(path).name + OLD)
        patched.setattr(replacing, "_here", lambda: "elsewhe")
        elsewhere = beside(path)
    stay = [living, other, others, old, elsewhere, tmp_path / ".x.csv.3c167263"]
    for place in [file, *stay]:
        place.write_text("")
    (folder / "files").mkdir(parents=True)
    with replaced(path) as temporary:
        temporary.write_text("new")
    assert sorted(tmp_path.iterdir()) == sorted([path, *stay])
    remove_dead(path, OLD)
    assert not old.exists()


def test_a_name_of_any_length_has_room_for_another_beside_it(tmp_path: Path) -> None:
    path = tmp_path / ("\u65e5" * 84)
    with replaced(path) as temporary:
        temporary.write_text("new")
    assert path.read_text() == "new"


def test_a_pipe_or_device_is_never_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    refuse_strange(pipe, b"x", "file")  # does not wait for a writer
    said = r"'.*/pipe' is a device or a pipe: name a file\."
    with pytest.raises(ConfigError, match=said), replaced(pipe) as temporary:
        temporary.write_text("new")
    assert pipe.is_fifo()
    assert list(tmp_path.iterdir()) == [pipe]
