"""docs/architecture.md draws the code that is there: its states, files, classes and methods."""

from __future__ import annotations

import ast
import re
import runpy
import threading
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import FrameType

import lodehound
from lodehound.api import CrawlRun
from lodehound.config import CrawlConfig
from lodehound.sites.server import SiteServer
from lodehound.stores.records import Record

PACKAGE = Path(lodehound.__file__).parent
DOCS = PACKAGE.parent / "docs"
TEXT = (DOCS / "architecture.md").read_text(encoding="utf-8")
# A step of a drawing: a file, and the functions of it that are called.
STEP = re.compile(r"^ *((?:\w+/)*\w+\.py) +(.*?)(?: {2,}.*)?$", re.MULTILINE)


def test_the_states_are_those_of_the_table() -> None:
    """Made by python docs/make_lives.py."""
    made = runpy.run_path(str(DOCS / "make_lives.py"))["page"](TEXT)
    assert made == TEXT


def test_every_file_that_the_page_names_exists() -> None:
    root = PACKAGE.parent
    paths = set(re.findall(r"(?<![\w./])((?:\w+/)+\w+\.py|(?:\w+/)+(?=`| ))", TEXT))
    missing = [path for path in paths if not _exists(root, path)]

    assert len(paths) > 40
    assert missing == []


def _exists(root: Path, path: str) -> bool:
    places = (root / path, PACKAGE / path, PACKAGE / "stores" / path)
    return any(place.exists() for place in places)


def test_every_method_that_the_page_names_exists() -> None:
    named = set(re.findall(r"(?<![\w.])([A-Z]\w+)\.([a-z_]\w*)", TEXT))
    missing = [f"{name}.{attribute}" for name, attribute in named if attribute not in _of(name)]

    assert len(named) > 40
    assert missing == []


def test_every_function_of_a_drawing_is_in_its_file() -> None:
    called = [
        (path, name)
        for path, calls in STEP.findall(TEXT)
        for name in re.findall(r"(?<![\w.])([a-z_]\w*)\(", calls)
    ]

    assert len(called) > 8
    assert [(path, name) for path, name in called if name not in _names(PACKAGE / path)] == []


@cache
def _names(path: Path) -> set[str]:
    """Return the functions, classes and methods of a file."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return {node.name for node in ast.walk(_tree(path)) if isinstance(node, kinds)}


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def _classes() -> dict[str, list[ast.ClassDef]]:
    classes = defaultdict(list)
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(_tree(path)):
            if isinstance(node, ast.ClassDef):
                classes[node.name].append(node)
    return classes


def _of(name: str) -> set[str]:
    """Return the methods and attributes of a class and of its bases."""
    return {attribute for node in _classes().get(name, ()) for attribute in _attributes(node)}


def _attributes(node: ast.ClassDef) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
            yield part.name
        elif isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            yield part.target.id
        elif isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store):
            yield part.attr
    for base in node.bases:
        if isinstance(base, ast.Name):
            yield from _of(base.id)


# Steps that a page which is answered at once does not pass, and those of other classes.
NOT_ALWAYS = {"worth_a_retry", "Responses.keep", "Target.judge", "Policy.learn", "Watcher.stepped"}


def test_a_live_request_passes_the_methods_in_the_order_of_its_drawing(tmp_path: Path) -> None:
    drawing = TEXT.partition("Then, for every request:")[2].split("```")[1]
    drawn = re.findall(r"(?<![\w.])((?:[A-Z]\w+\.)?[a-z_]\w*)\(", drawing)
    steps = [name for name in drawn if name not in NOT_ALWAYS and not name.startswith("Live.run")]
    calls = calls_of_a_request(tmp_path)
    at = 0
    for name in steps:
        assert name in calls[at:], f"{name} is not called after {steps[: steps.index(name)]}"
        at = calls.index(name, at) + 1

    assert len(steps) > 15


def calls_of_a_request(folder: Path) -> list[str]:
    """Return what is called from one look for work that brings a request to the next."""
    calls: list[str] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and str(PACKAGE) in frame.f_code.co_filename:
            calls.append(frame.f_code.co_qualname)

    pages = [
        Record(f"http://s.example/{at or ''}", 200, "text/html", f"<a href=/{at + 1}>".encode())
        for at in range(6)
    ]
    with SiteServer(pages) as server:
        config = CrawlConfig(urls=(server.url,), policy="bfs", delay=0.0, concurrency=1)
        threading.setprofile(note)
        try:
            with CrawlRun(config, folder / "crawl") as run:
                run.wait()
        finally:
            threading.setprofile(None)
    sent = [at for at, name in enumerate(calls) if name == "Session._send"]
    looks = [at for at, name in enumerate(calls) if name == "Session.next_task"]
    before = [max(look for look in looks if look < at) for at in sent]
    return calls[before[3] : before[4]]


# What begins a statement of SQL, and rooms that may hold some: the stores, what reads foreign
# databases that were found, and what writes tables to databases.
SQL = re.compile(
    r"\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|PRAGMA|WITH|REPLACE|ATTACH)\s|\bFROM \w+"
)
WITH_SQL = ("stores", "inspect", "tables")


def test_sql_is_in_the_stores_only() -> None:
    found = [
        f"{path.relative_to(PACKAGE)}:{node.lineno}"
        for path in PACKAGE.rglob("*.py")
        if path.relative_to(PACKAGE).parts[0] not in WITH_SQL
        for node in ast.walk(_tree(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and SQL.match(node.value)
    ]

    assert SQL.match("SELECT number FROM finds")
    assert found == []
