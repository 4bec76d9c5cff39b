"""What a crawl is made of: each option reaches the part that it is for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lodehound.assembly.build import (
    budget_of,
    check_crawl,
    check_robots,
    check_seed,
    host_name,
    make_crawl,
    make_rules,
    make_scope,
    policy_of,
    starts_of,
    target_of,
    topic_options,
    with_policy,
)
from lodehound.core.auto_stop import AutoStop
from lodehound.core.errors import ConfigError
from lodehound.core.forecasts import Forecaster
from lodehound.core.lanes import Lanes
from lodehound.core.link import Link
from lodehound.core.messages import Ask, Stop
from lodehound.core.stop import Budget, EarlyStop
from lodehound.policies.bfs import Bfs
from lodehound.policies.lodehound import LodehoundPolicy
from lodehound.stores.left_out import change_left_out
from lodehound.stores.replica import Replica
from lodehound.stores.warc import write_warc
from lodehound.targets.files import Files
from tests.assembly.crawls import ROOT, answered, config_of
from tests.reports.crawls import page


def refusal(url: str, *, depth: int = 1, **options: Any) -> str:
    """Return why the scope of a crawl with these options refuses a link; "" if it does not."""
    return make_scope(config_of(**options), Files()).refusal(Link(url, ROOT, depth=depth)) or ""


# --- the parts -----------------------------------------------------------------------------------


def test_start_urls_are_made_canonical() -> None:
    assert starts_of(config_of(urls=("HTTPS://S.Example", ROOT + "#x"))) == [ROOT, ROOT]


def test_each_budget_is_the_option_of_its_name() -> None:
    budget = budget_of(config_of(requests=1, bytes=2, time=3.0, finds=4))
    assert budget == Budget(requests=1, bytes=2, seconds=3.0, finds=4)


def test_a_crawl_gets_its_limits_and_begins_at_its_start() -> None:
    config = config_of(requests=7, per_host=1, max_hosts=2)
    crawl = make_crawl(config)
    assert crawl.budget.requests == 7
    assert isinstance(crawl.policy, Bfs)
    ask = crawl.next()
    assert ask == Ask(1, ROOT, "GET", "")
    crawl.receive(answered(ask))
    assert crawl.next() == Stop("exhausted")  # the start is the one URL of its host


def test_a_part_asks_for_start_urls_on_its_own_hosts_only() -> None:
    urls = tuple(f"https://h{n}.example/" for n in range(20))
    first, second = (
        make_crawl(config_of(urls=urls, scope="web", part=(n, 2))).known for n in (0, 1)
    )
    assert first + second == 20
    assert 0 < first < 20


def test_a_target_given_stands_for_that_of_the_config() -> None:
    target = Files()
    assert make_crawl(config_of(want="files:csv"), target=target).target is target


@pytest.mark.parametrize(
    ("options", "rules"),
    [
        ({"early_stop": "off"}, []),
        ({"early_stop": "auto"}, [AutoStop]),
        ({"early_stop": "auto", "requests": 9}, [AutoStop]),
        ({"early_stop": "paper"}, [EarlyStop]),
        # Unless one is named, a crawl without a budget of requests stops by itself.
        ({}, [AutoStop]),
        ({"finds": 9}, [AutoStop]),
        ({"requests": 9}, []),
        ({"metadata_only": True}, []),
    ],
)
def test_the_stop_rule_is_the_one_named(options: dict[str, Any], rules: list[type]) -> None:
    made = make_rules(config_of(**options), Lanes(LodehoundPolicy()))
    assert [type(rule) for rule in made] == [Forecaster, *rules]


def test_no_rule_where_the_policy_cannot_tell_or_in_a_further_round() -> None:
    for policy, first in ((Bfs(), True), (LodehoundPolicy(), False)):
        made = make_rules(config_of(), Lanes(policy), first_round=first)
        assert [type(rule) for rule in made] == [Forecaster]


def test_the_parameters_of_the_papers_rule_come_from_the_config() -> None:
    config = config_of(
        early_stop="paper", stop_nu=9, stop_epsilon=0.5, stop_gamma=0.6, stop_kappa=3
    )
    _, rule = make_rules(config, Lanes(Bfs()))
    assert isinstance(rule, EarlyStop)
    assert (rule.nu, rule.epsilon, rule.gamma, rule.kappa) == (9, 0.5, 0.6, 3)


def test_what_is_said_of_a_topic_reaches_policy_and_target() -> None:
    config = config_of(
        want="topic:birds", categories="animals, nature", vectors="none", policy="sarsa",
        about_text="wings", weights_before="[0.5, 2]", idf="",
    )  # fmt: skip
    topic = topic_options(config)
    assert (topic.categories, topic.about, topic.vectors) == (
        ("animals", "nature"), "wings", "none",
    )  # fmt: skip
    assert topic.weights == (0.5, 2.0)
    assert topic_options(config_of()).weights == ()


def test_the_seed_goes_to_the_policy() -> None:
    config = config_of(policy="lodehound", seed=5)
    policy = policy_of(config, target_of(config))
    assert isinstance(policy, LodehoundPolicy)
    assert policy.seed == 5


# --- the policy ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "policy"),
    [
        ({}, "lodehound"),
        ({"policy": "dfs"}, "dfs"),
        ({"want": "topic:bird"}, "lodehound"),
        ({"want": "topic:bird", "weights": "w.json"}, "sarsa"),
        ({"want": "topic:bird", "idf": "idf.json"}, "sarsa"),
    ],
)
def test_without_a_policy_the_target_names_one(options: dict[str, Any], policy: str) -> None:
    config = with_policy(config_of(**{"policy": "", **options}))
    assert config.policy == policy
    assert config.is_named("policy")


@pytest.mark.parametrize(
    ("policy", "seed", "refused"),
    [
        ("random:seed=3", 4, True),
        ("random:seed=3", 3, False),
        ("random:seed=3", 0, False),
        ("random", 4, False),
    ],
)
def test_two_seeds_are_refused(policy: str, seed: int, refused: bool) -> None:
    config = config_of(policy=policy, seed=seed)
    if not refused:
        check_seed(config)
        return
    with pytest.raises(ConfigError, match=r"has seed=3, and --seed is 4: leave out one"):
        check_seed(config)


@pytest.mark.parametrize("option", ["weights", "idf"])
def test_an_option_that_the_policy_does_not_take_is_refused(option: str) -> None:
    with pytest.raises(ConfigError, match=f"--{option} is for policies like"):
        check_crawl(config_of(**{option: "some.json"}))
    check_crawl(config_of())


# --- robots.txt ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "options", "refused"),
    [
        (ROOT, {}, False),
        (ROOT, {"ignore_robots": True}, True),
        (ROOT, {"ignore_robots": True, "yes_ignore_robots": True}, False),
        (ROOT, {"ignore_robots": True, "replica": "site.warc.gz"}, False),
        (ROOT, {"ignore_robots": True, "replica": "s.warc.gz", "fallback": "live"}, True),
        ("http://localhost:8000/", {"ignore_robots": True}, False),
        ("http://127.0.0.1/", {"ignore_robots": True}, False),
        ("http://[::1]:80/", {"ignore_robots": True}, False),
        ("http://10.0.0.1/", {"ignore_robots": True}, True),
        ("http://localhost.example/", {"ignore_robots": True}, True),
    ],
)
def test_robots_txt_is_ignored_here_or_when_asked_for_twice(
    url: str, options: dict[str, Any], refused: bool
) -> None:
    config = config_of(urls=(url,), **options)
    if not refused:
        check_robots(config)
        return
    with pytest.raises(ConfigError, match="add --yes-ignore-robots"):
        check_robots(config)


def test_all_start_urls_must_be_on_this_machine_to_ignore_robots_txt() -> None:
    config = config_of(urls=("http://localhost/", ROOT), ignore_robots=True)
    with pytest.raises(ConfigError):
        check_robots(config)


# --- the scope -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "options", "why"),
    [
        ("x", {}, ""),
        ("x", {"include": ("*/y",)}, "not included"),
        ("x", {"exclude": ("*/x",)}, "excluded"),
        ("x", {"under": "/data/"}, "not under the path"),
        ("data/x", {"under": "/data/"}, ""),
        ("x.jpg", {}, "blocked extension"),
        ("x.jpg", {"block": False}, ""),
        ("a/a/a/x", {"traps": False}, ""),
    ],
)
def test_each_option_refuses_its_links(place: str, options: dict[str, Any], why: str) -> None:
    assert refusal(ROOT + place, **options) == why


def test_traps_and_depth_are_limits_of_the_scope() -> None:
    assert refusal(ROOT + "a/a/a/x") != ""
    assert refusal(ROOT + "x", depth=3, max_depth=2) != ""
    assert refusal(ROOT + "x", depth=2, max_depth=2) == ""


def test_the_web_is_in_scope_where_it_is_wanted() -> None:
    elsewhere = "https://other.example/"
    assert refusal(elsewhere) == "other site"
    assert refusal(elsewhere, scope="web") == ""
    assert refusal(elsewhere, scope="web", allow_hosts=("S.example",)) == "host not allowed"
    assert (
        refusal(elsewhere, scope="web", block_hosts=("https://Other.Example/x",)) == "host blocked"
    )


def test_a_start_on_a_host_that_is_kept_out_is_refused() -> None:
    with pytest.raises(ConfigError, match="that --allow-hosts or --block-hosts keep out"):
        check_crawl(config_of(block_hosts=("s.example",)))
    check_crawl(config_of(block_hosts=("t.example",)))


def test_a_replica_says_what_there_is_unless_the_network_answers_too(tmp_path: Path) -> None:
    path = tmp_path / "s.warc.gz"
    write_warc(path, [page("", "x")])
    change_left_out(path, add={ROOT + "cut"})
    config = config_of(replica=str(path))
    with Replica.open([path]) as replica:
        inside = make_scope(config, Files(), replica)
        more = make_scope(replace(config, fallback="live"), Files(), replica)
    left_out = Link(ROOT + "cut", ROOT)
    assert (inside.refusal(left_out), more.refusal(left_out)) == ("not recorded", "")


@pytest.mark.parametrize("text", ["", "a b", "http://"])
def test_what_is_no_host_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="is no host"):
        host_name(text)
