"""What a crawl directory may name, and only its user may allow.

A directory may come from somebody else. Code and programs that its options name are not run,
files outside of it are not written, and no protection is switched off, unless the user names them
again for the command that needs them. Plug-ins that are installed are used as they are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from lodehound.config import CrawlConfig, pairs_of
from lodehound.core.errors import ConfigError
from lodehound.core.messages import Page, Verdict
from lodehound.core.target import Target
from lodehound.registry import Spec, is_installed, load_shortcut, parse, shortcut_specs
from lodehound.stores.files.inside import refuse_links
from lodehound.text.shell import quoted

RECORDING_STATE = ".crawl"  # ends the name of the folder that keeps the state of a recording
REFUSED = (
    "{} uses code, programs or files, or switches off a protection, that only you may allow, "
    "because a directory could be somebody else's. If you trust it, type: "
)
# Options that switch a protection off: of this network, or of the sites.
PROTECTIONS = ("allow_private", "insecure", "ignore_robots", "yes_ignore_robots")
PLUG_INS = {"policy": "policy", "want": "target", "shortcuts": "shortcuts"}  # option: in words


class UnknownTarget(Target):
    """Stands for a target that is not loaded: what was found is in the journal."""

    def judge(self, page: Page) -> Verdict:  # noqa: ARG002 - of every target
        return Verdict(found=False)


def target_spec(config: CrawlConfig) -> Spec:
    """Return the target of a crawl, which is loaded only if it may be."""
    return parse("target", config.want, named=config.is_named("want"))


def policy_spec(config: CrawlConfig) -> Spec:
    """Return the policy of a crawl, which is loaded only if it may be."""
    return parse("policy", config.policy, named=config.is_named("policy"))


def unnamed(config: CrawlConfig, *, uploads: bool = False) -> list[str]:
    """Return the options that the user has to name again before the crawl may go on.

    Args:
        config: Its config.
        uploads: The crawl goes to an object store, and with it what was read from files.
    """
    options = [*_sensitive(config), *(_read(config) if uploads else ())]
    return [option for option in dict.fromkeys(options) if not config.is_named(option)]


def written_options(config: CrawlConfig, options: Iterable[str]) -> str:
    """Return options of a config as they are typed."""
    return joined_options(
        pair for name in options for pair in pairs_of(name, getattr(config, name))
    )


def joined_options(pairs: Iterable[tuple[str, Any]]) -> str:
    return " ".join(flag(name, value) for name, value in pairs)


def flag(name: str, value: Any) -> str:
    """Return an option with one value as it is typed.

    >>> flag("allow_private", "10.0.0.0/8"), flag("insecure", False)
    ('--allow-private 10.0.0.0/8', '--no-insecure')
    """
    option = name.replace("_", "-")
    if isinstance(value, bool):
        return f"--{option}" if value else f"--no-{option}"
    return f"--{option} {quoted(value)}"


def _read(config: CrawlConfig) -> Iterator[str]:
    """Yield the options that name files whose text becomes part of the crawl."""
    yield from (name for name in ("about", "like", "replica") if getattr(config, name))


def _sensitive(config: CrawlConfig) -> Iterator[str]:
    yield from _plug_ins(config)
    if config.browser and config.render != "never":
        yield "browser"
    if config.weights:
        yield "weights"
    if config.fallback:
        yield "replica"  # what is fetched is added to its last file
    for name in PROTECTIONS:
        if getattr(config, name) and (config.ignore_robots or name != "yes_ignore_robots"):
            yield name


def _plug_ins(config: CrawlConfig) -> Iterator[str]:
    """Yield the options that name code which is not installed."""
    specs = {"policy": [policy_spec(config)] if config.policy else []}
    specs |= {"want": [target_spec(config)], "shortcuts": shortcut_specs(config.shortcuts)}
    yield from (name for name, some in specs.items() if not all(map(is_installed, some)))


def refuse_unnamed(
    config: CrawlConfig, place: Path | str = "", command: str = "", *, uploads: bool = False
) -> None:
    """Refuse to run a crawl with options that its directory names and the user does not.

    Args:
        config: Its config.
        place: The directory.
        command: What the user may type instead; it lacks the options.
        uploads: The crawl goes to an object store.
    """
    if not (names := unnamed(config, uploads=uploads)):
        return
    options = written_options(config, names)
    what = f"The crawl in {str(place)!r}" if place else "The crawl"
    raise ConfigError(f"{REFUSED.format(what)}{command or '(the same command)'} {options}")


def named_options(given: Mapping[str, Sequence[str] | bool | None]) -> frozenset[tuple[str, str]]:
    """Return options that the user names again, with their values."""
    values = {name: value if isinstance(value, bool) else tuple(value or ())
              for name, value in given.items() if value is not None}  # fmt: skip
    return frozenset(pair for name, value in values.items() for pair in pairs_of(name, value))


def named_again(config: CrawlConfig, given: Mapping[str, str | None]) -> CrawlConfig:
    """Return the config of a crawl with options that the user has named again.

    Raises:
        ConfigError: The crawl has others.
    """
    for option, value in given.items():
        if value is None:
            continue
        stored = getattr(config, option)
        whole = "+".join(str(Path(part).absolute()) for part in value.split("+"))
        if stored not in {value, whole}:
            raise ConfigError(
                f"The crawl was begun with --{option} {quoted(stored)}, not with "
                f"--{option} {quoted(value)}: give the same again, or leave it out."
            )
        config = config.with_named(**{option: stored})
    return config


def without_plug_ins(config: CrawlConfig) -> tuple[CrawlConfig, Target | None]:
    """Return how to look at a crawl whose plug-ins may not be loaded: its config, and a target.

    The target is None if the crawl's own may be loaded.
    """
    names = {name for name in _plug_ins(config) if not config.is_named(name)}
    if "shortcuts" in names:
        specs = shortcut_specs(config.shortcuts)
        kept = ",".join(spec.name for spec in specs if is_installed(spec)) or "off"
        config = config.with_named(shortcuts=kept)
    return config, UnknownTarget() if "want" in names else None


def notes_of_plug_ins(
    config: CrawlConfig, used: Collection[str] = PLUG_INS, *, addable: bool = True
) -> list[str]:
    """Return a line about the plug-ins that are not loaded; [] if all that are used are.

    Args:
        config: That of a crawl.
        used: The options that matter here.
        addable: The command takes these options.
    """
    names = [n for n in _plug_ins(config) if n in used and not config.is_named(n)]
    if not names:
        return []
    words = " and ".join(f"the {PLUG_INS[name]} {getattr(config, name)!r}" for name in names)
    way = f": add {written_options(config, names)} to load it" if addable else ""
    return [f"this does without {words}, which only the directory names{way}"]


def refuse_strange_record(config: CrawlConfig, folder: Path) -> None:
    """Refuse to write a recording that is not the file beside its state."""
    out = Path(config.record)
    mine = folder.absolute()
    if not config.record or config.is_named("record"):
        return
    beside = mine.with_name(mine.name.removesuffix(RECORDING_STATE))
    same = out.name == beside.name and out.parent.resolve() == beside.parent.resolve()
    if not same or beside == mine or out.is_symlink():
        raise ConfigError(
            f"{str(folder)!r} is the state of a recording in {str(out)!r}, which is not the file "
            f"beside it: if you trust it, go on with 'lodehound record "
            f"{' '.join(map(quoted, config.urls))} --out {quoted(out)}'."
        )
    refuse_links(beside.parent, [beside.name], write=True)


def key_advice(shortcut: str) -> str:
    """Return how to give the key that an API needs."""
    # The name may stand in a journal of somebody else: only what is installed is loaded.
    spec = parse("shortcut", shortcut, named=False)
    own = load_shortcut(spec).key_header if is_installed(spec) else ""
    header = own or "Authorization"
    return f"give it with --header '{header}: KEY'"
