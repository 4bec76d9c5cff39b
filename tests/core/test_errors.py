"""The tree of errors: you, the plug-in, the stored data."""

from __future__ import annotations

import pytest

from lodehound.core.errors import (
    ConfigError,
    ContractError,
    LodehoundError,
    SiteError,
    UnknownNameError,
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
