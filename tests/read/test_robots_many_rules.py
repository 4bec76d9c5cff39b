"""A robots.txt with very many rules: every URL of the host is held against them."""

from __future__ import annotations

import pytest

from lodehound.read.robots import RobotsRule, parse_robots

SITE = "https://data.example"


def test_few_of_many_rules_with_wildcards_are_looked_at_closely(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = [f"Disallow: /*/closed{number}/*x" for number in range(15_000)]
    robots = parse_robots("\n".join(["User-agent: hound", *rules]).encode())
    tried: list[bytes] = []
    matches = RobotsRule.matches

    def noted(rule: RobotsRule, path: bytes) -> bool:
        tried.append(path)
        return matches(rule, path)

    monkeypatch.setattr(RobotsRule, "matches", noted)
    urls = [f"{SITE}/a/{kind}123/b.x" for kind in ("open", "closed")]

    assert [robots.allows("hound", url) for url in urls] == [True, False]
    assert len(tried) < 10
