"""What a type checker says of programs that crawl: each of these ignores is needed."""

from __future__ import annotations

from typing import assert_type

import lodehound


def right() -> None:
    run = lodehound.crawl("https://e.org/", out="c", want="files:csv", max_file="50MB", delay=2)
    assert_type(run, lodehound.CrawlRun)
    assert_type(list(run), list[lodehound.Find])
    run.resume(requests="+500", time="2h")


async def right_too() -> None:
    async for find in lodehound.crawl(["https://e.org/", "https://e.net/"], early_stop="auto"):
        assert_type(find, lodehound.Find)


def misspelt() -> None:
    lodehound.crawl("https://e.org/", requets=500)  # type: ignore[call-arg]
    lodehound.crawl("https://e.org/", requests=[500])  # type: ignore[arg-type]
    lodehound.crawl("https://e.org/", scope="planet")  # type: ignore[arg-type]
    lodehound.crawl("https://e.org/").resume(want="rdf")  # type: ignore[call-arg]
