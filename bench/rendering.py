"""What rendering costs and brings: sites of five frameworks, with --render auto and always.

    python -m bench.rendering

Prints one line per site and mode. It needs Chromium and the development packages.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.live import crawl, query
from tests.live.frameworks import FINDS, site

FIGURES = """
    SELECT count(*) FILTER (WHERE outcome = 'rendered'), coalesce(sum(seconds), 0),
        (SELECT count(*) FROM answers WHERE status = 200 AND mime LIKE '%html%'),
        (SELECT count(*) FROM answers WHERE sent) + (SELECT count(*) FROM page_requests WHERE sent)
    FROM renders"""


def main() -> None:
    print("site        mode    finds  pages  rendered  requests  seconds a page")
    for name in FINDS:
        for mode in ("auto", "always"):
            with site(name) as application, tempfile.TemporaryDirectory() as folder:
                words = ("--want", "files:csv", "--no-inspect")
                done = crawl(application.url, *words, render=mode, out=Path(folder) / "crawl")
                [(rendered, seconds, pages, requests)] = query(done.path, FIGURES)
                print(
                    f"{name:11} {mode:7} {len(done.finds):5} {pages:6} {rendered:9} {requests:9} "
                    f"{seconds / max(rendered, 1):15.2f}"
                )


if __name__ == "__main__":
    main()
