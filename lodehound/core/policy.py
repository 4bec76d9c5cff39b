"""A policy chooses the next link and learns from what came back."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from typing import ClassVar, Protocol, runtime_checkable

from lodehound.core.errors import ContractError
from lodehound.core.history import KnownUrl
from lodehound.core.messages import Choice, Group, Outcome, YieldEstimate

# What was learned that holds for other crawls, too: numbers by the names of features.


class Policy(ABC):
    """Decides which link is next and learns from what came back.

    The contract, checked by ``lodehound check`` (lodehound.checks):

    - ``learn`` is called once with the start URLs (``outcome.choice is None``),
      then once for every choice made, in any order. Links that APIs
      and sitemaps list (``link.kind`` is "listed"), and all but the first 2,000 of a
      page, come in further calls without a choice.
    - ``choose`` may be called many times before an outcome comes.
    - ``choose`` never returns a link twice with the same method, nor a HEAD
      after the GET, nor a link whose host is asleep, nor one it was not given.
    - Every link it was given is chosen in the end.
    - Same parameters, same calls, same choices.

    A resumed crawl is restored from its journal, with the choices of the earlier run. A policy
    that only implements ``choose`` must make the same choices again, so it can continue only
    crawls of its own version. A ResumablePolicy can continue any crawl. What else a policy may
    do is in the protocols below.

    Parameters are keyword-only arguments of the constructor, each kept under
    its own name. One called ``seed`` gets the crawl's random seed, one called
    ``truth`` the answers of a recorded site (lodehound.core.truth), one called
    ``subject`` what the target looks for, in words (Target.subject), or None.
    One called ``weights`` gets what an earlier crawl left in an attribute of that
    name, or None.

    The class attributes below name the exceptions a policy takes from the
    contract, in the open.
    """

    uses_head: ClassVar[bool] = False
    """It may ask one HEAD for a link before the GET."""

    drops: ClassVar[str] = ""
    """Which links it may leave unasked, and why; "" when it leaves none."""

    needs_truth: ClassVar[bool] = False
    """It is told the answers, so it may choose links it was not given; replay only."""

    as_printed: ClassVar[dict[str, str]] = {}
    """What ``NAME:paper`` stands for: parameters as the published paper prints them."""

    knows_probability: bool = True
    """``Choice.probability`` is right. False where nobody can compute it: Thompson sampling."""

    @abstractmethod
    def choose(self, asleep: Collection[str]) -> Choice | None:
        """Return the next link to ask for, or None when there is none to ask for now."""

    @abstractmethod
    def learn(self, outcome: Outcome) -> None:
        """Take in one outcome, the new links it brought and the links it showed again."""


class ResumablePolicy(Policy):
    """A policy that can continue crawls of other versions, seeds and policies.

    ``choose`` is split into ``pick`` and ``take``. All draws and estimates belong to
    ``pick``, so that a restored policy goes on exactly as if it had never stopped.

    ``take`` accepts any link that the policy was given and that was not taken yet, even one
    that it would have dropped, and a HEAD for it if ``uses_head`` is true. The outcome comes
    as for every choice. The GET may or may not follow a HEAD.
    """

    def choose(self, asleep: Collection[str]) -> Choice | None:
        choice = self.pick(asleep)
        if choice is not None:
            self.take(choice)
        return choice

    @abstractmethod
    def pick(self, asleep: Collection[str]) -> Choice | None:
        """Return the next link to ask for without removing it, or None when there is none now."""

    @abstractmethod
    def take(self, choice: Choice) -> None:
        """Remove a link that is asked for, whether or not it is the one just picked."""


@runtime_checkable
class Explains(Protocol):
    """A policy that describes what it has learned."""

    def insights(self) -> list[str]:
        """Return a few lines on what was learned so far, best first; shown while a crawl runs."""
        ...


@runtime_checkable
class GroupsLinks(Protocol):
    """A policy that treats similar links alike."""

    def groups(self) -> list[Group]:
        """Return the kinds of links it tells apart, in the order it would choose from them.

        Those without a link waiting come last.
        """
        ...

    def group_of(self, url: str) -> str:
        """Return the name of the group in which a link waits or from which it was chosen.

        "" when it is in none, or its answer has come.
        """
        ...


@runtime_checkable
class EstimatesYield(Protocol):
    """A policy that estimates how much is left."""

    def remaining_yield(self) -> YieldEstimate | None:
        """Estimate the targets that are still to be found; None: it cannot."""
        ...


@runtime_checkable
class Refreshes(Protocol):
    """A policy that can remove every trace of earlier picks: long crawls are restored faster."""

    def refresh(self, number: int) -> None:
        """Forget everything that earlier picks have left behind: draws and outdated estimates.

        It is called every few thousand requests. What is chosen after it depends only on what
        was taken and learned, so a restored crawl need not repeat the picks before it.

        Args:
            number: How many times it was called in this crawl, for the seed of later draws.
        """
        ...


@runtime_checkable
class BeginsRounds(Protocol):
    """A policy that takes part in further rounds of a crawl.

    With any other policy, a further round is a crawl from the start.
    """

    def begin_round(self, known: Sequence[KnownUrl], time: float) -> Policy:
        """Return the policy of a further round: itself, or another one that it makes.

        It is called before the first ``learn``. The policy that it returns may choose the link of
        any known URL, once in this round. The request carries the known validators, and
        ``Outcome.change`` says how the answer compares.

        Args:
            known: Every URL in scope that an earlier round requested or was offered, with its
                visits; the policy must not change it.
            time: Of this round, in days, like the times of the visits.
        """
        ...


def check_choice(policy: Policy, choice: Choice, asleep: Collection[str], *, given: bool) -> None:
    """Hold a policy to its contract: politeness and scope are not its to decide."""
    name = type(policy).__name__
    if choice.link.host in asleep:
        raise ContractError(f"{name} chose {choice.link.url}, whose host is asleep.")
    if not policy.needs_truth and not given:
        raise ContractError(f"{name} chose {choice.link.url}, which it was not given.")
    if choice.method == "HEAD" and not policy.uses_head:
        raise ContractError(f"{name} asked a HEAD without uses_head = True.")
