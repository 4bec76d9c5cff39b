"""Without an extra, every command works or names the extra it needs, in one line."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
import typer

from lodehound.cli.fleet_command import fleet_app
from lodehound.cli.program import app
from lodehound.extras import NEEDED_BY
from lodehound.stores.records import Record
from lodehound.stores.warc import write_warc
from tests.helpers import ROOT

PROJECT = Path(__file__).parents[2] / "pyproject.toml"
EXTRAS: dict[str, list[str]] = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"][
    "optional-dependencies"
]
del EXTRAS["all"]

# Every command, and the extra it needs. CRAWL and RDF are crawl directories, SITE is a recorded
# site; the server to be recorded does not answer, so that ends with 3.
COMMANDS = {
    "crawl --replica SITE --out NEW1": "live",
    "resume RESUMED": "live",
    "update RESUMED --requests 1": "live",
    "repair CRAWL": "",
    "shortcuts": "",
    "record http://127.0.0.1:1/ --out NEW.warc.gz --retries 0 --backoff 0": "live",
    "status CRAWL": "",
    "search figures CRAWL": "",
    f"show CRAWL {ROOT}a.csv": "",
    f"cite CRAWL {ROOT}a.csv": "",
    "sql CRAWL TABLES": "sql",
    "list CRAWL": "",
    "list CRAWL --json": "",
    "export CRAWL --to csv --output NEW.csv": "",
    "export CRAWL --to jsonl --output NEW.jsonl": "",
    "export CRAWL --to datapackage --output NEW2": "",
    "export CRAWL --to dcat --output NEW.ttl": "",
    "export RDF --to nquads --output NEW.nq": "rdf",
    "export CRAWL --to ro-crate --output NEW3": "",
    "export RDF --to void --output NEW.void.ttl": "",
    "export CRAWL --to warc --output NEW2.warc.gz": "",
    "export CRAWL --to sqlite --output NEW.sqlite": "",
    "export CRAWL --to duckdb --output NEW.duckdb": "sql",
    "export CRAWL --to parquet --output NEW.parquet": "export",
    "export CRAWL --to csv --contexts NEW4 --output NEW2.csv": "live",
    "diff CRAWL CRAWL": "",
    "report CRAWL --output NEW.html": "report",
    "receipt CRAWL --output NEW9.html": "report",
    "receipt CRAWL --json": "",
    f"explain CRAWL {ROOT}": "",
    "skipped CRAWL": "",
    "race SITE --policy bfs --seeds 1 --cache NEW5": "",
    "race SITE --policy bfs --seeds 1 --cache NEW5 --curves NEW2.html": "lab",
    "race SITE --policy bfs --seeds 1 --cache NEW5 --want topic:apples": "topics",
    "race SITE --policy bfs --seeds 1 --cache NEW5 --want rdf": "rdf",
    "race SITE --policy rdf-batch --seeds 1 --cache NEW5": "lab",
    "check bfs": "",
    "check rdf": "rdf",
    "check topic:apples": "topics",
    "ui NOWHERE": "ui",  # it ends at once: there is no such folder
    "policies": "",
    "targets": "",
    "demo": "",
    "fleet LIST --replica SITE --out NEW7 --jobs 1 --quiet": "live",
    "fleet resume FLEET --jobs 1 --quiet": "live",
    "fleet update FLEET --jobs 1 --quiet": "live",
    "fleet status FLEET": "",
    "fleet list FLEET": "",
    "fleet export FLEET --to csv --output NEW3.csv": "",
    "fleet export FLEET --to parquet --output NEW2.parquet": "export",
    "fleet report FLEET --output NEW8": "report",
    "fleet status memory://none": "cloud",  # there is no fleet
    "gate --floors NEW6": "",  # it ends at once: there are no floors to hold anything to
}
RUN = "from tests.cli.without import main; main()"
ENDS = {"record": 3, "gate": 2, "ui": 2, "fleet status memory:": 2}
# One extra after the other takes a minute: in 'make soak', but for the one that most commands need.
MISSING = [
    (),
    ("live",),
    tuple(EXTRAS),
    *(pytest.param((name,), marks=pytest.mark.soak) for name in EXTRAS if name != "live"),
]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A recorded site, and crawls of it."""
    folder = tmp_path_factory.mktemp("made")
    page = b'<p>apples and pears <a href="a.csv">figures</a> <a href="b">more</a></p>'
    write_warc(
        folder / "site.warc.gz",
        [
            Record(ROOT, 200, "text/html", page),
            Record(ROOT + "a.csv", 200, "text/csv", b"year,value\n2020,1\n"),
            Record(ROOT + "b", 200, "text/turtle", b"<s> <p> <o> ."),
        ],
    )
    (folder / "list.txt").write_text(ROOT)
    names = {
        "SITE": "site.warc.gz", "CRAWL": "crawl", "RESUMED": "resumed", "RDF": "rdf",
        "FLEET": "fleet", "LIST": "list.txt",
    }  # fmt: skip
    places = {name: str(folder / file) for name, file in names.items()}
    places["TABLES"] = "from tables"
    crawls = [f"crawl --replica SITE --out {name}" for name in ("CRAWL", "RESUMED")]
    crawls.append("crawl --replica SITE --out RDF --want rdf")
    crawls.append("fleet LIST --replica SITE --out FLEET --jobs 1 --quiet")
    assert [code for code, _ in ends(crawls, (), places, folder)] == [0, 0, 0, 0]
    return places


@cache
def modules_of_packages() -> dict[str, list[str]]:
    modules: dict[str, list[str]] = defaultdict(list)
    for module, packages in packages_distributions().items():
        for package in packages:
            modules[package.lower()].append(module)
    return modules


def modules_of(extras: tuple[str, ...]) -> list[str]:
    """Return the modules that the packages of some extras bring."""
    modules = modules_of_packages()
    wanted = [re.split("[<>=]", text)[0].lower() for name in extras for text in EXTRAS[name]]
    # Ray is large and not in [all]: it may be missing anyway.
    assert all(modules[package] or package == "ray" for package in wanted)
    return [module for package in wanted for module in modules[package]]


def ends(
    commands: list[str], missing: tuple[str, ...], made: dict[str, str], folder: Path
) -> list[tuple[int, str]]:
    """Run the commands in one process that has not the packages of some extras."""
    parted = [[made.get(word, word) for word in command.split()] for command in commands]
    (folder / "sitecustomize.py").write_text("from tests.cli import without\nwithout.hide()\n")
    path = f"{folder}{os.pathsep}{PROJECT.parent}"
    done = subprocess.run(
        [sys.executable, "-c", RUN, json.dumps(parted)],
        cwd=folder,
        env={"PYTHONPATH": path, "WITHOUT": json.dumps(modules_of(missing))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return [(code, said) for code, said in json.loads(done.stdout)]


@pytest.mark.parametrize("missing", MISSING, ids=lambda names: "+".join(names) or "none")
def test_every_command_works_or_names_its_extra(
    missing: tuple[str, ...], made: dict[str, str], tmp_path: Path
) -> None:
    # The demo takes as long as all the others: it is tried without any extra.
    tried = [name for name in COMMANDS if name != "demo" or missing == tuple(EXTRAS)]
    # Two extras may bring the same package.
    gone = set(modules_of(missing))
    lacking = {name for name in EXTRAS if gone.intersection(modules_of((name,)))}
    for command, (code, said) in zip(tried, ends(tried, missing, made, tmp_path), strict=True):
        needed = COMMANDS[command]
        if needed in lacking:
            assert (code, len(said.strip().splitlines())) == (2, 1), (command, said)
            assert f"pip install 'lodehound[{needed}]'" in said, (command, said)
        else:
            ended = next((ENDS[start] for start in ENDS if command.startswith(start)), 0)
            assert code == ended, (command, said)
            assert "lodehound[" not in said, (command, said)


def test_every_command_is_tried() -> None:
    group = typer.main.get_group(app)
    known = {*group.list_commands(typer.Context(group))} - {"fleet"}
    known |= {f"fleet {command.name}" for command in fleet_app.registered_commands}
    tried = {command.replace("fleet LIST", "fleet run LIST") for command in COMMANDS}
    words = [command.split() for command in tried]
    assert {" ".join(some[: 1 + (some[0] == "fleet")]) for some in words} == known


def test_every_extra_says_what_it_is_for() -> None:
    """The extra for inspecting is never demanded: what cannot be read is noted with the find."""
    assert {*NEEDED_BY, "inspect"} == set(EXTRAS)
