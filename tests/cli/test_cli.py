"""The command line as a user types it: exit codes, messages, files."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lodehound.cli import main
from lodehound.stores.warc import write_warc
from tests.lab.test_truth import file, page

Cli = Callable[..., tuple[int, str, str]]


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run a command; return exit code, output and errors."""

    def run(*arguments: object) -> tuple[int, str, str]:
        # Help names the command as it was started, which is not "python -m pytest".
        monkeypatch.setattr(sys.modules["__main__"], "__package__", None)
        monkeypatch.setattr(sys, "argv", ["lodehound", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            main()
        out, err = capsys.readouterr()
        return int(stop.value.code or 0), out, err

    return run


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LODEHOUND_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "tiny.warc.gz"
    write_warc(path, [page("", "a.csv", "b"), file("a.csv"), page("b", "c.csv"), file("c.csv")])
    return path


def test_race_prints_the_tables_and_writes_rows(cli: Cli, site: Path, tmp_path: Path) -> None:
    rows = tmp_path / "out.jsonl"
    code, out, _ = cli("race", site, "--policy", "bfs", "--policy", "random", "--json", rows)

    assert code == 0
    assert "Requests to 90 % of the targets" in out
    assert "Other bytes received" in out
    written = [json.loads(line) for line in rows.read_text().splitlines()]
    assert [(row["policy"], row["seed"]) for row in written] == [
        ("bfs", 0),
        ("random", 0),
        ("random", 1),
        ("random", 2),
    ]


def test_race_starts_where_told(cli: Cli, site: Path, tmp_path: Path) -> None:
    rows = tmp_path / "out.jsonl"
    cli("race", site, "--policy", "bfs", "--from", "https://s.example/b", "--json", rows)

    assert json.loads(rows.read_text())["targets_total"] == 1


def test_race_sweeps_and_shows_confusion(cli: Cli, site: Path) -> None:
    code, out, _ = cli(
        "race", site, "--policy", "sb-classifier", "--sweep", "alpha=0.1,30", "--confusion"
    )

    assert code == 0
    assert "sb-classifier:alpha=0.1" in out
    assert "sb-classifier:alpha=30" in out
    assert "misclassified" in out


@pytest.mark.parametrize("ending", [".html", ".png", ".svg"])
def test_race_plots(cli: Cli, site: Path, tmp_path: Path, ending: str) -> None:
    plot = tmp_path / f"curves{ending}"
    code, _, _ = cli("race", site, "--policy", "bfs", "--policy", "omniscient", "--curves", plot)

    assert code == 0
    assert plot.stat().st_size > 5000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--policy", "sb-clasifier"], "There is no policy 'sb-clasifier'. Did you mean"),
        (["--policy", "sb-classifier:alpah=1"], "Did you mean 'alpha'?"),
        (["--policy", "sb-classifier:alpha=many"], "alpha='many'"),
        (["--policy", "sb-classifier:m=20,w=4"], "0 < m < w"),
        (["--want", "filez"], "There is no target 'filez'. Did you mean 'files'?"),
        (["--want", "files:xslx"], "There is no file type 'xslx'. Did you mean 'xlsx'?"),
        (["--early-stop", "maybe"], "use off, auto or paper"),
        (["--early-stop", "paper", "--stop-gamma", "0"], "0 < gamma <= 1"),
        (["--curves", "plot.gif"], ".html, .png, .svg"),
        (["--sweep", "alpha"], "param=value"),
        (["--from", "nowhere.txt"], "nowhere.txt"),
        (["--json", "no/such/folder/out.jsonl"], "cannot be written"),
        (["--seeds", "0"], "--seeds"),
        (["--weights", "w.json", "--policy", "bfs"], "--weights is for policies like sarsa"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    cli: Cli, site: Path, arguments: list[str], message: str
) -> None:
    code, _, err = cli("race", site, *arguments)

    assert code == 2
    assert message in err
    assert "Traceback" not in err


def test_a_missing_site_is_named(cli: Cli) -> None:
    code, _, err = cli("race", "nowhere.warc.gz")

    assert (code, "nowhere.warc.gz" in err) == (2, True)


def test_a_cut_off_site_is_used_up_to_the_cut_with_a_warning(cli: Cli, site: Path) -> None:
    site.write_bytes(site.read_bytes()[:-150])
    code, out, err = cli("race", site, "--policy", "bfs")

    assert code == 0
    assert "Requests to 90 %" in out
    assert "warning: tiny.warc.gz" in err


def test_check_says_which_promises_are_kept(cli: Cli) -> None:
    code, out, _ = cli("check", "sb-classifier")

    assert code == 0
    assert "kept    gives every link once" in out
    assert "kept    resumes a crawl of another policy" in out
    assert "broken" not in out
    assert "note" not in out


def test_check_catches_a_bad_policy_of_ones_own(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "forgetful_one.py").write_text(
        "from lodehound import Policy\n"
        "class Forgetful(Policy):\n"
        "    def choose(self, asleep): return None\n"
        "    def learn(self, outcome): pass\n",
        encoding="utf-8",
    )
    code, out, _ = cli("check", "forgetful_one:Forgetful")

    assert code == 1
    assert "broken" in out
    assert (
        "-       resumes a crawl of another policy: does not apply: it has no pick and take" in out
    )


def test_check_asks_a_shortcut_for_the_files_of_a_recorded_answer(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "portal.py").write_text(
        "from lodehound.shortcuts.contract import Shortcut\n"
        "class Nothing(Shortcut):\n"
        "    def signs(self, page): return ()\n"
        "    def expand(self, answer): return None\n",
        encoding="utf-8",
    )
    answer = Path(__file__).parents[1] / "shortcuts" / "fixtures" / "ckan" / "package_search.json"
    url = "https://data.example.org/api/3/action/package_search"

    unasked = cli("check", "portal:Nothing")
    nothing = cli("check", "portal:Nothing", "--answer", answer)
    ckan = cli("check", "ckan", "--answer", answer, "--url", url)
    other = cli("check", "bfs", "--answer", answer)

    assert unasked[0] == 0
    assert "-       lists files: does not apply: give a recorded answer with --answer" in unasked[1]
    assert nothing[0] == 1
    assert "broken  lists files: expand returned None" in nothing[1]
    assert ckan[0] == 0
    assert "kept    lists files" in ckan[1]
    assert other[0] == 2
    assert "--answer is for shortcuts" in other[2]


def test_check_runs_on_targets(cli: Cli) -> None:
    code, out, _ = cli("check", "files:csv")

    assert (code, out.count("kept")) == (0, 3)


def test_policies_lists_parameters_and_defaults(cli: Cli) -> None:
    code, out, _ = cli("policies")

    assert code == 0
    assert "sb-oracle (recorded sites only)" in out
    assert "theta=0.75  [float]  Least cosine to join a group." in out


def test_targets_lists_the_kinds(cli: Cli) -> None:
    code, out, _ = cli("targets")

    assert (code, "files" in out) == (0, True)


def test_version_and_help_run_as_a_process() -> None:
    """The installed command itself, without the heavy imports."""
    program = "import sys; sys.argv = ['lodehound', '--help']; from lodehound.cli import main\n"
    program += (
        "try: main()\nexcept SystemExit: print(sorted(set(sys.modules) & {'numpy', 'plotly'}))"
    )
    answer = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert "race" in answer.stdout
    assert answer.stdout.rstrip().endswith("[]")


def test_a_bug_is_one_line_unless_all_of_it_is_wanted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its last line names the mistake and the place."""
    monkeypatch.setattr("lodehound.cli.program.command_line", lambda: lambda: 1 / 0)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1
    said = capsys.readouterr().err
    assert re.fullmatch(
        r"lodehound: A bug of Lodehound or of a plug-in: ZeroDivisionError: division by zero "
        r"\(test_cli\.py:\d+\)\. Please report it with what LODEHOUND_TRACEBACK=1 shows .*\n",
        said,
    )
    monkeypatch.setenv("LODEHOUND_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        main()
