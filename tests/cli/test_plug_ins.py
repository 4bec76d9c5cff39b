"""Commands that installed packages bring."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PACKAGE = "print('imported')\n\ndef hello(name: str) -> None:\n    print(f'hello {name}')\n"
ENTRIES = """[lodehound.command]
hello = greeting:hello
crawl = greeting:hello
broken = no_such_package:command
"""


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command with a package installed in a folder."""
    code = f"import sys; sys.path.append({str(folder)!r}); import lodehound.cli as c; c.main()"
    return subprocess.run(
        [sys.executable, "-P", "-c", code, *arguments], capture_output=True, text=True, check=False
    )


def test_an_installed_package_adds_commands(tmp_path: Path) -> None:
    """Under names that are free; one that cannot be loaded hides no other, our own need none."""
    (tmp_path / "greeting.py").write_text(PACKAGE)
    (tmp_path / "greeting-1.dist-info").mkdir()
    (tmp_path / "greeting-1.dist-info" / "METADATA").write_text("Name: greeting\nVersion: 1\n")
    (tmp_path / "greeting-1.dist-info" / "entry_points.txt").write_text(ENTRIES)

    hello, crawl = run(tmp_path, "hello", "world"), run(tmp_path, "crawl", "world")
    broken, ours = run(tmp_path, "broken"), run(tmp_path, "targets")

    assert (hello.returncode, hello.stdout) == (0, "imported\nhello world\n")
    assert (crawl.returncode, crawl.stdout) == (2, "")
    assert (ours.returncode, "imported" in ours.stdout) == (0, False)
    assert (broken.returncode, broken.stdout) == (2, "imported\n")
    assert broken.stderr == (
        "lodehound: The command 'broken' (no_such_package:command) cannot be loaded: "
        "ModuleNotFoundError(\"No module named 'no_such_package'\").\n"
    )
