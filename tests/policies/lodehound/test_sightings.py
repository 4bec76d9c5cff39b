"""Links that are seen again in other places."""

from __future__ import annotations

from dataclasses import replace

from lodehound.core.link import Link
from lodehound.core.messages import Choice, Outcome
from lodehound.policies.lodehound.features import GROUPS, PATH, LinkFeatures
from tests.policies.lodehound.test_policy import HOST, NOTHING, begun, find, link, place, show


def test_a_link_seen_again_in_a_better_place_gains() -> None:
    """A menu shows everything first; a list of pages with files then shows one of them."""
    policy = begun()
    menu = [link(f"/{word}/x.html", "html/body/nav/a") for word in ("good", "poor")]
    pages = [link(f"/data/{i}.html", "html/body/ul.data/li/a") for i in range(4)]
    show(policy, *pages, *menu)
    for page in range(4):
        policy.take(Choice(pages[page]))
        files = tuple(link(f"/f/{page}-{i}.csv", source=f"/data/{page}.html") for i in range(3))
        shown = link("/good/x.html", "html/body/ul.data/li/a", pages[page].url)
        again = (shown,) if page == 3 else ()
        outcome = Outcome(Choice(pages[page]), pages[page].url, 200, "text/html", NOTHING, files)
        policy.learn(replace(outcome, again=again))
        for _ in files:
            find(policy)

    row = policy._frontier.rows(policy._frontier.place_of[menu[0].url])
    assert row[PATH].tolist() == LinkFeatures().rows(pages)[0, PATH].tolist()
    assert place(show(policy)) == "/good/x.html"


def test_a_link_seen_again_in_a_worse_place_stays_as_good() -> None:
    """A list of pages with files shows it first, then a menu of pages without any."""
    policy = begun()
    good = [link(f"/data/{i}.html", "html/body/ul.data/li/a") for i in range(5)]
    poor = [link(f"/m/{i}.html", "html/body/nav/a") for i in range(5)]
    show(policy, *good, *poor)

    def visit(page: Link, files: int, *again: Link) -> None:
        policy.take(Choice(page))
        shown = tuple(link(f"{page.url[len(HOST) :]}-{i}.csv", source="/x") for i in range(files))
        outcome = Outcome(Choice(page), page.url, 200, "text/html", NOTHING, shown)
        policy.learn(replace(outcome, again=again))

    for number in range(4):
        visit(good[number], 3)
        visit(poor[number], 0)
    waiting = policy._frontier.place_of[good[4].url]
    before = policy._frontier.rows(waiting)[PATH].tolist()

    visit(poor[4], 0, good[4]._replace(tag_path="html/body/nav/a"))

    assert policy._frontier.rows(waiting)[PATH].tolist() == before


def test_a_link_seen_again_is_scored_again() -> None:
    """At once, and not when its turn comes."""
    policy = begun()
    pages = [link(f"/data/{i}.html", "html/body/ul.data/li/a") for i in range(3)]
    waiting = link("/x.html", "html/body/nav/a")
    show(policy, *pages, waiting)
    for page in pages[:2]:
        policy.take(Choice(page))
        files = tuple(link(f"{page.url[-6]}-{i}.csv", source="/x") for i in range(3))
        policy.learn(Outcome(Choice(page), page.url, 200, "text/html", NOTHING, files))
    policy.refresh(1)
    score = policy._frontier.score_at(policy._frontier.place_of[waiting.url])

    again = (waiting._replace(tag_path="html/body/ul.data/li/a"),)
    policy.learn(replace(Outcome(None, "", 0, "", NOTHING, ()), again=again))

    assert policy._frontier.score_at(policy._frontier.place_of[waiting.url]) > score + 0.001


def test_a_group_is_named_by_the_first_link_that_is_seen_in_it() -> None:
    """Also if that is a further sighting, whose group is the better one."""
    policy = begun()
    waiting = link("/x/1.html", "html/body/nav/a")
    show(policy, waiting, link("/y.html"))
    again = (waiting._replace(tag_path="html/body/ul.data/li/a"),)
    policy.learn(replace(Outcome(None, "", 0, "", NOTHING, ()), again=again))

    groups = policy._frontier.rows(policy._frontier.place_of[waiting.url])[GROUPS]

    names = [policy._groups.name(int(group), link("/other")) for group in groups if group]
    assert len(names) == 2
    policy.take(Choice(waiting))
    files = (link("/a.csv", source="/x/1.html"), link("/b.csv", source="/x/1.html"))
    policy.learn(Outcome(Choice(waiting), waiting.url, 200, "text/html", NOTHING, files))
    assert {policy._groups.record(int(group)) for group in groups[:2]} == {"2 files in 1 visit"}
    assert all(name.startswith("pages like /x/*.html linked at ") for name in names)
