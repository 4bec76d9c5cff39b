"""The exchange of links between parts: its cost grows with the links, and it holds up nothing."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from unittest import mock

import pytest

from lodehound.core.errors import LodehoundError
from lodehound.core.link import Link
from lodehound.drivers.fleet import exchange
from lodehound.drivers.fleet.exchange import LinkExchange, WorkerExchange
from lodehound.stores.crawl_dir.link_exchange import ExchangeRecord, Sent
from lodehound.stores.fleet import FleetStore, NewSite, Progress

PARTS = 40


def part(number: int) -> LinkExchange:
    """Return a part of a crawl that has taken and sent nothing yet."""
    session, journal = mock.Mock(finished=False, idle=True), mock.Mock(spec=ExchangeRecord)
    session.crawl.scope.part = (number, PARTS)
    journal.last_sent.return_value, journal.taken.return_value = {}, {}
    with mock.patch.object(exchange, "replace"):
        return LinkExchange(session, journal)


def test_a_journal_is_opened_once_a_round_for_all_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """All parts have sent something to all others."""
    opened: Counter[str] = Counter()
    parts = {number: part(number) for number in range(PARTS)}

    def read_sent(path: Path, after: Mapping[int, int]) -> list[Sent]:
        opened[f"links of {path.parent}"] += 1
        return [Sent(7, target, (Link(f"https://{target}.example/"),)) for target in after]

    monkeypatch.setattr(exchange, "read_sent", read_sent)
    sent = [(a, b, 7) for a in range(PARTS) for b in range(PARTS) if a != b]
    worker = WorkerExchange(lambda: parts, lambda _: sent, lambda n: Path(str(n)), mock.Mock())

    async def run() -> None:
        for _ in range(3):  # what was taken is not read again
            await worker.deliver()

    asyncio.run(run())
    assert set(opened.values()) == {1}
    assert len(opened) == PARTS
    assert all(len(one.taken) == PARTS - 1 for one in parts.values())


def test_a_part_that_cannot_write_ends_and_the_others_go_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    parts, failed = {0: part(0), 1: part(1)}, mock.Mock()
    full = LodehoundError("no space")
    parts[0].record.append_taken_links.side_effect = full  # type: ignore[attr-defined]
    monkeypatch.setattr(
        exchange, "read_sent", lambda _, after: [Sent(1, target, ()) for target in after]
    )
    sent = [(2, 0, 1), (2, 1, 1)]
    asyncio.run(WorkerExchange(lambda: parts, lambda _: sent, lambda _: Path(), failed).deliver())
    failed.assert_called_once_with(0, full)
    assert (parts[0].taken, parts[1].taken) == ({}, {2: 1})


def test_a_part_reports_what_is_new_and_once() -> None:
    one = part(0)
    one.receive(3, Sent(5, 0, ()))
    one.receive(3, Sent(5, 0, ()))
    assert (one.report(), one.report()) == (({}, {3: 5}), ({}, {}))


def test_the_fleet_knows_who_has_sent_what(tmp_path: Path) -> None:
    with FleetStore.create(tmp_path, version="1") as store:
        store.enlist(NewSite(f"part-{n}", f"part {n} of 3", "{}", n) for n in (1, 2, 3))
        store.begin_run(None)
        store.join("one", "here")
        store.beat("one", {1: Progress(9, 0, 0, 0, 0, 0.0, "", sent={1: 4, 2: 6})})
        store.beat("one", {2: Progress(9, 0, 0, 0, 0, 0.0, "", taken={0: 4})})
        assert store.sent_to([1, 2]) == [(0, 2, 6)]
        assert store.sent_to([1]) == store.sent_to([]) == []
