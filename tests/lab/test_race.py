"""Races on a tiny recorded site."""

from __future__ import annotations

import io
import os
from functools import partial
from pathlib import Path

import pytest

from lodehound.core.errors import ConfigError, SiteError
from lodehound.lab.race import RaceOptions, Row, Run, in_processes, race, sweep
from lodehound.lab.race_command import _default_policies
from lodehound.lab.tables import early_stop_table, first_table, requests_table, volume_table
from lodehound.stores.locate import locate, read_starts
from lodehound.stores.warc import write_warc
from tests.lab.test_truth import ROOT, file, page


@pytest.fixture
def site(tmp_path: Path) -> tuple[Path, ...]:
    """A home page, ten lists of two files each, and ten pages of nothing."""
    lists = [f"list/{i}" for i in range(10)]
    chats = [f"chat/{i}" for i in range(10)]
    records = [page("", *[c for pair in zip(lists, chats, strict=True) for c in pair])]
    for i, name in enumerate(lists):
        records += [page(name, f"/f/{2 * i}.csv", f"/f/{2 * i + 1}.csv")]
        records += [file(f"f/{2 * i}.csv"), file(f"f/{2 * i + 1}.csv")]
    records += [page(name, "/") for name in chats]
    path = tmp_path / "tiny.warc.gz"
    write_warc(path, records)
    return (path,)


def rows(site: tuple[Path, ...], *policies: str, **options: object) -> list[Run]:
    chosen = RaceOptions(cache=site[0].parent / "cache", **options)  # type: ignore[arg-type]
    return list(race([site], policies, seeds=2, options=chosen))


def test_a_row_has_the_numbers_of_the_run(site: tuple[Path, ...]) -> None:
    row = rows(site, "bfs")[0].row

    assert (row.site, row.policy, row.params, row.seed) == ("tiny.warc.gz", "bfs", {}, 0)
    assert (row.targets_total, row.requests_total, row.found, row.requests) == (20, 41, 20, 41)
    # 1 home + 20 pages + 18 files
    assert row.requests_to_90 == 39
    assert row.pct_requests_to_90 == pytest.approx(100 * 39 / 41)
    assert row.stop_reason == "exhausted"


def test_the_baselines_of_a_race() -> None:
    """What users would write themselves is one of them, where files are wanted."""
    assert _default_policies("files:csv") == ["bfs", "files-first", "sb-classifier", "lodehound"]
    assert _default_policies("markup") == ["bfs", "sb-classifier", "lodehound"]


def test_finds_are_counted_after_the_first_requests(site: tuple[Path, ...]) -> None:
    """A run that ends before has all of them; tables show the three numbers in a row."""
    runs = rows(site, "files-first", "bfs", requests=25)

    # The home page, then a list, its two files and a chat in turn; or all lists and chats first.
    assert [run.row.found_after["100"] for run in runs] == [12, 4]
    assert [*first_table(runs).columns[1].cells] == ["12 / 12 / 12", "4 / 4 / 4"]


def test_tp_off_is_told_apart_from_breadth_first(site: tuple[Path, ...]) -> None:
    """Where its training covers the whole site, its figure is breadth first's, and says so."""
    table = requests_table(rows(site, "tp-off", "tp-off:warmup=40", "bfs"))

    marked = [str(cell).endswith("(bfs)") for cell in table.columns[1].cells]
    assert marked[:3] == [True, False, False]


def test_the_floor_is_that_of_a_crawler_that_knows_every_link(site: tuple[Path, ...]) -> None:
    """The root, nine of the lists, and their 18 files; however the start is written."""
    written = [(), (ROOT,), (ROOT.upper(),), (ROOT + "#top",)]

    assert {rows(site, "bfs", starts=one)[0].row.floor_requests for one in written} == {28.0}


def test_a_policy_without_a_seed_runs_once(site: tuple[Path, ...]) -> None:
    runs = rows(site, "bfs", "random")

    assert [(run.row.policy, run.row.seed) for run in runs] == [
        ("bfs", 0),
        ("random", 0),
        ("random", 1),
    ]


def test_the_groups_of_a_run_are_kept_on_request(site: tuple[Path, ...]) -> None:
    """All pages are linked from one place: one group, with the reward of all lists."""
    (group,) = rows(site, "sb-oracle", groups=True)[0].groups

    assert (group.visits, group.finds, group.waiting) == (20, 20, 0)
    assert rows(site, "sb-oracle")[0].groups == ()


def test_the_omniscient_needs_the_targets_only(site: tuple[Path, ...]) -> None:
    assert rows(site, "omniscient")[0].row.requests_to_90 == 18


def test_the_budget_stops_a_run(site: tuple[Path, ...]) -> None:
    row = rows(site, "bfs", requests=7)[0].row

    assert (row.requests, row.stop_reason, row.requests_to_90) == (7, "requests", None)


def test_early_stopping_stops_a_run(site: tuple[Path, ...]) -> None:
    stop = (("nu", 5.0), ("epsilon", 0.2), ("gamma", 0.5), ("kappa", 2.0))
    row = rows(site, "bfs", early_stop=stop)[0].row

    assert (row.requests, row.stop_reason) == (10, "early-stop")


def test_two_processes_give_the_rows_of_one(site: tuple[Path, ...]) -> None:
    options = RaceOptions(cache=site[0].parent / "cache")
    one = list(race([site], ["random", "bfs"], seeds=2, options=options))
    two = list(race([site], ["random", "bfs"], seeds=2, jobs=2, options=options))

    def counts(runs: list[Run]) -> list[tuple[str, int, int | None]]:
        return sorted((r.row.policy, r.row.seed, r.row.requests_to_90) for r in runs)

    assert counts(one) == counts(two)


def test_a_mistake_is_found_before_the_first_run(site: tuple[Path, ...]) -> None:
    with pytest.raises(ConfigError, match="alpah"):
        rows(site, "bfs", "sb-classifier:alpah=1")
    with pytest.raises(ConfigError, match="alpah"):
        rows(site, "sb-oracle:alpah=1")


def test_confusion_counts_every_prediction(site: tuple[Path, ...]) -> None:
    run = rows(site, "sb-classifier:b=2", confusion=True)[0]

    assert run.confusion is not None
    # 40 links, less those that were asked by HEAD
    assert 30 <= run.confusion.counts.total() < 40
    assert 0 <= run.confusion.misclassified <= 100


def test_a_sweep_needs_a_policy_that_has_the_parameter() -> None:
    with pytest.raises(ConfigError, match="'alpha'"):
        sweep(["bfs"], ["alpha=1,2"])
    with pytest.raises(ConfigError, match="param=value"):
        sweep(["sb-classifier"], ["alpha"])


def test_what_is_swept_replaces_what_is_written() -> None:
    written = ["sb-classifier:theta=0.5,alpha=1"]
    assert sweep(written, ["alpha=2,3"]) == [
        "sb-classifier:theta=0.5,alpha=2",
        "sb-classifier:theta=0.5,alpha=3",
    ]


def test_stop_rules_stand_side_by_side(site: tuple[Path, ...]) -> None:
    """A run that may end at 90 % stops earlier still when the paper's rule says so."""
    paper = (("nu", 5.0), ("epsilon", 0.9), ("kappa", 1.0))
    (alone,) = rows(site, "bfs", enough=True)
    (both,) = rows(site, "bfs", enough=True, early_stop=paper)

    assert 39 <= alone.row.requests < 41
    assert both.row.requests == 5


def test_two_sweeps_give_every_combination() -> None:
    assert len(sweep(["sb-classifier"], ["alpha=1,2", "theta=0.5,0.6,0.7"])) == 6


def test_tables_have_a_row_for_each_policy_and_the_floors(site: tuple[Path, ...]) -> None:
    runs = rows(site, "bfs", "random")

    assert requests_table(runs).row_count == 2 + 4
    assert volume_table(runs).row_count == 2
    assert early_stop_table(runs).row_count == 2


def test_row_fields_are_the_contract() -> None:
    """Scripts outside the repository read these names."""
    contract = """site policy params seed targets_total requests_total found requests requests_to_90
        pct_requests_to_90 pct_volume_to_90 cpu_s peak_rss_mb stop_reason""".split()

    assert list(Row.__dataclass_fields__)[: len(contract)] == contract


def test_sites_are_files_folders_several_or_names(tmp_path: Path) -> None:
    (tmp_path / "sites").mkdir()
    for name in ("a.warc.gz", "b.warc"):
        (tmp_path / "sites" / name).touch()
    folder = tmp_path / "sites"

    assert locate(str(folder / "b.warc")) == (folder / "b.warc",)
    assert locate(str(folder)) == (folder / "a.warc.gz", folder / "b.warc")
    assert locate("a", tmp_path) == (folder / "a.warc.gz",)
    assert locate("a+b", tmp_path) == (folder / "a.warc.gz", folder / "b.warc")
    with pytest.raises(SiteError, match="'c'"):
        locate("c", tmp_path)


def test_starts_come_from_addresses_and_files(tmp_path: Path) -> None:
    listed = tmp_path / "starts.txt"
    listed.write_text(f"# ours\n{ROOT}\n\n {ROOT}a \n", encoding="utf-8")

    assert read_starts([ROOT + "b", str(listed)]) == (ROOT + "b", ROOT, ROOT + "a")
    assert read_starts(["-"], io.BytesIO(ROOT.encode())) == (ROOT,)
    with pytest.raises(ConfigError, match="nowhere"):
        read_starts([str(tmp_path / "nowhere")])
    with pytest.raises(ConfigError, match="contains no URL"):
        read_starts(["-"], io.BytesIO())
    with pytest.raises(ConfigError, match=r"^--start 'foo' is neither a URL nor"):
        read_starts(["foo"], option="--start")


def test_workers_import_nothing_from_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are started by multiprocessing, as ``python -c``."""
    for name in ("socket", "struct", "multiprocessing"):
        (tmp_path / f"{name}.py").write_text("open('shadow', 'w')\nraise SystemExit(9)\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    assert list(in_processes([partial(int, "7")] * 2, 2)) == [7, 7]
    assert (os.environ.get("PYTHONSAFEPATH"), [*tmp_path.glob("shadow")]) == (None, [])
