"""Options that the user names again: a directory, perhaps a stranger's, does not decide them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lodehound.cli.echo import echo
from lodehound.option_types import NamedOptions
from lodehound.text.shell import quoted

if TYPE_CHECKING:
    from lodehound.config import CrawlConfig
    from lodehound.stores.crawl_dir import CrawlDir
    from lodehound.stores.fleet import FleetStore

NO_PRIOR = "note: this was begun with --prior, which no longer exists: it goes on without it"


def changes_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that change a crawl, of those given."""
    again = NamedOptions.__annotations__
    return {n: value for n, value in given.items() if value is not None and n not in again}


def allowed(
    config: CrawlConfig,
    opened: CrawlDir,
    given: Mapping[str, Any],
    changes: Mapping[str, Any],
    command: str,
) -> CrawlConfig:
    """Return the config of a crawl with what the user names again; refuse what nobody named."""
    from lodehound.assembly.resuming import again_with
    from lodehound.assembly.trust import PROTECTIONS, named_again, refuse_unnamed
    from lodehound.config import had_prior

    if had_prior(opened.config):
        echo(NO_PRIOR, err=True)
    config = named_again(config, {name: given.get(name) for name in NamedOptions.__annotations__})
    news = {name: changes[name] for name in ("policy", "browser", *PROTECTIONS) if name in changes}
    news |= {name: tuple(value) for name, value in news.items() if isinstance(value, list)}
    refuse_unnamed(
        config.with_named(**news), opened.path, again_with(command, opened, {**given, **changes})
    )
    return config


def named_in_fleet(
    store: FleetStore, place: str, command: str, requests: str | None, again: dict[str, Any]
) -> frozenset[tuple[str, str]]:
    """Return the options that the user names again; refuse those that only the directory names."""
    from lodehound.assembly.fleet_setup import refuse_unnamed_sites
    from lodehound.assembly.trust import named_options
    from lodehound.config import had_prior

    if any(map(had_prior, {site.options for site in store.sites()})):
        echo(NO_PRIOR, err=True)
    named = named_options(again)
    typed = f"lodehound fleet {command} {quoted(place)}"
    typed += "" if requests is None else f" --requests {quoted(requests)}"
    refuse_unnamed_sites(store, place, named, typed)
    return named
