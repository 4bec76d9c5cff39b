"""The house rules of CONTRIBUTING.md that can be counted."""

from __future__ import annotations

import ast
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("lodehound", "tests", "bench", "examples")
MAX_FILE = 400
MAX_FUNCTION = 60
MAX_SCRIPT_LINE = 400  # characters: minified scripts have far longer ones


def sources(*folders: str) -> Iterator[tuple[str, str]]:
    """Yield the path and the text of every Python file."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")


def nodes(*folders: str) -> Iterator[tuple[str, ast.AST]]:
    for path, text in sources(*folders):
        for node in ast.walk(ast.parse(text)):
            yield path, node


def body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Count the lines of a body; signature (a command's options) and docstring are free."""
    skipped = ast.get_docstring(function, clean=False) is not None
    body = function.body[skipped:]
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def test_a_public_class_has_a_name_of_its_own() -> None:
    places = defaultdict(list)
    for path, node in nodes("lodehound"):
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            places[node.name].append(path)

    assert {name: paths for name, paths in places.items() if len(paths) > 1} == {}


def test_files_are_short() -> None:
    lengths = {path: len(text.splitlines()) for path, text in sources(*FOLDERS)}

    assert {path: lines for path, lines in lengths.items() if lines > MAX_FILE} == {}
    assert len(lengths) > 300  # the folders were found


def test_functions_are_short() -> None:
    lengths = {
        f"{path}: {node.name}": body_lines(node)
        for path, node in nodes(*FOLDERS)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }

    assert {name: lines for name, lines in lengths.items() if lines > MAX_FUNCTION} == {}


def test_serial_tests_are_marked_in_their_own_files() -> None:
    """``make test`` finds them by the word."""
    marked = [path for path, text in sources("tests") if "mark.serial" in text]

    assert [path for path in marked if not path.rpartition("/")[2].startswith("test_")] == []
    assert len(marked) > 5


def test_ci_runs_every_python_version_that_the_package_names() -> None:
    named = re.findall(r"Python :: (3\.\d+)", (ROOT / "pyproject.toml").read_text())
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text()

    assert f"python: {named}".replace("'", '"') in workflow


def test_nothing_that_was_bundled_is_kept() -> None:
    """Other people's scripts come with packages, when the project or its tests are installed."""
    built = {".zip", ".whl", ".jar", ".wasm", ".woff", ".woff2", ".map", ".tgz"}
    tracked = _tracked()
    bundled = [path for path in tracked if path.suffix in built or ".min." in path.name]
    scripts = [path for path in tracked if path.suffix in {".js", ".mjs", ".css", ".jsx"}]

    assert bundled == []
    assert [path for path in scripts if _longest_line(path) > MAX_SCRIPT_LINE] == []
    assert len(scripts) > 5  # they were found


def _tracked() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode:
        pytest.skip("this is no clone: nothing says which files are tracked")
    return [Path(line) for line in listed.stdout.splitlines() if (ROOT / line).is_file()]


def _longest_line(path: Path) -> int:
    lines = (ROOT / path).read_text(encoding="utf-8").splitlines()
    return max(map(len, lines), default=0)
