"""Figure 2 of the LDCOC paper on a recorded web: docs/research/ldcoc-results.md, written anew.

    python -m bench.ldcoc_tables [--corpora DIR] [--seeds N] [--rows FILE] [--no-features]

Documents found at equal budgets, for RDF documents and for pages with embedded RDF too,
and which features tell. Runs are kept in the file of ``--rows`` as they end.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from bench.pages import Plan, arguments, caption, made, parsed, table, today
from bench.policies import entries
from lodehound.lab import feature_study
from lodehound.lab.metrics import PARTS
from lodehound.lab.race import RaceOptions, Run
from lodehound.lab.tables import summary
from lodehound.version import VERSION

WEB = "ld-web.warc.zst"
START = "https://lod-directory.invalid/"
TASKS = {
    "rdf": "RDF documents",
    "rdf:embedded": "RDF documents, and pages with RDFa or JSON-LD in them",
}
BATCH = tuple(
    f"rdf-batch:model={model},train={train}{charged}"
    for charged, train, model in product(("", ",charged=true"), (640, 1280), ("knn", "nb", "svm"))
)
POLICIES = (
    "bfs",
    "rdf-filter:head=on",
    "rdf-filter",
    *BATCH,
    "ldcoc",
    "ldcoc:head=on",
    "ldcoc:order=best",
    "ldcoc:epsilon=0.05",
    "ldcoc:features=t",
    "ldcoc:features=t+r+p+x",
    "sb-classifier",
    "anthelion",
    "anthelion:explore=0.5,decay=10000",
)
STUDIED = 3  # repetitions of Figure 2(a)


def main() -> None:
    parser = arguments(__doc__ or "", "ldcoc-results.md", seeds=5)
    parser.add_argument("--no-features", action="store_true", help="without Figure 2(a)")
    given = parsed(parser)
    site = (given.corpora / "webs" / WEB,)
    parts = [
        "# LDCOC: the paper's figures on a recorded web\n",
        f"Measured {today()} with version {VERSION} by `python -m bench.ldcoc_tables` on ld-web, a",
        "recording of 42 hosts of vocabularies, ontologies, test suites and redirecting names. It",
        "was used while the program was developed. What the figures say is in",
        "[ldcoc.md](ldcoc.md).\n",
    ]
    for want, name in TASKS.items():
        options = RaceOptions(want=want, starts=(START,), cache=given.cache)
        plan: Plan = [(entry, options) for entry in entries([site], POLICIES, given.seeds)]
        parts += [f"## Figure 2(b): {name}\n", *_found(made(plan, given.rows), want)]
    if not given.no_features:
        for want, name in TASKS.items():
            options = RaceOptions(want=want, starts=(START,), cache=given.cache)
            scores = feature_study.study(site, options=options, repetitions=STUDIED)
            parts += [f"## Figure 2(a): which features tell {name}\n", *_features(scores)]
    given.out.write_text("\n".join(parts), encoding="utf-8")


def _found(runs: Sequence[Run], want: str) -> list[str]:
    first = runs[0].row
    lines = []
    for policy in POLICIES:
        rows = [run.row for run in runs if run.label == policy]
        found = [summary([row.retrieved[str(part)] for row in rows]) for part in PARTS[:3]]
        to_90 = summary([row.pct_requests_to_90 for row in rows])
        lines.append([f"`{policy}`", *found, to_90])
    heads = ["policy", *(f"{part} %" for part in PARTS[:3]), "requests to 90 %, %"]
    return [
        caption(runs),
        f"`--want {want}`: {first.requests_total:,} requests reach {first.targets_total:,} finds.",
        "Percent of them found within 10, 25 and 50 % of these requests, HEADs included.\n",
        *table(heads, lines),
    ]


def _features(scores: Sequence[feature_study.Score]) -> list[str]:
    about = f"ld-web; {STUDIED} repetitions; {today()}, version {VERSION}; used in development"
    parts = [f"*{about}.*\n"]
    cells = {(one.by, one.features, one.model): one for one in scores}
    heads = [f"{m.upper()} {what}" for m in feature_study.MODELS for what in ("F", "accuracy")]
    for by in dict.fromkeys(one.by for one in scores):
        lines = []
        for features in dict.fromkeys(one.features for one in scores):
            line = [features]
            for model in feature_study.MODELS:
                one = cells[by, features, model]
                line += [f"{one.f_measure:.3f} ±{one.spread:.3f}", f"{one.accuracy:.3f}"]
            lines.append(line)
        parts += [f"Split by {by}:\n", *table(["features", *heads], lines)]
    return parts


if __name__ == "__main__":
    main()
