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
from dataclasses import replace
from pathlib import Path
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from lodehound.core.link import Link
from lodehound.core.messages import Choice, Outcome, Verdict
from lodehound.papers.ldcoc.ldcoc import Ldcoc
from lodehound.papers.ldcoc.uri_features import NO_HEAD
from lodehound.read.markup import read_markup
from lodehound.read.mime import is_html, split_content_type
from lodehound.read.rdf import Rdf, read_rdf
from lodehound.read.rdf.uri_links import read_rdf_links
from lodehound.stores.records import Damage, Record, read_records

EMBEDDING = 'script[type="application/ld+json"], [typeof], [property], [vocab]'
TRIPLES = 180_000  # fewer than are looked through for links


def main() -> None:
    if len(sys.argv) == 3:
        agreement(Path(sys.argv[1]), Path(sys.argv[2]))
    reading()
    learning()


def agreement(recording: Path, labels: Path) -> None:
    """Compare every labelled URI, at the end of its redirects, with what we read there."""
    with gzip.open(labels, "rt", encoding="utf-8") as lines:
        known = [json.loads(line) for line in lines]
    records = {r.url: r for r in read_records(recording, Damage()) if r.status == 200}
    read = {url: _read(record) for url, record in records.items()}
    counts: Counter[str] = Counter()
    why: Counter[str] = Counter()
    for label in known:
        end = label.get("final") or label["url"]
        rdf = read.get(end, Rdf())
        counts["URIs"] += 1
        counts["is_rdf agrees"] += bool(rdf) == bool(label["is_rdf"])
        if label["triples"] >= 0:
            counts["with a count"] += 1
            counts["count agrees"] += rdf.triples == label["triples"]
        if bool(rdf) != bool(label["is_rdf"]) or label["triples"] not in {rdf.triples, -1}:
            reason = _reason(label, rdf, records.get(end))
            why[reason] += 1
            if why[reason] <= 5:
                print(f"  {reason}: {label['url']} label {label['triples']}, read {rdf.triples}")
    for name, count in [*counts.items(), *why.most_common()]:
        print(f"{count:7,} {name}")
    print(f"is_rdf {100 * counts['is_rdf agrees'] / counts['URIs']:.2f} %,", end=" ")
    print(f"triples {100 * counts['count agrees'] / counts['with a count']:.2f} %")
    _embedded({label.get("final") or label["url"]: label for label in known}, records)


def _read(record: Record) -> Rdf:
    mime, charset = split_content_type(record.content_type)
    return read_rdf(record.body, url=record.url, mime=mime, charset=charset)


def _reason(label: dict[str, Any], rdf: Rdf, record: Record | None) -> str:
    """Find out why a label differs: by the parser's error, or by reading the document otherwise."""
    if record is None:
        return "the recording does not hold where the URI leads to"
    if label["triples"] < 0:
        return "JSON-LD that our parser refuses" if rdf.error else "nothing but a context"
    if rdf.triples > label["triples"]:
        return "RDF that is declared as something else"
    with_vocabulary = _read(replace(record, body=_with_vocabulary(record.body)))
    if with_vocabulary.triples == label["triples"]:
        return "with a vocabulary for keys without a meaning the count is the label's"
    return f"the same, in part ({with_vocabulary.triples / label['triples']:.1f} of the label's)"


def _with_vocabulary(body: bytes) -> bytes:
    """Give a meaning to the keys of JSON-LD that no context gives one."""
    document = json.loads(body)
    if isinstance(document, list):
        document = {"@graph": document}
    own = document.get("@context", [])
    contexts = [
        {"@vocab": "http://vocabulary.invalid/"},
        *(own if isinstance(own, list) else [own]),
    ]
    return json.dumps(document | {"@context": contexts}).encode()


def _embedded(labels: dict[str, dict[str, Any]], records: dict[str, Record]) -> None:
    """Compare pages with embedded RDF; the labels were found by a pattern in their text."""
    counts: Counter[str] = Counter()
    for url, label in labels.items():
        record = records.get(url)
        if record is None or not is_html(split_content_type(record.content_type)[0]):
            continue
        charset = split_content_type(record.content_type)[1]
        read = read_markup(record.body, url=url, charset=charset).counts
        found, labelled = bool(read.get("jsonld") or read.get("rdfa")), bool(label.get("embedded"))
        counts["pages"] += 1
        if found == labelled:
            counts["pages: embedded agrees"] += 1
        elif found:
            counts["pages: embedded RDF that the pattern missed"] += 1
        else:
            shown = not LexborHTMLParser(record.body).css_first(EMBEDDING)
            counts[f"pages: {'shown as text only' if shown else 'elements without a triple'}"] += 1
    for name, count in counts.items():
        print(f"{count:7,} {name}")


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
