"""What a policy says of its groups."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from lodehound.core.lanes import Lanes
from lodehound.core.messages import Group
from lodehound.core.policy import Policy
from lodehound.papers.sb_classifier.sb_classifier import EXPECTED, SbClassifier
from lodehound.papers.sb_classifier.tp_off import TpOff
from lodehound.policies.bfs import Bfs
from lodehound.policies.crawl_groups import EXPECTED as EXPECTED_FILES
from lodehound.policies.lodehound import LodehoundPolicy
from lodehound.small_web import SmallWeb
from tests.helpers import as_file, as_page, chosen, started, url


def test_without_groups_there_is_nothing_to_say() -> None:
    policy = Lanes(Bfs())
    policy.learn(started())

    assert policy.groups() == []
    assert policy.group_of(url("")) == ""


@pytest.mark.parametrize(
    "make", [LodehoundPolicy, lambda: SbClassifier(b=2), lambda: TpOff(warmup=5)]
)
def test_a_choice_names_the_group_it_comes_from(make: Callable[[], Policy]) -> None:
    policy, web = Lanes(make()), SmallWeb()
    policy.learn(started(web.root.url))
    given, groups = {web.root.url: 0}, set()
    while (choice := policy.choose(())) is not None:
        if choice.method == "GET" and choice.link.kind:
            assert choice.group == policy.group_of(choice.link.url)
            groups.add(choice.group)
        policy.learn(web.outcome(choice, given))
    assert groups - {"", EXPECTED, EXPECTED_FILES}


def test_sb_classifier_names_score_visits_and_links() -> None:
    """The only visit of group 0 is counted: its score is mean + alpha * sqrt(ln t / 1)."""
    policy = SbClassifier(b=2)  # the start is the first label, a HEAD the second
    policy.learn(started())
    policy.learn(as_page(chosen(policy), "list:a", "list:b"))
    head = chosen(policy)
    assert head.method == "HEAD"
    policy.learn(as_page(head))
    pulled = chosen(policy)
    name = "group 0 like html/body/p.list/a"
    assert policy.group_of(pulled.link.url) == name
    other = url("b") if pulled.link.url == url("a") else url("a")
    assert policy.group_of(other) == name

    policy.learn(as_page(pulled, "files:x.csv"))
    visit = chosen(policy)
    assert policy.group_of(url("never")) == ""
    (group, *_) = policy.groups()
    assert (group.name, group.visits, group.example) == (name, 1, url("a"))
    t = 4  # requests: the start, a HEAD, the pull and the last one
    mean = group.finds
    assert math.isclose(group.score, mean + policy.alpha * math.sqrt(math.log(t) / (1 + 1e-6)))
    assert visit.link.url in {url("x.csv"), other}


def test_sb_classifier_puts_expected_targets_before_groups() -> None:
    policy = SbClassifier(b=2)  # the start is the first label, a HEAD the second
    policy.learn(started())
    policy.learn(as_page(chosen(policy), "a.csv", "b"))
    policy.learn(as_file(chosen(policy)))  # the HEAD of a.csv says that it is a target

    assert policy.group_of(url("a.csv")) == EXPECTED


def test_groups_that_have_links_come_first() -> None:
    policy = SbClassifier(b=1)
    policy.learn(started())
    policy.learn(as_page(chosen(policy), "one:a", "two:b", "two:c"))
    policy.learn(as_page(chosen(policy)))
    for _ in range(2):
        policy.learn(as_page(chosen(policy)))
    waiting = [group.waiting for group in policy.groups()]

    assert waiting == sorted(waiting, key=lambda count: not count)


def test_tp_off_tells_means() -> None:
    policy = TpOff(warmup=10)
    policy.learn(started())
    policy.learn(as_page(chosen(policy), "list:a"))
    policy.learn(as_page(chosen(policy), "files:x", "files:y"))
    for _ in range(2):
        policy.learn(as_file(chosen(policy)))
    by_name = {group.name: group for group in policy.groups()}
    name = "group 1 like html/body/p.list/a"

    assert by_name[name] == Group(name, 2.0, 1, 2.0, 0, url("a"))


def test_lodehound_names_expected_files_and_kinds_of_pages() -> None:
    policy = LodehoundPolicy()
    policy.learn(started())
    policy.learn(as_page(chosen(policy), "list:a/1", "list:a/2", "b/x.csv"))

    files, pages = policy.groups()

    assert (files.name, files.waiting, files.example) == (EXPECTED_FILES, 1, url("b/x.csv"))
    assert (pages.waiting, pages.visits) == (2, 0)
    assert policy.group_of(url("a/2")) == pages.name
    assert policy.group_of(url("b/x.csv")) == EXPECTED_FILES
    assert policy.group_of(url("never")) == ""
