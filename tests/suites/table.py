"""Prints the table of docs/research/reliability.md: ``python -m tests.suites.table``."""

from __future__ import annotations

import sys
from collections import defaultdict

from tests.suites import load
from tests.suites.reasons import NOT_HELD

SUBJECTS = {
    "urls": "URLs (WHATWG)",
    "html": "HTML tree construction: the links found",
    "charsets": "character sets of pages",
    "rdf": "Turtle, N-Triples, N-Quads, TriG",
    "rdfxml": "RDF/XML",
    "jsonld": "JSON-LD to RDF",
    "microformats": "microformats, both versions",
    "rdfa": "RDFa",
    "microdata": "microdata",
    "robots": "robots.txt",
    "sitemaps": "sitemaps and feeds",
    "warc": "WARC: JWAT, jwarc, warcio",
    "csv": "CSV",
    "messy": "CSV: messy tables",
    "naughty": "naughty strings",
}


def table() -> str:
    """Return the suites with their numbers of cases, and the cases that do not hold."""
    lines = ["| suite | edition | cases | held |", "|---|---|---|---|"]
    notes = []
    for name, subject in SUBJECTS.items():
        suite, listed = load(name), NOT_HELD.get(name, {})
        held = len(suite.cases) - len(listed)
        link = f"[{subject}]({suite.source.partition(' ')[0]})"
        lines.append(f"| {link} | {suite.version} | {len(suite.cases)} | {held} |")
        by_reason = defaultdict(list)
        for case, reason in listed.items():
            by_reason[reason].append(case)
        for reason, cases in by_reason.items():
            notes.append(f"- {subject}: {reason} ({', '.join(sorted(cases))}).")
    return "\n".join([*lines, "", "Not held, with the reason:", "", *notes])


if __name__ == "__main__":
    sys.stdout.write(table() + "\n")
