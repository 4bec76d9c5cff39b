"""A generated site that is served, recorded and replayed: what its tests share."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from lodehound.cli import main
from lodehound.drivers.replay import scope_of
from lodehound.lab.site_truth import survey
from lodehound.sites import StatsOffice
from lodehound.sites.server import SiteServer
from lodehound.stores.cache import open_site
from lodehound.stores.records import Damage, Record
from lodehound.stores.warc import read_warc, write_warc
from lodehound.targets.files import Files

# Delays are for real sites; and however busy the machine is, nothing here is slow on purpose.
HASTE = ("--delay", 0, "--backoff", 0.05)


def office(host: str = "https://stats.example/") -> StatsOffice:
    return StatsOffice(pages=60, files=12, redirects=4, host=host)


@contextmanager
def served(folder: Path) -> Iterator[tuple[SiteServer, Path]]:
    """Serve the site; beside the server there is the recording that it was generated as."""
    with SiteServer() as server:
        server.serve(office(server.url).records())
        generated = folder / "generated.warc.gz"
        write_warc(generated, office(server.url).records())
        yield server, generated


def totals(path: Path) -> tuple[int, int, int]:
    """Return what the lab divides by: requests, targets and the bytes of these."""
    site = open_site([path], cache=path.parent / "cache")
    assert site.damage == Damage()
    scope = scope_of(site, [site.root])
    truth = survey(site, target=Files(), starts=[site.root], scope=scope)
    return truth.requests_total, truth.targets_total, truth.target_bytes


def responses(path: Path) -> list[Record]:
    """Return the responses of a recording that is whole."""
    damage = Damage()
    records = list(read_warc(path, damage))
    assert damage == Damage()
    return records


def tear(path: Path) -> None:
    """Leave half a record at the end of a recording, as a killed process may."""
    with path.open("ab") as file:
        file.write(gzip.compress(b"WARC/1.1\r\nWARC-Type: response\r\n" * 9)[:40])


def refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: object
) -> str:
    """Give a command that cannot be run; return what it says."""
    monkeypatch.setattr("sys.argv", ["lodehound", *map(str, words)])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    return capsys.readouterr().err


def steps(said: str) -> list[dict[str, Any]]:
    """Return the steps of a JSON log."""
    events = map(json.loads, said.splitlines())
    return [event for event in events if event["event"] == "step"]
