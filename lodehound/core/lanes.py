"""What chooses the requests of a crawl: its lanes, requests to APIs for example, and its policy."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Protocol

from lodehound.core.errors import SiteError
from lodehound.core.history import KnownUrl
from lodehound.core.messages import Choice, Group, Outcome, YieldEstimate, offer_of
from lodehound.core.policy import (
    BeginsRounds,
    EstimatesYield,
    Explains,
    GroupsLinks,
    Policy,
    Refreshes,
    ResumablePolicy,
)

# Links that the policy learns from at a time, so that a page of 50,000 does not take seconds.
SLICE = 2000


class Lane(Explains, GroupsLinks, Protocol):
    """Links of one kind that wait beside those of the policy."""

    def pick(self, asleep: Collection[str], *, last: bool) -> Choice | None:
        """Return a request to make before those of the policy, without removing it.

        Args:
            asleep: Hosts that must not be asked now.
            last: The policy has none: return any.
        """
        ...

    def take(self, choice: Choice) -> bool:
        """Remove a link that is asked for; return whether it waited here."""
        ...

    def learn(self, outcome: Outcome) -> list[Outcome]:
        """Learn from an outcome; return what the policy learns from, in this order."""
        ...

    def promised(self) -> float:
        """Return how many finds the waiting links should bring."""
        ...


class Lanes:
    """Asks every lane in turn, then the policy.

    The policy learns from many links slice by slice. What is left is learned one slice at a time by
    ``learn_slice``, or at once as soon as the policy is asked for anything.

    Args:
        policy: Decides on all links that no lane keeps.
        lanes: In this order.
    """

    def __init__(self, policy: Policy, lanes: Sequence[Lane] = ()) -> None:
        self.policy = policy
        self._lanes = tuple(lanes)
        self._picked: Choice | None = None  # by a policy that is not resumable
        self._slices: deque[Outcome] = deque()  # that the policy has not learned from

    @classmethod
    def of(cls, policy: Policy | Lanes) -> Lanes:
        """Return the lanes of a policy that has no others, or the lanes that are given."""
        return policy if isinstance(policy, Lanes) else cls(policy)

    @property
    def revisits(self) -> bool:
        """Whether the policy takes part in further rounds."""
        return isinstance(self.policy, BeginsRounds)

    def begin_round(self, known: Sequence[KnownUrl], time: float) -> None:
        """Begin a further round, with the policy that is made for it."""
        if isinstance(self.policy, BeginsRounds):
            self.policy = self.policy.begin_round(known, time)

    # --- choosing -------------------------------------------------------------------------------

    def choose(self, asleep: Collection[str]) -> Choice | None:
        """Return the next request and remove it, or None when there is none to make now."""
        self.learn_rest()
        choice = self._from_lanes(asleep)
        if choice is None and (own := self.policy.choose(asleep)) is not None:
            return own
        choice = choice or self._from_lanes(asleep, last=True)
        if choice is not None:
            self.take(choice)
        return choice

    def pick(self, asleep: Collection[str]) -> Choice | None:
        """Return what ``choose`` would return; ``take`` removes it, or another one.

        Raises:
            SiteError: The policy cannot be asked without choosing, and chose before.
        """
        self.learn_rest()
        return (
            self._from_lanes(asleep)
            or self._pick_own(asleep)
            or self._from_lanes(asleep, last=True)
        )

    def _from_lanes(self, asleep: Collection[str], *, last: bool = False) -> Choice | None:
        for lane in self._lanes:
            if (choice := lane.pick(asleep, last=last)) is not None:
                return choice
        return None

    def _pick_own(self, asleep: Collection[str]) -> Choice | None:
        if isinstance(self.policy, ResumablePolicy):
            return self.policy.pick(asleep)
        if self._picked is not None:
            raise self._misfit(None)
        self._picked = self.policy.choose(asleep)
        return self._picked

    def take(self, choice: Choice) -> None:
        """Remove a link that is asked for, whether or not it is the one just picked.

        Raises:
            SiteError: The policy cannot take another link than the one it chose.
        """
        self.learn_rest()
        if any(lane.take(choice) for lane in self._lanes):
            return
        if isinstance(self.policy, ResumablePolicy):
            self.policy.take(choice)
        elif self._picked is None or self._picked.request != choice.request:
            raise self._misfit(choice)
        self._picked = None

    def _misfit(self, recorded: Choice | None) -> SiteError:
        was, now = (
            " ".join(choice.request) if choice is not None else "nothing"
            for choice in (recorded, self._picked)
        )
        name = type(self.policy).__name__
        return SiteError(
            f"{name} cannot continue this crawl: it chooses {now} where the journal has {was}. "
            f"Continue it with the version of {name} that began it or with another policy "
            f"(--policy), or let {name} implement pick and take (lodehound.ResumablePolicy)."
        )

    # --- learning -------------------------------------------------------------------------------

    def learn(self, outcome: Outcome) -> None:
        """Learn from an outcome, lane by lane; the policy gets what they leave."""
        self.learn_rest()
        outcomes = [outcome]
        for lane in self._lanes:
            outcomes = [left for one in outcomes for left in lane.learn(one)]
        for left in outcomes:
            if self._slices or len(left.links) + len(left.again) > SLICE:
                self._slices += _slices(left)
            else:
                self.policy.learn(left)

    @property
    def is_learning(self) -> bool:
        """Whether the policy has not learned from all links that it was given."""
        return bool(self._slices)

    def learn_slice(self) -> None:
        """Learn from the next slice of the links that are left."""
        if self._slices:
            self.policy.learn(self._slices.popleft())

    def learn_rest(self) -> None:
        """Learn from all links that are left."""
        while self._slices:
            self.learn_slice()

    @property
    def can_refresh(self) -> bool:
        """Whether ``refresh`` removes every trace of earlier picks."""
        return isinstance(self.policy, Refreshes)

    def refresh(self, number: int) -> None:
        """Make the policy forget what earlier picks have left behind, if it can."""
        self.learn_rest()
        if isinstance(self.policy, Refreshes):
            self.policy.refresh(number)

    # --- explaining -----------------------------------------------------------------------------

    def insights(self) -> list[str]:
        """Return a few lines on what was learned so far, best first."""
        own = self.policy.insights() if isinstance(self.policy, Explains) else []
        return [line for lane in self._lanes for line in lane.insights()] + own

    def groups(self) -> list[Group]:
        """Return the kinds of links that are told apart, in the order of their requests."""
        own = self.policy.groups() if isinstance(self.policy, GroupsLinks) else []
        return [group for lane in self._lanes for group in lane.groups()] + own

    def group_of(self, url: str) -> str:
        """Return the name of the group in which a link waits or from which it was chosen."""
        policy = [self.policy] if isinstance(self.policy, GroupsLinks) else []
        names = (each.group_of(url) for each in (*self._lanes, *policy))
        return next(filter(None, names), "")

    def remaining_yield(self) -> YieldEstimate | None:
        """Estimate the targets that are still to be found; None: the policy makes no estimate."""
        self.learn_rest()
        policy = self.policy
        estimate = policy.remaining_yield() if isinstance(policy, EstimatesYield) else None
        more = sum(lane.promised() for lane in self._lanes)
        if estimate is None or not more:
            return estimate
        evidence = estimate.evidence
        if evidence is not None:
            evidence = replace(evidence, files=evidence.files + more, soon=evidence.soon + more)
        return YieldEstimate(estimate.left + more, estimate.low, estimate.high + more, evidence)


def _slices(outcome: Outcome) -> Iterator[Outcome]:
    """Yield an outcome with its first links, then the other links as outcomes of no choice."""
    links, again = outcome.links, outcome.again
    room = max(SLICE - len(links), 0)
    yield replace(outcome, links=links[:SLICE], again=again[:room])
    for at in range(SLICE, len(links), SLICE):
        yield offer_of(links[at : at + SLICE])
    for at in range(room, len(again), SLICE):
        yield offer_of((), again[at : at + SLICE])
