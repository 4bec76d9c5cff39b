"""Makes a journal of the sound rows of a damaged one.

A request without a sound answer is made again when the crawl is resumed. What is known of a
find is kept even if its request or its answer is lost.
"""

from __future__ import annotations

import sqlite3
from bisect import bisect, bisect_left
from collections import Counter
from collections.abc import Collection, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from lodehound.stores.database.schema import SCHEMA
from lodehound.stores.repair.salvage import Row

EVENTS = ("asks", "waits", "offers", "answers")
# Made of other tables when the crawl is opened.
DERIVED = {"entries"}
OF_ANSWERS = ("contents", "ignored_encodings")
Tables = dict[str, dict[Any, Row]]


def mend(tables: Tables, lost_files: Collection[str]) -> tuple[Tables, Counter[str]]:
    """Return rows that fit each other, and how many of which table were left out or made anew.

    Args:
        tables: The sound rows by table and key.
        lost_files: Files of finds that are gone or changed: their requests are made again.
    """
    lost: Counter[str] = Counter()
    asks, answers = (_by_number(tables[name]) for name in ("asks", "answers"))
    finds = {n: row for n, row in tables["finds"].items() if row["file"] not in lost_files}
    lost["finds"] += len(tables["finds"]) - len(finds)
    for number, find in finds.items():
        if number not in answers or not answers[number]["found"]:
            answers[number] = _answer_of(find)
            lost["answers"] += 1
    before = len(answers)
    gone = _drop_answers(answers, {*finds, *tables["versions"]})
    lost["answers"] += before - len(answers)
    for number, answer in answers.items():
        if number not in asks:
            asks[number] = _ask_of(answer, finds.get(number))
            lost["asks"] += 1
    rounds = _rounds(tables, asks, answers)
    firsts = [one["first"] for one in rounds.values()]
    for number in _repeated(asks, firsts):
        for rows in (asks, answers, finds):
            rows.pop(number, None)
        lost["asks"] += 1
    asks |= _asked_again(asks, answers, gone, firsts[-1])
    lost_finds = {n: row for n, row in tables["finds"].items() if n not in finds}
    versions = tables["versions"] | _lost_versions(lost_finds, asks, firsts[-1])
    others = {
        name: tables[name]
        for name in tables
        if name not in {*EVENTS, *DERIVED, "finds", "versions"}
    }
    for name in OF_ANSWERS:  # they come again with their answer
        others[name] = {n: row for n, row in tables[name].items() if n in answers}
    events = _in_order(asks, answers, [tables["waits"], tables["offers"]], firsts)
    placed = {"rounds": _placed(rounds, events)}
    return others | {"finds": finds, "versions": versions} | placed | events, lost


def _drop_answers(answers: dict[int, Row], known: Collection[int]) -> Collection[str]:
    """Remove the answers of finds that are lost; return the URLs of these finds.

    Args:
        answers: The answers.
        known: The requests of the finds and of their versions.
    """
    unknown = {n: row["url"] for n, row in answers.items() if n not in known}
    gone = {url: n for n, url in sorted(unknown.items(), reverse=True) if answers[n]["found"]}
    # Later answers only say that the find has not changed.
    for number in [n for n, url in unknown.items() if n >= gone.get(url, n + 1)]:
        del answers[number]
    return gone


def _asked_again(
    asks: Mapping[int, Row], answers: Mapping[int, Row], gone: Collection[str], first: int
) -> dict[int, Row]:
    """Return requests for the last round: only those of this round are made again by ``resume``.

    Args:
        asks: The requests.
        answers: Their answers.
        gone: The URLs of finds that are lost.
        first: The first request of the last round.
    """
    answered = {asks[number]["url"] for number in answers} - set(gone)
    settled = answered | {row["url"] for number, row in asks.items() if number >= first}
    earlier = {
        row["url"]: row
        for number, row in asks.items()
        if number < first and number not in answers and row["method"] == "GET"
    }
    again = [row for url, row in earlier.items() if url not in settled]
    return {
        number: row | {"number": number, "seq": 0}
        for number, row in enumerate(again, start=max(asks, default=0) + 1)
    }


def _lost_versions(finds: Mapping[int, Row], asks: Mapping[int, Row], first: int) -> dict[int, Row]:
    """Return lost finds of earlier rounds as versions that the last round will replace.

    Otherwise they would be new when ``resume`` has fetched them again.
    """
    again = {row["url"]: number for number, row in asks.items() if number >= first}
    return {
        number: find | {"replaced_by": again[find["final_url"]], "kept": ""}
        for number, find in finds.items()
        if number < first and find["final_url"] in again
    }


def _rounds(tables: Tables, asks: Mapping[int, Row], answers: Mapping[int, Row]) -> dict[Any, Row]:
    """Return the rounds, the first of which is always there.

    If some are lost or do not fit each other, a round begins where a request is repeated.
    """
    began_at = tables["meta"].get("created_at", {"value": ""})["value"]
    first = {"number": 1, "first": 1, "seq": 0, "at": 0.0, "began_at": began_at, "ended": ""}
    rounds = {1: first} | dict(sorted(tables["rounds"].items()))
    restarts = _restarts(asks)
    if _fit([*rounds.values()], asks, restarts):
        return rounds
    known = {one["first"]: one for one in rounds.values()}
    found = {1: known.get(1, first) | {"number": 1}}
    for number, begin in enumerate(restarts, start=2):
        at = max((row["at"] for n, row in answers.items() if n < begin), default=0.0)
        new = first | {"first": begin, "at": at, "began_at": asks[begin]["asked_at"]}
        found[number] = known.get(begin, new) | {"number": number}
    return found


def _fit(rounds: list[Row], asks: Mapping[int, Row], restarts: list[int]) -> bool:
    """Return whether these are all rounds of a crawl, in their order."""
    firsts = [one["first"] for one in rounds]
    if [one["number"] for one in rounds] != [*range(1, len(rounds) + 1)]:
        return False
    if firsts != sorted({1, *firsts}) or firsts[-1] > max(asks, default=0) + 1:
        return False
    # One request that is repeated is a damaged one, not a lost round.
    return len(_repeated(asks, firsts)) < 2 * max(len(restarts), 1)


def _restarts(asks: Mapping[int, Row]) -> list[int]:
    """Return the requests that repeat one since the last of these."""
    found: list[int] = []
    seen: set[tuple[str, str]] = set()
    for number, row in sorted(asks.items()):
        what = (row["url"], row["method"])
        if what in seen:
            found.append(number)
            seen.clear()
        seen.add(what)
    return found


def _placed(rounds: Mapping[Any, Row], events: Tables) -> dict[Any, Row]:
    """Return the rounds with the new number of the event before each of them."""
    last = max((seq for rows in events.values() for seq in rows), default=0)
    places = [(seq, row["number"]) for seq, row in events["asks"].items()]
    return {
        number: one | {"seq": min((s - 1 for s, n in places if n >= one["first"]), default=last)}
        for number, one in rounds.items()
    }


def _by_number(rows: Mapping[int, Row]) -> dict[int, Row]:
    """Return rows by the number of their request; of two with the same number, the first."""
    found: dict[int, Row] = {}
    for _, row in sorted(rows.items()):
        found.setdefault(row["number"], row)
    return found


def _repeated(asks: Mapping[int, Row], rounds: list[int]) -> list[int]:
    """Return the requests that an earlier one of their round has made already."""
    first: dict[tuple[int, str, str], int] = {}
    for number, row in sorted(asks.items()):
        first.setdefault((bisect(rounds, number), row["url"], row["method"]), number)
    return sorted(asks.keys() - set(first.values()))


def _answer_of(find: Row) -> Row:
    """Return the answer of a find as far as the find tells; the links of a page are lost."""
    known = ("number", "mime", "declared_mime", "size", "value", "label", "fetched_at")
    texts = dict.fromkeys(("location", "moved", "charset", "error", "title"), "")
    counts = {"cut": find["truncated"], "tries": 1, "sent": 1, "found": 1, "new_links": 0}
    rest = {"seq": 0, "url": find["final_url"], "status": 200, "at": 0.0}
    missing = {"links": None, "details": None}
    return {name: find[name] for name in known} | texts | counts | rest | missing


def _ask_of(answer: Row, find: Row | None) -> Row:
    """Return the request of an answer as far as it tells."""
    return {
        "seq": 0,
        "number": answer["number"],
        "url": answer["url"],
        "method": "GET",
        "source": find["found_on"] if find else "",
        "depth": find["depth"] if find else 0,
        "why": find["why"] if find else "",
        "probability": None,
        "asleep": None,
        "asked_at": answer["fetched_at"],
        "crawl_group": "",
    }


def _in_order(
    asks: Mapping[int, Row],
    answers: Mapping[int, Row],
    others: list[dict[Any, Row]],
    rounds: list[int],
) -> Tables:
    """Number all events anew: requests in their order, each answer after its request.

    The answers of a round come before the requests of the next one, whatever their places say.
    """
    numbers = sorted(asks)
    known = [(asks[number]["seq"], number) for number in numbers if asks[number]["seq"]]
    order: list[tuple[int, float, int, str, Row]] = []
    last = 0.0
    places: list[tuple[float, int]] = [(0.0, 1)]  # and the round of each
    for number in numbers:
        # A request whose place is lost was made before the next one that is known.
        at = bisect_left(known, number, key=lambda pair: pair[1])
        place = asks[number]["seq"] or (known[at][0] - 0.5 if at < len(known) else last + 1)
        last, mine = max(last, place), bisect(rounds, number)
        places.append((last, mine))
        order.append((mine, last, 0, "asks", asks[number]))
        if number in answers:
            order.append((mine, max(answers[number]["seq"], last), 1, "answers", answers[number]))
    for name, rows in zip(("waits", "offers"), others, strict=True):
        for row in rows.values():
            before = bisect(places, row["seq"], key=lambda pair: pair[0]) - 1
            order.append((places[max(before, 0)][1], row["seq"], 1, name, row))
    order.sort(key=lambda event: event[:3])
    made: Tables = {name: {} for name in EVENTS}
    for seq, (*_, name, row) in enumerate(order, 1):
        made[name][seq] = row | {"seq": seq}
    return made


def write_database(path: Path, tables: Tables) -> None:
    """Write rows to a new database."""
    with closing(sqlite3.connect(path)) as db, db:
        for statement in SCHEMA:
            db.execute(statement)
        for table, rows in tables.items():
            for row in rows.values():
                names, marks = ", ".join(row), ", ".join("?" * len(row))
                db.execute(
                    f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({marks})",  # noqa: S608 - our own names
                    list(row.values()),
                )
