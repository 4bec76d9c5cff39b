"""What is written wrong behind a policy's name, and what is said of it."""

from __future__ import annotations

import pytest

from lodehound.core.errors import ConfigError
from lodehound.registry import need_parameter
from tests.test_registry import policy


@pytest.mark.parametrize("argument", ["a", "a=1,b", "=1", " =1"])
def test_what_is_no_param(argument: str) -> None:
    """The message repeats the part that is wrong and shows the form."""
    with pytest.raises(ConfigError, match=r"is no param=value: write bfs:param=value,\.\.\."):
        policy(f"bfs:{argument}")


@pytest.mark.parametrize(
    ("argument", "message"), [("b=5,theta=0.5,b=6", "b stands twice"), (",", "nothing behind")]
)
def test_params_that_cannot_be_meant(argument: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        policy(f"sb-classifier:{argument}")


def test_an_option_that_no_policy_takes() -> None:
    need_parameter("weights", ["bfs", "sarsa:similarity=tfidf"])
    with pytest.raises(ConfigError, match="--weights is for policies like sarsa: 'bfs' does not"):
        need_parameter("weights", ["bfs"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sb-classifier:b=ten", "b='ten' .*: write a whole number"),
        ("sb-classifier:b=1.5", "b='1.5' .*: write a whole number"),
        ("sb-classifier:theta=nan", "theta='nan' .*: write a finite number"),
        ("sb-classifier:theta=", "theta='' .*: write a finite number"),
        ("sb-classifier:model=tree", r"model='tree' of .*: write one of lr\|svm\|nb\|pa"),
        ("sb-classifier:compat=x", r"compat='x' of .*: write one of \(none\)\|kit"),
        ("sb-classifier:b=0", "b=0.*: .*b >= 1"),
    ],
)
def test_bad_values(text: str, message: str) -> None:
    """The message names the parameter, its value, and what may be written."""
    with pytest.raises(ConfigError, match=message):
        policy(text)


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("flag=maybe", "true or false"),
        ("limit=many", "a whole number or none"),
        ("pick=three", "one of"),
        ("odd=x", "bytes"),
    ],
)
def test_other_types_written_wrong(written: str, words: str) -> None:
    """And a type that cannot be written at all."""
    with pytest.raises(ConfigError, match=f"is not understood: write {words}"):
        policy(f"tests.test_registry:Typed:{written}")
