"""Every shortcut keeps the contract, whatever a server sends."""

from __future__ import annotations

from collections.abc import Callable, Collection

import pytest

from lodehound.checks import check_policy
from lodehound.core.lanes import Lanes
from lodehound.core.messages import Choice, Outcome
from lodehound.core.policy import ResumablePolicy
from lodehound.policies.api_lane import ApiLane
from lodehound.policies.bfs import Bfs
from lodehound.policies.lodehound import LodehoundPolicy
from lodehound.registry import known, make_shortcuts
from lodehound.shortcut_checks import ShortcutMaker, check_shortcut, shortcut_checks
from lodehound.shortcuts.ckan import Ckan
from lodehound.shortcuts.contract import Expansion
from lodehound.shortcuts.documents import Fetched


@pytest.mark.parametrize("name", sorted(known("shortcut")))
@pytest.mark.parametrize("check", list(shortcut_checks()), ids=lambda check: check.__name__)
def test_shipped_shortcuts_keep_the_contract(
    name: str, check: Callable[[ShortcutMaker], None]
) -> None:
    check(lambda: make_shortcuts(name)[name])


class Credulous(Ckan):
    """Takes everything for CKAN."""

    def signs(self, page: Fetched) -> tuple[str, ...]:
        return (page.url,)


class Eager(Ckan):
    """Makes something of everything."""

    def expand(self, answer: Fetched) -> Expansion | None:
        return super().expand(answer) or Expansion()


class Curious(Ckan):
    """Asks too often."""

    def probes(self, root: str) -> tuple[str, ...]:
        return (root,) * 3


class Marked(Ckan):
    """Its mark is in every place."""

    marks = (b"ckan", b"", b"x")


@pytest.mark.parametrize("broken", [Credulous, Eager, Curious, Marked])
def test_broken_shortcuts_are_caught(broken: ShortcutMaker) -> None:
    with pytest.raises(AssertionError, match="must"):
        check_shortcut(broken)


class WithApis(ResumablePolicy):
    """Lanes as a policy, for the checks of policies."""

    def __init__(self, lanes: Lanes) -> None:
        self.lanes = lanes

    def pick(self, asleep: Collection[str]) -> Choice | None:
        return self.lanes.pick(asleep)

    def take(self, choice: Choice) -> None:
        self.lanes.take(choice)

    def learn(self, outcome: Outcome) -> None:
        self.lanes.learn(outcome)


@pytest.mark.parametrize("policy", [Bfs, LodehoundPolicy])
def test_a_policy_with_shortcuts_keeps_the_contract_of_policies(
    policy: type[Bfs | LodehoundPolicy],
) -> None:
    check_policy(lambda: WithApis(Lanes(policy(), [ApiLane(eager=["ckan"])])))
