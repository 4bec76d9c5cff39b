"""Linked data: agreement with a corpus's labels, and the costs of reading and of learning.

    python -m bench.rdf NAME.warc.zst NAME.labels.jsonl.gz

Without arguments only the costs are measured.
"""

from __future__ import annotations

import gzip
import json
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lodehound.core.link import Link
from lodehound.core.messages import Choice, Outcome, Verdict
from lodehound.policies.ldcoc import Ldcoc
from lodehound.policies.uri_features import NO_HEAD
from lodehound.read.mime import split_content_type
from lodehound.read.rdf import Rdf, read_rdf
from lodehound.read.rdf.links import read_rdf_links
from lodehound.stores.records import Damage, read_records

TRIPLES = 180_000  # fewer than are looked through for links


def main() -> None:
    if len(sys.argv) == 3:
        agreement(Path(sys.argv[1]), Path(sys.argv[2]))
    reading()
    learning()


def agreement(recording: Path, labels: Path) -> None:
    """Compare every labelled URI, at the end of its redirects, with what we read there."""
    seen: dict[str, Rdf] = {}
    for record in read_records(recording, Damage()):
        if record.status == 200:
            mime, charset = split_content_type(record.content_type)
            seen[record.url] = read_rdf(record.body, url=record.url, mime=mime, charset=charset)
    with gzip.open(labels, "rt", encoding="utf-8") as lines:
        known = [json.loads(line) for line in lines]
    counts: Counter[str] = Counter()
    why: Counter[str] = Counter()
    for label in known:
        rdf = seen.get(label.get("final") or label["url"], Rdf())
        counts["URIs"] += 1
        counts["is_rdf agrees"] += bool(rdf) == bool(label["is_rdf"])
        if label["triples"] >= 0:
            counts["with a count"] += 1
            counts["count agrees"] += rdf.triples == label["triples"]
        if bool(rdf) != bool(label["is_rdf"]) or label["triples"] not in {rdf.triples, -1}:
            reason = _reason(label, rdf)
            why[reason] += 1
            if why[reason] <= 5:
                print(f"  {reason}: {label['url']} label {label['triples']}, read {rdf.triples}")
    for name, count in [*counts.items(), *why.most_common()]:
        print(f"{count:7,} {name}")
    print(f"is_rdf {100 * counts['is_rdf agrees'] / counts['URIs']:.2f} %,", end=" ")
    print(f"triples {100 * counts['count agrees'] / counts['with a count']:.2f} %")


def _reason(label: dict[str, Any], rdf: Rdf) -> str:
    if label["triples"] < 0:
        return "JSON-LD with a context that is wrong: the label says RDF, no triple can be read"
    if rdf.triples < label["triples"]:
        return "JSON-LD keys without a meaning: the label counts them as properties"
    return "RDF that is declared as something else: the label looked at the type only"


def reading() -> None:
    """Time parsing on a document of typical triples."""
    thing = (
        '<http://e.org/id/{0}> a e:Thing ; e:name "thing {0}" ; e:in <http://e.org/set/{1}> ;'
        ' e:size {1} ; e:note "some words"@en ; e:next <http://e.org/id/{2}> .\n'
    )
    body = "@prefix e: <http://e.org/v#> .\n" + "".join(
        thing.format(n, n % 100, n + 1) for n in range(TRIPLES // 6)
    )
    turtle, url, mime = body.encode(), "http://e.org/doc", "text/turtle"
    _time("parse and count", TRIPLES, lambda: read_rdf(turtle, url=url, mime=mime))
    links = lambda: read_rdf_links(turtle, url=url, mime=mime)  # noqa: E731 - one line, once
    _time("links and contexts", TRIPLES, links)


def learning() -> None:
    """Time features, prediction and update, per URI, none of them seen before."""
    policy = Ldcoc(epsilon=1.0)
    text = "".join(
        f"<http://h{n % 50}.org/a{n % 70}/b{n}> <http://v.org/{n % 30}> <http://o.org/{n}> .\n"
        for n in range(20_000)
    )
    links = read_rdf_links(text.encode(), url="http://e.org/doc", mime="text/turtle")

    def run() -> None:
        for number, link in enumerate(links):
            policy.decide(link, NO_HEAD)
            policy.label(_outcome(link, found=number % 3 == 0))

    seconds = _seconds(run)
    print(f"features, prediction, update: {1e6 * seconds / len(links):.0f} us per URI")


def _outcome(link: Link, *, found: bool) -> Outcome:
    return Outcome(Choice(link), link.url, 200, "text/html", Verdict(found), ())


def _time(what: str, triples: int, run: Callable[[], object]) -> None:
    print(f"{what}: {triples / _seconds(run):,.0f} triples/s")


def _seconds(run: Callable[[], object]) -> float:
    begun = time.process_time()
    run()
    return time.process_time() - begun


if __name__ == "__main__":
    main()
