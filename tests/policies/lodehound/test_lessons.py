"""What a policy teaches others, and what it takes from them."""

from __future__ import annotations

import pytest

from lodehound.core.errors import ConfigError
from lodehound.core.link import Link
from lodehound.core.messages import Outcome, Verdict
from lodehound.learn.hashing import feature_of
from lodehound.learn.lessons import mean_of
from lodehound.policies.lodehound import LodehoundPolicy

ROOT = "https://a.example/"
DATA, HELP = (str(feature_of("anchor", word)) for word in ("data", "help"))


def links(host: str) -> tuple[Link, ...]:
    """Return links of two kinds, told apart by their texts only."""
    pages = [Link(f"{host}x/{n}", host, "ul/li/a", "help", kind="a", depth=1) for n in range(4)]
    files = [Link(f"{host}y/{n}", host, "ul/li/a", "data", kind="a", depth=1) for n in range(4)]
    return (*pages, *files)


def taught(host: str) -> LodehoundPolicy:
    policy = LodehoundPolicy()
    policy.learn(Outcome(None, "", 0, "", Verdict(False), links(host)))
    while (choice := policy.choose(())) is not None:
        found = choice.link.anchor == "data"
        policy.learn(Outcome(choice, choice.link.url, 200, "", Verdict(found), ()))
    return policy


def first(policy: LodehoundPolicy) -> str:
    policy.learn(Outcome(None, "", 0, "", Verdict(False), links("https://new.example/")))
    choice = policy.choose(())
    assert choice is not None
    return choice.link.anchor


def test_words_are_taught_and_directories_are_not() -> None:
    lessons = taught(ROOT).lessons()
    assert lessons[DATA][0] > 0 > lessons[HELP][0]
    assert str(feature_of("place", "a.example")) not in lessons


def test_endings_and_query_keys_are_taught() -> None:
    """On all sites they say the same."""
    policy = LodehoundPolicy()
    link = Link(f"{ROOT}get.zzz?file=1", ROOT, "ul/li/a")
    policy.learn(Outcome(None, "", 0, "", Verdict(False), (link,)))
    choice = policy.choose(())
    assert choice is not None
    policy.learn(Outcome(choice, link.url, 200, "", Verdict(True), ()))

    taught = {str(feature_of("end", "zzz")), str(feature_of("query", "file"))}
    assert taught <= policy.lessons().keys()


def test_a_prior_and_a_lesson_decide_what_comes_first() -> None:
    """Whatever the seed draws, a new site begins with what was worth it elsewhere."""
    lessons = taught(ROOT).lessons()
    for seed in range(5):
        assert first(LodehoundPolicy(seed=seed, explore=0.0, prior=lessons)) == "data"
        listener = LodehoundPolicy(seed=seed, explore=0.0)
        listener.learn_from_others([lessons])
        assert first(listener) == "data"


def test_those_who_learn_from_each_other_agree() -> None:
    one, two = taught(ROOT), taught("https://b.example/")
    mixed = mean_of([one.lessons(), two.lessons()])
    one.learn_from_others([two.lessons()])
    assert one.lessons()[DATA] == pytest.approx(mixed[DATA])


def test_what_a_crawl_has_learned_counts_as_much_as_a_lesson() -> None:
    policy = taught(ROOT)
    before = policy.lessons()[DATA]

    policy.learn_from_others([{DATA: [0.0, 0.0]}])

    assert policy.lessons()[DATA] == pytest.approx([weight / 2 for weight in before])


def test_a_prior_with_strange_features_is_refused() -> None:
    with pytest.raises(ConfigError, match="another version"):
        LodehoundPolicy(prior={"99999999": [1.0, 1.0]})
