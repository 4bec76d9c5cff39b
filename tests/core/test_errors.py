"""The tree of errors: you, the plug-in, the stored data."""

from __future__ import annotations

import pytest

from lodehound.core.errors import (
    ConfigError,
    ContractError,
    LodehoundError,
    SiteError,
    UnknownNameError,
    text_of,
    without_secrets,
)


def test_the_tree() -> None:
    """Every error has one parent, and the command line can catch all of them by one name."""
    parents = {
        cls: cls.__bases__ for cls in (ConfigError, ContractError, SiteError, UnknownNameError)
    }

    assert parents == {
        ConfigError: (LodehoundError,),
        ContractError: (LodehoundError,),
        SiteError: (LodehoundError,),
        UnknownNameError: (ConfigError,),
    }
    assert LodehoundError.__bases__ == (Exception,)


@pytest.mark.parametrize(
    ("name", "known", "message"),
    [
        ("bsf", ["dfs", "bfs"], "There is no policy 'bsf'. Did you mean 'bfs'?"),
        ("xyz", ["dfs", "bfs"], "There is no policy 'xyz'. Known: bfs, dfs."),
        ("xyz", [], "There is no policy 'xyz'. Known: none."),
    ],
)
def test_unknown_names_get_a_way_out(name: str, known: list[str], message: str) -> None:
    """A near name is suggested; where none is near, all are listed in order."""
    assert str(UnknownNameError("policy", name, iter(known))) == message


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("407, url='http://me:pass@e.example:80/x'", "407, url='http://***@e.example:80/x'"),
        ("s3://key:se/cr+et@bucket/x gone", "s3://***@bucket/x gone"),
        ("ftp://me:a@b@e.example", "ftp://***@e.example"),
        ("<https://me@e.example/>", "<https://***@e.example/>"),
        ("https://e.example/@me and me@e.example", "https://e.example/@me and me@e.example"),
        ("http://e.example:80/a@b?c=d@e", "http://e.example:80/a@b?c=d@e"),
        ("the key hushhush and hush", "the key *** and ***"),
    ],
)
def test_addresses_lose_credentials_and_texts_lose_secrets(text: str, told: str) -> None:
    assert without_secrets(text, ["hush", "", "hushhush"]) == told


def test_what_others_say_is_one_short_line() -> None:
    assert text_of(ValueError(" a\n  http://me:pass@b \t" + 300 * "c")) == (
        "a http://***@b " + 185 * "c"
    )
    assert text_of(ValueError("x" * 190 + "hush" * 9), ["hush"]) == "x" * 190 + "***" * 3 + "*"
    assert text_of(ValueError()) == "ValueError"
