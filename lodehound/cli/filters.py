"""The filters of every command that reads the catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypedDict

from lodehound.cli.echo import echo
from lodehound.core.errors import ConfigError, UnknownNameError

if TYPE_CHECKING:
    from lodehound.stores.catalogue.entries import Catalogue
    from lodehound.stores.catalogue.wanted import Wanted


class Filters(TypedDict, total=False):
    """Which finds a command reads; all of them unless given."""

    like: Annotated[str, "Text in a title, URL, name or column."]
    type: Annotated[str, "csv, xlsx, pdf..., or a MIME type."]
    min_rows: Annotated[int, "Minimum number of rows of the largest table."]
    content: Annotated[
        str, "tables, no-rows, no-tables, empty, unreadable, truncated or not-inspected."
    ]
    new: Annotated[bool, "Only files that were new in the last round."]
    changed: Annotated[bool, "Only files that had changed in the last round."]
    gone: Annotated[bool, "Only files that were gone in the last round."]
    round: Annotated[int, "With --new, --changed or --gone: another round."]


def check_type(catalogue: Catalogue, kind: str | None) -> bool:
    """Return whether no find is of a type; if so, print which types there are.

    Raises:
        UnknownNameError: It is no type at all.
    """
    from lodehound.core.file_endings import FILE_ENDINGS

    there = catalogue.types()
    wanted = (kind or "").strip().lower().removeprefix(".")
    if not wanted or not there or wanted in there:
        return False
    names = sorted(name for name in there if "/" not in name)
    if wanted not in FILE_ENDINGS and "/" not in wanted:
        raise UnknownNameError("type", kind or "", names)
    echo(f"No find is of type {wanted}: there are {', '.join(names)}.", err=True)
    return True


def tell_none(given: dict[str, Any]) -> None:
    """Print on standard error that nothing passes the filters, or that nothing was found."""
    from lodehound.text.shell import quoted

    flags = [
        f"--{name.replace('_', '-')}{'' if value is True else f' {quoted(value)}'}"
        for name, value in given.items()
        if value not in (None, False)
    ]
    echo(f"No find matches {' '.join(flags)}." if flags else "No finds so far.", err=True)


def tell_round(catalogue: Catalogue) -> None:
    """Write to standard error if the round whose changes are read did not come to its end."""
    if not catalogue.wanted.changes:
        return
    from lodehound.reports.round_report import shortfall_of

    if said := shortfall_of(catalogue.round):
        echo(said, err=True)


def wanted_of(given: dict[str, Any]) -> Wanted:
    """Return what the filters on the command line ask for."""
    from lodehound.stores.catalogue.wanted import ALL, Wanted
    from lodehound.stores.database.schema import CONTENTS

    chosen = {name: value for name, value in given.items() if value is not None}
    if not str(chosen.get("type", "csv")).strip(" ."):
        raise ConfigError("--type is empty: name one, csv or application/pdf say.")
    if chosen.get("min_rows", 0) < 0:
        raise ConfigError(f"--min-rows {chosen['min_rows']} is less than 0: name a number of rows.")
    if "round" in chosen and not {"new", "changed", "gone"} & chosen.keys():
        raise ConfigError("--round needs --new, --changed or --gone.")
    if chosen.get("content", "tables") not in CONTENTS:
        raise UnknownNameError("content", chosen["content"], CONTENTS)
    return Wanted(**chosen) if chosen else ALL
