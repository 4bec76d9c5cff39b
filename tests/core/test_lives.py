"""The table of lives: what it allows, and that nothing in it is a dead end."""

from __future__ import annotations

from itertools import product

import pytest

from lodehound.core.errors import ContractError
from lodehound.core.link import Link
from lodehound.core.lives import FIRST, TABLE, Event, Kind, Life, Lives, State
from lodehound.core.messages import Ask, Choice

URL = "https://s.example/a"
ENDS = {State.ASIDE, State.DONE}
# What is reserved: charged, and not sent yet.
RESERVED = {State.CHOSEN, State.RULES, State.HOST}


def reached(states: set[State]) -> set[State]:
    """Return what can be reached from some states, these included."""
    while after := {one for state in states for one in TABLE[state].values()} - states:
        states = states | after
    return states


def path_to(state: State) -> list[tuple[State, Event]]:
    """Return the shortest way to a state from one in which requests begin."""
    ways: dict[State, list[tuple[State, Event]]] = {first: [] for first in FIRST}
    while state not in ways:
        for before, way in list(ways.items()):
            for event, after in TABLE[before].items():
                ways.setdefault(after, [*way, (before, event)])
    return ways[state]


def life_in(state: State) -> tuple[Lives, Life]:
    """Return a table with one request in a state."""
    lives, way = Lives(), path_to(state)
    first = way[0][0] if way else state
    kinds: dict[State, Kind] = {State.CHOSEN: "page", State.ROBOTS: "robots"}
    life = lives.add(Life(1, URL, kind=kinds.get(first, "resource"), state=first, host="s.example"))
    for _, event in way:
        lives.move(life, event)
    return lives, life


def test_the_table_names_every_state_and_uses_every_event() -> None:
    assert set(TABLE) == set(State)
    assert {event for moves in TABLE.values() for event in moves} == set(Event)


def test_every_state_is_reached_and_only_the_two_ends_end() -> None:
    assert reached(set(FIRST)) == set(State)
    assert {state for state, moves in TABLE.items() if not moves} == ENDS
    assert [state for state in State if not ENDS & reached({state})] == []


@pytest.mark.parametrize(("state", "event"), list(product(State, Event)))
def test_a_request_moves_as_the_table_says_or_not_at_all(state: State, event: Event) -> None:
    lives, life = life_in(state)
    if (after := TABLE[state].get(event)) is None:
        with pytest.raises(ContractError, match=rf"{state.name}: it cannot {event.name}\.$"):
            lives.move(life, event)
        after = state
    else:
        lives.move(life, event)

    assert life.state is after
    ended = after in ENDS
    assert [one for one in State if life in lives.by_state[one].values()] == (
        [] if ended else [after]
    )
    assert (life in lives.rows.values(), lives.kinds[life.kind]) == (not ended, not ended)
    assert lives.aside == (after is State.ASIDE)


@pytest.mark.parametrize("state", State)
def test_what_is_reserved_is_counted_until_it_is_made_or_given_back(state: State) -> None:
    lives, life = life_in(state)
    sent = [event for before, event in path_to(state) if before is not State.ROBOTS]

    assert lives.reserved == (state in RESERVED) + (Event.SEND in sent)
    assert lives.made == (Event.SEND in sent)
    assert life.state is state


@pytest.mark.parametrize("state", [state for state in State if state not in FIRST])
def test_no_request_begins_in_the_middle(state: State) -> None:
    with pytest.raises(ContractError, match=state.name):
        Lives().add(Life(1, URL, state=state))


def test_the_next_hop_of_a_redirect_is_the_same_life_with_a_new_number() -> None:
    lives = Lives()
    life = Life(0, URL, choice=Choice(Link(URL)))
    lives.choose(life, Ask(1, URL))
    for event in (Event.SEND, Event.REDIRECT):
        lives.move(life, event)
    waiting = (list(lives.by_state[State.HOP].values()), lives.unanswered, lives.kinds["page"])
    lives.choose(life, Ask(2, URL + "b"))

    assert waiting == ([life], [], 1)
    assert (lives.rows, lives.unanswered, lives.kinds["page"]) == ({2: life}, [life.ask], 1)


def test_failures_wait_for_their_own_host() -> None:
    lives = Lives()
    for number, host in enumerate(["a", "b", "a"], 1):
        life = lives.add(Life(number, URL, host=host))
        for event in (Event.WAIT_FOR_HOST, Event.SEND, Event.HOLD):
            lives.move(life, event)
    lives.move(lives.rows[1], Event.ANSWER)

    assert lives.held("a") == [lives.rows[3]]
    assert lives.held("a") == []
