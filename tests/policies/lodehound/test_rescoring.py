"""Waiting links are scored again with what was learned since."""

from __future__ import annotations

from lodehound.core.messages import Choice, Outcome
from lodehound.learn.score_blocks import BLOCK
from lodehound.policies.lodehound import LodehoundPolicy
from tests.policies.lodehound.test_policy import HOST, NOTHING, begun, find, link, place, show


def test_expected_files_that_turn_out_dead_soon_come_after_pages() -> None:
    """A thousand of them are scored before the first is requested."""
    policy = begun()
    files = [link(f"/{i}.csv", "html/body/ul/li/a") for i in range(1000)]
    show(policy, *files, link("/page.html"))

    order = [place(show(policy, status=404)) for _ in range(100)]

    assert "/page.html" in order[:60]


def test_links_of_other_blocks_are_scored_again_in_turn() -> None:
    """Pages of another host bring more files, which is learned after all were scored."""
    policy = begun(optimism=0.0)
    usual = [link(f"/p/{i}.html", "html/body/ul/li/a") for i in range(BLOCK)]
    other = [link(f"/q/{i}.html", "html/body/ol/li/a") for i in range(BLOCK)]
    other = [one._replace(url=one.url.replace("e.org", "f.org")) for one in other]
    show(policy, *usual, *other)
    brings(policy, Choice(usual[0]), files=1)
    policy.refresh(1)
    for page in other[:2]:
        brings(policy, Choice(page), files=6)

    for _ in range(1 + 6 + 6):
        find(policy)

    assert "/q/" in show(policy).link.url


def brings(policy: LodehoundPolicy, choice: Choice, *, files: int) -> None:
    """Let a page be taken, and bring so many files."""
    policy.take(choice)
    url = choice.link.url
    links = tuple(link(f"/f/{url[len(HOST) + 1 :]}-{i}.csv", source="/x") for i in range(files))
    policy.learn(Outcome(choice, url, 200, "text/html", NOTHING, links))
