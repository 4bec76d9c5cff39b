"""Write the states of a request into docs/architecture.md; a test holds the page to the table."""

from __future__ import annotations

from pathlib import Path

from lodehound.core.lives import FIRST, TABLE, State

PAGE = Path(__file__).with_name("architecture.md")
BEGIN = "<!-- states: made by python docs/make_lives.py from core/lives.py -->\n"
END = "<!-- end of states -->\n"


def states() -> str:
    """Return the table: every state, what it means, and what moves a request on."""
    lines = ["| state | the request | moves on |", "|---|---|---|"]
    for state in State:
        name = f"`{state.name}`" + (" (first)" if state in FIRST else "")
        moves = "; ".join(f"{event} → `{after.name}`" for event, after in TABLE[state].items())
        lines.append(f"| {name} | {state} | {moves} |")
    return "\n".join(lines) + "\n"


def page(text: str) -> str:
    """Return the page with the states as they are now."""
    before, _, rest = text.partition(BEGIN)
    return before + BEGIN + states() + END + rest.partition(END)[2]


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
