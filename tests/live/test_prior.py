"""What one site taught helps the next: learn-prior, and crawls that begin with a prior."""

from __future__ import annotations

import json
from pathlib import Path

from lodehound.sites import StatsOffice
from lodehound.stores.warc import write_warc
from tests.live import query, run_many


def recorded(folder: Path, name: str) -> Path:
    path = folder / f"{name}.warc.gz"
    host = f"https://{name}.example/"
    write_warc(path, StatsOffice(pages=40, files=12, host=host).records())
    return path


def test_two_crawls_teach_a_third(tmp_path: Path) -> None:
    """Named twice, a crawl counts once; a prior is read when a crawl begins, and not again."""
    quiet = ["--no-inspect", "--quiet"]
    crawls = [
        ["crawl", "--replica", recorded(tmp_path, name), "--out", name, *quiet]
        for name in ("a", "b")
    ]
    learn = ["learn-prior", "a", "b", tmp_path / "a", "empty", "--output", "prior.json"]
    third = ["crawl", "--replica", recorded(tmp_path, "c"), "--out", "c", *quiet]
    third += ["--requests", 10, "--prior", "prior.json"]
    *_, learned, begun = run_many([*crawls, learn, third], tmp_path)
    assert learned.code == 0
    left_out, written = learned.err.splitlines()
    assert left_out.startswith("left out: empty: There is no crawl in 'empty'")
    assert written.endswith("weights of 2 crawls written to prior.json")
    prior = json.loads((tmp_path / "prior.json").read_text())
    assert (prior["format"], prior["crawls"]) == ("lodehound-prior-1", 2)
    assert (begun.code, begun.said) == (0, "")
    (tmp_path / "prior.json").unlink()
    [on] = run_many([["resume", "c", "--requests", "+10", "--quiet"]], tmp_path)
    assert (on.code, on.said) == (0, "")
    config = json.loads(query(tmp_path / "c", "SELECT value FROM meta WHERE key = 'config'")[0][0])
    assert json.loads(config["prior_weights"]) == prior["weights"]


def test_of_an_updated_crawl_the_first_round_teaches(tmp_path: Path) -> None:
    recording = recorded(tmp_path, "a")
    commands: list[list[object]] = [
        ["crawl", "--replica", recording, "--out", "a", "--no-inspect", "--quiet"],
        ["update", "a", "--quiet"],
        ["learn-prior", "a", "--output", "prior.json"],
    ]
    *_, learned = run_many(commands, tmp_path)
    assert learned.code == 0, learned.err
    assert learned.err.endswith("weights of 1 crawl written to prior.json\n")


def test_what_is_no_prior_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text('{"weights": {}}')
    (tmp_path / "bad.json").write_text('{"format": "lodehound-prior-1", "weights": {"x": 1}}')
    (tmp_path / "good.json").write_text('{"format": "lodehound-prior-1", "weights": {}}')
    far = '{"format": "lodehound-prior-1", "weights": {"999999999": [1, 1]}}'
    (tmp_path / "far.json").write_text(far)
    crawl = ["crawl", "https://a.example/", "--out", "out", "--prior"]
    commands = [
        [*crawl, "missing.json"],
        [*crawl, "other.json"],
        [*crawl, "bad.json"],
        [*crawl, "far.json"],
        [*crawl, "good.json", "--policy", "bfs"],
        ["learn-prior", "nowhere"],
    ]
    said = [
        "The prior 'missing.json' cannot be read",
        "'other.json' is no prior of this version",
        "The prior 'bad.json' is damaged",
        "The prior 'far.json' is damaged",
        "--prior is for policies like lodehound: 'bfs' does not take it.",
        "There is nothing to learn from (nowhere: There is no crawl in 'nowhere'",
    ]
    for done, words in zip(run_many(commands, tmp_path), said, strict=True):
        assert (done.code, words in done.err, done.err.count("\n")) == (2, True, 1), done.err
