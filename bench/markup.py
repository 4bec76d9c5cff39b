"""How well and how fast structured data is read: against labels, syntax by syntax.

    python -m bench.markup WEB.warc.zst [LABELS.jsonl.gz]

Labels are lines of JSON with a url and counts by syntax, found beside the WARC by name.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from collections import Counter
from pathlib import Path
from typing import Any

from lodehound.core.urls import canonical
from lodehound.read.markup import SYNTAXES, read_markup
from lodehound.read.mime import split_content_type
from lodehound.stores.cache import stem_of
from lodehound.stores.records import Damage, read_records
from lodehound.targets.markup import MarkupPages

LABELS = {"microformats": "microformat"}  # where a label goes by another name
WANTS = {
    "target_a": "",
    "target_b": "microdata+jsonld>=5",
    "target_b_md": "microdata>=5",
}


def read_labels(path: Path) -> dict[str, dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return {canonical(row["url"]): row for row in map(json.loads, lines)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("warc", type=Path)
    parser.add_argument("labels", type=Path, nargs="?")
    options = parser.parse_args()
    beside = options.warc.with_name(stem_of(options.warc.name) + ".labels.jsonl.gz")
    labels = read_labels(options.labels or beside)
    targets = {name: MarkupPages.from_argument(text) for name, text in WANTS.items()}
    counts: Counter[tuple[str, bool, bool]] = Counter()
    pages = []
    for record in read_records(options.warc, Damage()):
        url = canonical(record.url)
        label = labels.get(url)
        if label is None:
            continue
        _, charset = split_content_type(record.content_type)
        pages.append((record.body, url, charset))
        markup = read_markup(record.body, url=url, charset=charset)
        for syntax in SYNTAXES:
            truth = bool(label[LABELS.get(syntax, syntax)])
            counts[syntax, bool(markup.counts.get(syntax)), truth] += 1
        for name, target in targets.items():
            counts[name, target.weigh(markup).found, bool(label[name])] += 1
    for name in (*SYNTAXES, *WANTS):
        right, extra = counts[name, True, True], counts[name, True, False]
        missed = counts[name, False, True]
        precision, recall = right / (right + extra or 1), right / (right + missed or 1)
        print(f"{name:14} precision {precision:.4f}  recall {recall:.4f}  ({right} pages)")
    begun = time.process_time()  # other processes do not count
    for body, url, charset in pages:
        read_markup(body, url=url, charset=charset)
    mean = 1000 * (time.process_time() - begun) / len(pages)
    print(f"{len(pages)} pages, {mean:.2f} ms in the mean")


if __name__ == "__main__":
    main()
