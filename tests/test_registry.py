"""Names to classes, and what the user writes behind them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, Literal

import pytest

from lodehound import registry
from lodehound.core.errors import ConfigError, UnknownNameError
from lodehound.core.policy import Policy
from lodehound.core.target import Target
from lodehound.papers.sb_classifier.focused import Focused
from lodehound.papers.sb_classifier.sb_classifier import SbClassifier
from lodehound.papers.sb_classifier.sb_oracle import SbOracle
from lodehound.papers.sb_classifier.tp_off import TpOff
from lodehound.policies.bfs import Bfs
from lodehound.registry import (
    HANDED,
    Spec,
    accepts,
    known,
    load_policy,
    load_target,
    make_policy,
    make_target,
    parameters_of,
    parse,
    shipped,
)
from lodehound.small_web import SmallWeb
from lodehound.targets import TARGETS
from lodehound.targets.files import Files


@pytest.fixture(autouse=True)
def _fresh_names() -> Iterator[None]:
    """What is installed is looked up once; here it changes from test to test."""
    known.cache_clear()
    yield
    known.cache_clear()


def policy(text: str, **given: Any) -> Policy:
    return make_policy(parse("policy", text), **given)


# --- specs -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "name", "argument"),
    [
        ("bfs", "bfs", ""),
        (" bfs ", "bfs", ""),
        ("bfs:", "bfs", ""),
        ("sb-classifier:b=5,compat=kit", "sb-classifier", "b=5,compat=kit"),
        ("my.module:Class", "my.module:Class", ""),
        ("my.module:Class:a=1,b=x:y", "my.module:Class", "a=1,b=x:y"),
        ("nothing", "nothing", ""),
        ("", "", ""),
    ],
)
def test_specs(text: str, name: str, argument: str) -> None:
    """A known name and what is behind it, or a module, a class and what is behind them."""
    assert parse("policy", text) == Spec("policy", name, argument)


def test_params() -> None:
    """Written param=value, parted by commas, blanks and empty parts ignored."""
    assert Spec("policy", "p", " a = 1 ,, b=x=y,c=, ").params == {"a": "1", "b": "x=y", "c": ""}


# --- shipped -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", shipped("policy"))
def test_shipped_policies_load(name: str) -> None:
    """Under the name that their file has."""
    cls = load_policy(parse("policy", name))

    assert issubclass(cls, Policy)
    camel = "".join(word.capitalize() for word in name.split("-"))
    *_, room, module = cls.__module__.removesuffix(".lodehound_policy").split(".")
    assert module == name.replace("-", "_")
    assert room in {"policies", "sb_classifier", "anthelion", "ldcoc", "han"}
    assert cls.__name__.removesuffix("Policy") == camel


@pytest.mark.parametrize("name", TARGETS)
def test_shipped_targets_load(name: str) -> None:
    """By the names the command line knows."""
    assert issubclass(load_target(parse("target", name)), Target)


@pytest.mark.parametrize("name", shipped("policy"))
def test_parameters_are_kept_and_described(name: str) -> None:
    """Each is keyword-only, has a default and a line of text, and is kept under its own name."""
    cls = load_policy(parse("policy", name))
    made = policy(name, seed=5, truth=SmallWeb())
    for parameter in parameters_of(cls):
        assert hasattr(made, parameter.name)
        assert parameter.doc
        if parameter.name not in {"seed", *HANDED}:
            assert getattr(made, parameter.name) == parameter.default


def test_targets_with_and_without_an_argument() -> None:
    """What stands behind a target's name is its own language."""
    texts = ("files:paper", "files:text/csv")
    one, other = (make_target(parse("target", text)) for text in texts)

    assert isinstance(one, Files)
    assert isinstance(other, Files)
    assert (len(one.mimes), sorted(other.mimes)) == (38, ["text/csv"])


# --- values ------------------------------------------------------------------------------------


def test_values_are_read_by_type() -> None:
    """Whole numbers, numbers and choices, as the constructor declares them."""
    made = policy("sb-classifier:b=5,theta=0.5,model=svm,compat=kit,features=context")

    assert isinstance(made, SbClassifier)
    assert (made.b, made.theta, made.model, made.compat) == (5, 0.5, "svm", "kit")


class Typed(Bfs):
    """A policy of all types.

    Args:
        flag: Yes or no,
            and more of it.
        limit: A number or nothing.
        pick: One of three.
    """

    def __init__(
        self,
        *,
        flag: bool = False,
        limit: int | None = 3,
        pick: Literal[1, "two", ""] = 1,
        odd: bytes = b"",
    ) -> None:
        super().__init__()
        self.got = (flag, limit, pick)


@pytest.mark.parametrize(
    ("written", "got"),
    [
        ("flag=yes", (True, 3, 1)),
        ("flag=ON,limit=none", (True, None, 1)),
        ("flag=0,limit=", (False, None, 1)),
        ("limit=7,pick=two", (False, 7, "two")),
        ("pick=1", (False, 3, 1)),
        ("pick=", (False, 3, "")),
    ],
)
def test_other_types(written: str, got: tuple[object, ...]) -> None:
    """Yes and no in several words, nothing for None, choices that are no text."""
    made = policy(f"tests.test_registry:Typed:{written}")

    assert isinstance(made, Typed)
    assert made.got == got


def test_parameters_come_from_constructor_and_docstring() -> None:
    """Name, type, default and text; what is choice lists its values."""
    flag, limit, pick, odd = parameters_of(Typed)

    assert (flag.name, flag.type, flag.default, flag.doc) == (
        "flag",
        bool,
        False,
        "Yes or no, and more of it.",
    )
    assert (limit.choices, pick.choices, odd.doc) == ("int | None", "1|two|(none)", "")


def test_parameters_are_inherited_through_options() -> None:
    """**options hands on those of the class above; without it there are none from there."""
    assert [parameter.name for parameter in parameters_of(Bfs)] == []
    names = [parameter.name for parameter in parameters_of(SbOracle)]
    assert names[0] == "truth"
    assert {"alpha", "theta", "seed"} <= set(names)
    assert (accepts(SbOracle, "alpha"), accepts(Focused, "alpha")) == (True, False)


# --- seed and truth ----------------------------------------------------------------------------


def test_the_crawl_fills_in_seed_and_truth() -> None:
    """Where the constructor takes them; a seed that is written wins."""
    truth = SmallWeb()
    seeded, own, told, plain = (
        policy(text, seed=5, truth=truth) for text in ("random", "random:seed=9", "tp-off", "bfs")
    )

    assert (vars(seeded)["seed"], vars(own)["seed"]) == (5, 9)
    assert isinstance(told, TpOff)
    assert told.truth is truth
    assert isinstance(plain, Bfs)


def test_truth_cannot_be_written() -> None:
    """The lab gives it; on the command line it is no parameter."""
    with pytest.raises(UnknownNameError, match="no parameter of tp-off 'truth'"):
        policy("tp-off:truth=x")


@pytest.mark.parametrize("name", ["omniscient", "sb-oracle"])
def test_who_needs_the_truth_runs_on_recorded_sites_only(name: str) -> None:
    """The message says where it runs."""
    with pytest.raises(ConfigError, match=f"Policy '{name}' is told the answers"):
        policy(name)


# --- unknown names -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sb-clasifier", "There is no policy 'sb-clasifier'. Did you mean 'sb-classifier'?"),
        ("zzz", "There is no policy 'zzz'. Known: anthelion, best-first, bfs, "),
        ("", "There is no policy ''. Known: anthelion, best-first, bfs, "),
        (":x", "There is no policy ':x'. Known: anthelion, best-first, bfs, "),
        ("..a:B", "There is no policy '..a:B'. Known: anthelion, best-first, bfs, "),
        ("no_such_module:X", "As a module: No module named 'no_such_module'."),
        ("json:dumps", "'json:dumps' is no policy: 'json' has no class 'dumps'"),
        ("json:Nothing", "'json' has no class 'Nothing' that derives from lodehound.Policy."),
        (
            "lodehound.targets.files:Files",
            "has no class 'Files' that derives from lodehound.Policy.",
        ),
        (
            "sb-classifier:tetha=1",
            "There is no parameter of sb-classifier 'tetha'. Did you mean 'theta'?",
        ),
        ("bfs:seed=1", "There is no parameter of bfs 'seed'. Known: none."),
    ],
)
def test_unknown_names(text: str, message: str) -> None:
    """Every mistake is a ConfigError that names it and the way out."""
    with pytest.raises(ConfigError) as caught:
        policy(text)

    assert message in str(caught.value)


# --- plug-ins ----------------------------------------------------------------------------------

MINE = """
from lodehound import Verdict, Target
from lodehound.policies.bfs import Bfs

class Mine(Bfs):
    def __init__(self, *, size: int = 1) -> None:
        super().__init__()
        self.size = size

class Nothing(Target):
    def judge(self, page):
        return Verdict(found=False)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's folder with a file of theirs, and a path that does not hold it."""
    (tmp_path / "my_own_policies.py").write_text(MINE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if entry])
    monkeypatch.delitem(sys.modules, "my_own_policies", raising=False)
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_a_class_in_the_current_folder() -> None:
    """A file of the user's is a module to them, parameters and all."""
    made = policy("my_own_policies:Mine:size=4")
    target = make_target(parse("target", "my_own_policies:Nothing"))

    assert (type(made).__name__, vars(made)["size"]) == ("Mine", 4)
    assert type(target).__name__ == "Nothing"
    assert "" not in sys.path  # no other module is looked for there
    with pytest.raises(ConfigError, match="Nothing takes no argument"):
        make_target(parse("target", "my_own_policies:Nothing:x"))


def test_a_module_that_breaks(folder: Path) -> None:
    """Anybody's code runs when it is imported: what it raises is told, not thrown at the user."""
    (folder / "broken_policies.py").write_text("1 / 0")

    with pytest.raises(ConfigError, match="broken_policies raises ZeroDivisionError"):
        policy("broken_policies:Mine")


class Demanding(Bfs):
    """Has a parameter without a default."""

    def __init__(self, *, goal: int) -> None:
        super().__init__()
        self.goal = goal


def test_a_parameter_that_must_be_written() -> None:
    """The message says how."""
    made = policy("tests.test_registry:Demanding:goal=3")

    assert vars(made)["goal"] == 3
    with pytest.raises(ConfigError, match=r"needs goal: write tests.test_registry:Demanding:goal="):
        policy("tests.test_registry:Demanding")


@pytest.fixture(autouse=True)
def fresh_names() -> Iterator[None]:
    """What is installed is looked up once; here it changes."""
    known.cache_clear()
    yield
    known.cache_clear()


def install(monkeypatch: pytest.MonkeyPatch, *entries: EntryPoint) -> None:
    """Pretend that a package with these entry points is installed."""

    def entry_points(*, group: str) -> list[EntryPoint]:
        return [entry for entry in entries if entry.group == group]

    monkeypatch.setattr(registry, "entry_points", entry_points)


def test_installed_plug_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry point is a name like any other; its class may take parameters."""
    install(
        monkeypatch,
        EntryPoint("typed", "tests.test_registry:Typed", "lodehound.policy"),
        EntryPoint("feeds", "examples.feeds:Feeds", "lodehound.target"),
    )

    made = policy("typed:limit=8")

    assert isinstance(made, Typed)
    assert made.got == (False, 8, 1)
    assert type(make_target(parse("target", "feeds"))).__name__ == "Feeds"
    assert set(known("policy")) == {*shipped("policy"), "typed"}
    with pytest.raises(UnknownNameError, match="Did you mean 'typed'"):
        policy("tiped")


def test_shipped_names_win(monkeypatch: pytest.MonkeyPatch) -> None:
    """No installed package replaces a policy that results name."""
    install(monkeypatch, EntryPoint("bfs", "tests.test_registry:Typed", "lodehound.policy"))

    assert type(policy("bfs")) is Bfs


def test_a_plug_in_that_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The name is known, its package is not there: the import error is told."""
    install(monkeypatch, EntryPoint("lost", "no_such_package:Lost", "lodehound.policy"))

    with pytest.raises(ConfigError, match="No module named 'no_such_package'"):
        policy("lost")
