"""A topical crawl of a small wiki: over HTTP, interrupted, and gone on with."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from lodehound.assembly.topic_files import with_topic
from lodehound.config import CrawlConfig
from lodehound.core.errors import ConfigError
from lodehound.drivers.live.assemble import check_config
from lodehound.drivers.live.example_pages import fetch_examples
from lodehound.sites.server import SiteServer
from lodehound.stores.records import Record
from lodehound.stores.topics import read_weights
from tests.live import Crawled, query, resume, run

TOPICS = {"bird": "A bird has wings and feathers.", "brick": "A brick has corners, no more."}


@pytest.fixture(scope="module")
def wiki() -> Iterator[SiteServer]:
    """A home page and forty articles; each links to the next two of its kind and one other."""
    with SiteServer() as server:
        records = [_article(server, "", "Wings and walls.", ["bird/0", "brick/0"])]
        for word, text in TOPICS.items():
            other = "brick" if word == "bird" else "bird"
            for i in range(20):
                links = [f"{word}/{i + 1}", f"{word}/{i + 2}", f"{other}/{i}"]
                records.append(_article(server, f"{word}/{i}", text, links))
        server.serve(records)
        yield server


def _article(server: SiteServer, at: str, text: str, links: list[str]) -> Record:
    shown = "".join(f"<li><a href=/{to}>{to.partition('/')[0]}s</a></li>" for to in links)
    body = f"<html lang=en><title>{at}</title><p>{text}</p><ul>{shown}</ul>"
    return Record(server.url + at, 200, "text/html", body.encode())


def crawl(wiki: SiteServer, out: Path, requests: int, *words: object) -> Crawled:
    topic = ("--want", "topic:feather", "--categories", "wing,animal", "--vectors", "none")
    flags = ("--delay", 0, "--concurrency", 1, "--requests", requests, "--seed", 3)
    return run("crawl", wiki.url, *topic, *flags, "--out", out, *words, out=out)


def asked(crawled: Crawled) -> list[str]:
    return [address for (address,) in query(crawled.path, "SELECT url FROM answers ORDER BY seq")]


def test_a_topical_crawl_goes_on_where_it_stopped(wiki: SiteServer, tmp_path: Path) -> None:
    """In two parts it asks for the same pages in the same order as in one."""
    file = tmp_path / "weights.json"
    whole = crawl(wiki, tmp_path / "whole", 24, "--weights", file)
    learned = read_weights(file)
    first = crawl(wiki, tmp_path / "parts", 9, "--weights", tmp_path / "other.json")
    again = ["--requests", "+15", "--weights", tmp_path / "other.json"]
    parts = resume(first.path, *again)

    assert (whole.code, first.code, parts.code) == (0, 0, 0), whole.err + first.err + parts.err
    assert asked(parts) == asked(whole)
    assert parts.finds == whole.finds
    assert all("/bird/" in address for address in whole.finds)
    # What was learned is at hand for the next crawl, and the same by either way.
    assert any(learned)
    assert read_weights(tmp_path / "other.json") == learned
    shows_relevance_over_time(whole)


def test_crawls_of_several_parts_without_weights(wiki: SiteServer, tmp_path: Path) -> None:
    """The default policy asks for the same pages in one part and in two."""
    whole = crawl(wiki, tmp_path / "whole", 24)
    first = crawl(wiki, tmp_path / "parts", 9)
    parts = resume(first.path, "--requests", "+15")

    policies = query(whole.path, "SELECT DISTINCT policy FROM runs")
    assert (asked(parts), policies) == (asked(whole), [("lodehound",)])
    assert len(whole.finds) > 12  # half of the pages are finds


def test_examples_are_fetched_before_a_crawl(wiki: SiteServer) -> None:
    """By their address; what is not there is a mistake of the user."""
    told = CrawlConfig(urls=(wiki.url,), want="topic", like=(wiki.url + "bird/1",))

    assert with_topic(told, fetch_examples).about_text.startswith("A bird has wings and feathers.")
    with pytest.raises(ConfigError, match=r"cannot be fetched: status 404"):
        with_topic(CrawlConfig(urls=(wiki.url,), like=(wiki.url + "nowhere",)), fetch_examples)


@pytest.mark.parametrize("option", ["weights", "idf"])
def test_what_no_policy_takes_is_refused(option: str, tmp_path: Path) -> None:
    given = {"urls": ["http://127.0.0.1/"], option: str(tmp_path / "x.json")}
    told = CrawlConfig.made_of(given)
    with pytest.raises(ConfigError, match=f"--{option} is for .*'lodehound' does not take it"):
        check_config(told)


def shows_relevance_over_time(done: Crawled) -> None:
    """A line for every tenth; what it is made of stands in the journal."""
    assert "tenth 1 " in done.out
    assert "% on the topic, mean relevance 0." in done.out
    details = query(done.path, "SELECT details FROM answers WHERE found")
    assert all("feather" in json.loads(text)["stems"] for (text,) in details)
