"""What a fleet is made of: the sites of a list, each with its config, name and team."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from lodehound.assembly.build import check_seed, policy_of, target_of
from lodehound.assembly.divided import is_part, parts_of
from lodehound.assembly.trust import REFUSED, joined_options, refuse_unnamed, unnamed
from lodehound.config import (
    CrawlConfig,
    asks_for_more,
    pairs_of,
    secrets_of,
)
from lodehound.core.errors import ConfigError
from lodehound.core.scope import WHOLE, site_of
from lodehound.core.urls import canonical, host_of
from lodehound.options import NOTHING_USED, SECRETS
from lodehound.registry import load_target, parse
from lodehound.stores.errors import DiskFullError, write_error
from lodehound.stores.files.layout import DATABASE as CRAWL
from lodehound.stores.fleet import FleetStore, NewSite, NoFleetError, go_on
from lodehound.stores.fleet.parts import name_of_part
from lodehound.stores.fleet.site_list import ListedSite, read_sites
from lodehound.stores.locks.lock import Lock
from lodehound.stores.remote.fleet import PREFIX, RemoteFleet, local_copy
from lodehound.stores.remote.objects import is_url
from lodehound.version import VERSION

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
SHOWN = 3  # bad entries that a message names
DEFAULTS = {o.name: o.default for o in fields(CrawlConfig) if o.name != "named"}
Named = frozenset[tuple[str, str]]
NOTHING: Named = frozenset()
WEB = "*"  # the domain of a crawl that may go anywhere


@dataclass(slots=True)
class SiteList:
    """The sites of a list that can be crawled, and what was left out."""

    sites: list[NewSite] = field(default_factory=list)
    configs: list[CrawlConfig] = field(default_factory=list)
    duplicates: int = 0
    bad: list[str] = field(default_factory=list)  # what is wrong, by place


def make_list(
    path: Path,
    given: Mapping[str, Any],
    *,
    names: Mapping[str, str],
    used: Callable[[str], Mapping[str, float]] = lambda _: NOTHING_USED,
    skip_bad: bool = False,
    parts: int = 1,
) -> SiteList:
    """Read a list of sites and give each its config, its name and its team.

    Args:
        path: The list.
        given: Options of the command line, for all sites; those of the list win.
        names: Names of sites that are known already, by their start URLs.
        used: Returns what a site has used of each budget, by its name.
        skip_bad: Leave entries out that cannot be crawled, instead of refusing the list.
        parts: How many parts a crawl of many hosts is divided into, if the list is one.
    """
    listed, common = read_sites(path)
    chosen = {name: value for name, value in given.items() if value is not None}
    plain = CrawlConfig.made_of(common | chosen)
    made = SiteList()
    taken = set(names.values())
    seen: set[str] = set()
    for site in listed:
        try:
            config, start = _config_of(site, common | chosen, plain)
            if start in seen:
                made.duplicates += 1
                continue
            name = names.get(start) or _new_name(site, config, start, taken)
            if start in names and asks_for_more(values := {**common, **chosen, **site.options}):
                config = _with_more(config, values, used(name))
        except ConfigError as error:
            made.bad.append(f"{site.place}: {error}")
            continue
        seen.add(start)
        taken.add(name)
        made.sites.append(NewSite(name, start, _options_of(config), 0))
        made.configs.append(config)
    _refuse_bad(path, made, len(listed), skip=skip_bad)
    if all(_domains(config) == [WEB] for config in made.configs):
        if names and asks_for_more(common | chosen):
            raise ConfigError("A crawl with --scope web takes +N as --requests only.")
        return _divided(made, parts, names)
    _refuse_mixture(names, divided=False)
    teams = teams_of(made.configs)
    made.sites = [replace(site, team=team) for site, team in zip(made.sites, teams, strict=True)]
    return made


def _divided(made: SiteList, parts: int, names: Mapping[str, str]) -> SiteList:
    """Make one crawl of a list whose sites may all go anywhere."""
    _refuse_mixture(names, divided=True)
    made.configs = parts_of(made.configs, parts, names)
    parts = len(made.configs)
    made.sites = [
        NewSite(name_of_part(number - 1), f"part {number} of {parts}", _options_of(config), number)
        for number, config in enumerate(made.configs, start=1)
    ]
    return made


def _refuse_mixture(names: Mapping[str, str], *, divided: bool) -> None:
    """Refuse a fleet of sites in the folder of a divided crawl, and the other way round."""
    if any(is_part(start) != divided for start in names):
        there = "sites" if divided else "the parts of a crawl with --scope web"
        raise ConfigError(f"The folder of the fleet holds {there}: choose another one.")


def _refuse_bad(path: Path, made: SiteList, count: int, *, skip: bool) -> None:
    if made.bad and not (skip and made.sites):
        shown = "; ".join(made.bad[:SHOWN])
        more = f"; and {len(made.bad) - SHOWN:,} more" if len(made.bad) > SHOWN else ""
        way = "mend them" if skip else "mend them, or leave them out with --skip-bad"
        raise ConfigError(
            f"{len(made.bad):,} of {count:,} sites in {str(path)!r} cannot be crawled "
            f"({shown}{more}): {way}."
        )


def _config_of(
    site: ListedSite, given: Mapping[str, Any], plain: CrawlConfig
) -> tuple[CrawlConfig, str]:
    """Return the config of a site; ``plain`` is that of sites without options of their own."""
    if not site.urls:
        raise ConfigError("there is no URL")
    if secret := next((name for name in SECRETS if name in site.options), ""):
        raise ConfigError(f"{secret} is stored nowhere: give it as --{secret}, for all sites")
    if several := next((url for url in site.urls if len(url.split()) > 1), ""):
        raise ConfigError(f"{several!r} has spaces: write one URL per line, and %20 for a space")
    if site.options:
        config = CrawlConfig.made_of({**given, **site.options, "urls": site.urls})
        if site.options.keys() & {"policy", "seed", "want"}:
            _check_policy(replace(config, urls=()))
    else:  # a list may be long
        config = replace(plain, urls=site.urls)
    # The sites share a budget: none of them stops by itself unless the user says so.
    config = replace(config, early_stop=config.early_stop or "off")
    return config, " ".join(sorted(canonical(url) for url in config.urls))


def _with_more(
    config: CrawlConfig, values: Mapping[str, Any], used: Mapping[str, float]
) -> CrawlConfig:
    """Return the config of a site that is there already: +N means N more than it has used."""
    budgets = {name: values[name] for name in NOTHING_USED if name in values}
    made = CrawlConfig.made_of(budgets, used=used)
    return replace(config, **{name: getattr(made, name) for name in budgets})


@lru_cache  # most sites of a list have the same options
def _check_policy(config: CrawlConfig) -> None:
    """Refuse a policy or a target that does not exist, or cannot be made."""
    check_seed(config)
    policy_of(config, target_of(config))


def _options_of(config: CrawlConfig) -> str:
    """Write what a site's config says beyond the defaults, without the secrets."""
    values = {name: getattr(config, name) for name in DEFAULTS}
    kept = {name: value for name, value in values.items() if value != DEFAULTS[name]}
    kept["shortcuts"] = config.shortcuts  # without it, they are off: version 0.1.0 had none
    kept["had_secrets"] = [name for name in SECRETS if kept.pop(name, None)]
    return json.dumps(kept)


def _new_name(site: ListedSite, config: CrawlConfig, start: str, taken: set[str]) -> str:
    """Return the name in the list, or one after the first host."""
    if site.name:
        if not NAME.fullmatch(site.name) or site.name in taken:
            raise ConfigError(
                f"the name {site.name[:100]!r} is taken, or has other characters than "
                f"letters, digits, '.', '_' and '-'"
            )
        return site.name
    host = host_of(canonical(config.urls[0]))
    name = re.sub(r"[^a-z0-9.-]+", "-", host).strip("-.")[:80] or "site"
    if name not in taken:
        return name
    return f"{name}-{hashlib.sha256(start.encode()).hexdigest()[:10]}"


def teams_of(configs: Sequence[CrawlConfig]) -> list[int]:
    """Return a number for every site: those that may ask the same host have the same.

    A crawl may ask the hosts of its start URLs and all below them. So ``example.org`` and
    ``data.example.org`` are one team. A crawl that may go anywhere makes one team of all.
    """
    domains = [_domains(config) for config in configs]
    if [WEB] in domains:
        return [1] * len(domains)
    leaders: dict[str, str] = {}

    def leader(host: str) -> str:
        while leaders.setdefault(host, host) != host:
            leaders[host] = host = leaders[leaders[host]]
        return host

    known = {domain for some in domains for domain in some}
    for some in domains:
        for domain in some:
            leaders[leader(domain)] = leader(some[0])
            for above in _above(domain, known):
                leaders[leader(above)] = leader(domain)
    numbers: dict[str, int] = {}
    return [numbers.setdefault(leader(some[0]), len(numbers) + 1) for some in domains]


def _domains(config: CrawlConfig) -> list[str]:
    if (config.scope or _scope_of(config.want)) == "web":
        return [WEB]
    return sorted({site_of(url) for url in config.urls})


@lru_cache
def _scope_of(want: str) -> str:
    return load_target(parse("target", want)).scope


def _above(domain: str, known: Iterable[str]) -> list[str]:
    """Return the domains of the list that contain this one; an address is in none."""
    parts = domain.split(".")
    if parts[-1].isdigit() or ":" in domain:
        return []
    return [above for n in range(1, len(parts)) if (above := ".".join(parts[n:])) in known]


def site_config(options: str, secrets: Mapping[str, Any], *, uploads: bool = False) -> CrawlConfig:
    """Return the config of a site; what is secret is given anew for every run.

    Args:
        options: As stored.
        secrets: What is stored nowhere.
        uploads: The crawl goes to an object store.
    """
    try:
        needed = {name: secrets.get(name) for name in secrets_of(options)}
    except (ValueError, AttributeError) as error:
        raise ConfigError(f"The stored options of a site are damaged: {error}.") from error
    config = replace(CrawlConfig.from_json(options, **needed), named=secrets.get("named", NOTHING))
    refuse_unnamed(config, uploads=uploads)
    return config


def refuse_unnamed_sites(store: FleetStore, place: str, named: Named, command: str) -> None:
    """Refuse a fleet with options that its directory names and the user does not.

    Args:
        store: The fleet.
        place: Where it is: a path or a URL.
        named: What the user names again.
        command: What the user may type instead; it lacks the options.
    """
    missing: set[tuple[str, str]] = set()
    for options in {site.options for site in store.sites()}:
        with suppress(ConfigError, ValueError, AttributeError, TypeError):  # damage: of one site
            config = replace(CrawlConfig.without_secrets(options), named=named)
            names = unnamed(config, uploads=is_url(place))
            missing |= {pair for name in names for pair in pairs_of(name, getattr(config, name))}
    if missing:
        options = joined_options(sorted({*named, *missing}))
        raise ConfigError(f"{REFUSED.format(f'The fleet in {place!r}')}{command} {options}")


def names_in(place: str) -> dict[str, str]:
    """Return the names of the sites of a fleet by their start URLs; {} if there is no fleet yet."""
    try:
        with local_copy(place) as folder, FleetStore(folder, write=False) as store:
            return store.names()
    except NoFleetError:
        return {}


def refuse_unstorable(configs: Iterable[CrawlConfig]) -> None:
    """Refuse crawls that cannot be kept in an object store."""
    for config in configs:
        if config.part != WHOLE:
            raise ConfigError(
                "A crawl with --scope web cannot be divided in an object store: "
                "give --parts 1, or a folder."
            )
        if config.warc or config.keep_versions:
            option = "--warc" if config.warc else "--keep-versions"
            raise ConfigError(f"{option} cannot be kept in an object store: give a folder.")


@contextmanager
def open_place(
    place: str, *, exists: bool = False, shared: bool = False
) -> Iterator[tuple[FleetStore, RemoteFleet | None]]:
    """Open a fleet to run it, in a directory or in an object store; only one process may.

    Args:
        place: A path or a URL.
        exists: It must be a fleet already.
        shared: Workers on several machines need it.
    """
    if not is_url(place):
        with open_fleet(Path(place), exists=exists, shared=shared) as store:
            yield store, None
        return
    if place.startswith("memory:"):
        raise ConfigError(f"{place!r} lasts no longer than a process: give another URL.")
    if exists:
        with local_copy(place):
            pass
    with TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as scratch:
        remote = RemoteFleet(place, Path(scratch))
        try:
            with open_fleet(Path(scratch)) as store, closing(remote):
                yield store, remote
        except DiskFullError as error:
            then = "run the same command again, or set TMPDIR to another folder"
            raise DiskFullError(Path(scratch).parent, error.cause, then) from error


@contextmanager
def open_fleet(folder: Path, *, exists: bool = False, shared: bool = False) -> Iterator[FleetStore]:
    """Open a fleet directory to run it; only one process at a time may.

    Args:
        folder: The directory; made unless it is there.
        exists: It must be a fleet already.
        shared: It is on a file system that several machines use.
    """
    if exists:
        FleetStore(folder, write=False).close()
    if (folder / CRAWL).exists():
        raise ConfigError(f"{str(folder)!r} is a crawl, not a fleet: choose another folder.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise write_error(folder, error, "try again") from error
    lock = Lock(folder, go_on(folder))
    try:
        with FleetStore.create(folder, version=VERSION, shared=shared) as store:
            yield store
    finally:
        lock.release()
