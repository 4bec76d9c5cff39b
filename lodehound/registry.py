"""Names to classes: shipped, installed by entry point, or ``module:Class``.

A policy is written ``NAME``, ``NAME:param=value,...``, ``module:Class`` or
``module:Class:param=value,...``; a target ``NAME[:argument]`` or
``module:Class[:argument]``.
"""

from __future__ import annotations

import inspect
import sys
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, distribution, entry_points
from typing import Any, Literal, TypeVar, get_origin

from lodehound.core.errors import ConfigError, LodehoundError, UnknownNameError
from lodehound.core.policy import Policy
from lodehound.core.target import Target
from lodehound.core.truth import Truth
from lodehound.policies import POLICIES
from lodehound.shortcuts import SHORTCUTS
from lodehound.shortcuts.contract import Shortcut
from lodehound.stores.word_vectors import AUTO, open_vectors
from lodehound.targets import TARGETS
from lodehound.targets.files import NAMES
from lodehound.text.values import converted, in_words

Kind = Literal["policy", "shortcut", "target"]
OPTIONS: dict[Kind, str] = {"policy": "--policy", "shortcut": "--shortcuts", "target": "--want"}
PAPER = "paper"  # NAME:paper: parameters as the published paper prints them (as_printed)
# Parameters that nobody writes behind a name.
HANDED = {"truth", "subject", "weights", "idf"}
Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Parameter:
    """One option of a policy or target."""

    name: str
    type: Any
    default: Any
    doc: str

    @property
    def choices(self) -> str:
        """What may be written: the values of a choice, or the name of the type."""
        if get_origin(self.type) is Literal:
            return in_words(self.type).removeprefix("one of ")
        return getattr(self.type, "__name__", str(self.type))


@dataclass(frozen=True, slots=True)
class Spec:
    """A policy or target as written: its name and what stands behind the name.

    Attributes:
        named: The user wrote it for this very command. Otherwise it was read from a directory,
            perhaps somebody else's, and only what is installed is loaded.
    """

    kind: Kind
    name: str
    argument: str = ""
    named: bool = True

    @property
    def params(self) -> dict[str, str]:
        """Read ``param=value,...``."""
        params: dict[str, str] = {}
        if self.argument.strip() and not self.argument.strip(" ,"):
            raise ConfigError(
                f"There is nothing behind {self.kind} {self.name!r} but {self.argument!r}: "
                f"write {self.name} alone, or {self.name}:param=value,..."
            )
        for part in filter(None, (part.strip() for part in self.argument.split(","))):
            name, equals, value = (f"{PAPER}=true" if part == PAPER else part).partition("=")
            if not equals or not name.strip():
                raise ConfigError(
                    f"{part!r} behind {self.kind} {self.name!r} is no param=value: "
                    f"write {self.name}:param=value,..."
                )
            if name.strip() in params:
                raise ConfigError(
                    f"{name.strip()} stands twice behind {self.kind} {self.name!r}: write it once."
                )
            params[name.strip()] = value.strip()
        return params


@lru_cache(maxsize=3)
def known(kind: Kind) -> dict[str, str]:
    """Return every name and where its class is, plug-ins included; shipped names win."""
    installed = {entry.name: entry.value for entry in entry_points(group=f"lodehound.{kind}")}
    return {**installed, **shipped(kind)}


@lru_cache(maxsize=3)
def shipped(kind: Kind) -> dict[str, str]:
    """Return the names that come with Lodehound, those of the papers' policies included."""
    product = {"policy": POLICIES, "shortcut": SHORTCUTS, "target": TARGETS}[kind]
    try:
        ours = distribution("lodehound").entry_points.select(group=f"lodehound.{kind}")
    except PackageNotFoundError:  # the source is used without being installed
        return dict(product)
    return {**{entry.name: entry.value for entry in ours}, **product}


def parse(kind: Kind, text: str, *, named: bool = True) -> Spec:
    """Part what was written into name and argument.

    Args:
        kind: What it names.
        text: As written.
        named: By the user, for this very command: see ``Spec``.

    >>> parse("policy", "sb-classifier:compat=kit").params
    {'compat': 'kit'}
    >>> parse("target", "mine.feeds:Feeds:atom").argument
    'atom'
    """
    name, colon, rest = text.strip().partition(":")
    if kind == "target" and colon and not rest.strip():
        raise ConfigError(f"{text!r} has nothing behind its colon: write files:csv, say.")
    if name in known(kind) or not colon:
        return Spec(kind, name, rest, named)
    attribute, _, argument = rest.partition(":")
    return Spec(kind, f"{name}:{attribute}", argument, named)


def is_installed(spec: Spec) -> bool:
    """Return whether a name is shipped or that of an installed plug-in, or its class is."""
    names = known(spec.kind)
    return ":" not in spec.name or spec.name in names or spec.name in names.values()


def load_policy(spec: Spec) -> type[Policy]:
    """Return the class of a policy."""
    return typing.cast("type[Policy]", _load(spec, Policy))


def load_target(spec: Spec) -> type[Target]:
    """Return the class of a target."""
    return typing.cast("type[Target]", _load(spec, Target))


def load_shortcut(spec: Spec) -> type[Shortcut]:
    """Return the class of a shortcut."""
    return typing.cast("type[Shortcut]", _load(spec, Shortcut))


def _load(spec: Spec, base: type) -> type:
    names = known(spec.kind)
    place = names.get(spec.name, spec.name)
    module_name, colon, attribute = place.partition(":")
    if not colon or not module_name or module_name.startswith("."):
        _refuse_file_type(spec)
        raise UnknownNameError(spec.kind, spec.name, names)
    installed = is_installed(spec)
    if not spec.named and not installed:
        option = OPTIONS[spec.kind]
        raise ConfigError(
            f"{spec.kind} {spec.name!r} is not loaded, because a directory names it and you did "
            f"not: give {option} again if you trust it."
        )
    try:
        with nullcontext() if installed else _own_folder():
            module = import_module(module_name)
    except ImportError as error:
        hint = UnknownNameError(spec.kind, spec.name, names)
        raise ConfigError(f"{hint} As a module: {error}.") from error
    except (Exception, SystemExit) as error:  # anybody's code runs here
        raise ConfigError(
            f"{spec.kind} {spec.name!r} cannot be loaded: {module_name} raises "
            f"{type(error).__name__}: {error}."
        ) from error
    found = getattr(module, attribute, None)
    if not (isinstance(found, type) and issubclass(found, base)):
        raise ConfigError(
            f"{place!r} is no {spec.kind}: {module_name!r} has no class {attribute!r} "
            f"that derives from lodehound.{base.__name__}."
        )
    return found


@contextmanager
def _own_folder() -> Iterator[None]:
    """Find modules also in the current folder, after all others: it replaces none of them."""
    if "" in sys.path:
        yield
        return
    sys.path.append("")
    try:
        yield
    finally:
        sys.path.remove("")


def _refuse_file_type(spec: Spec) -> None:
    """Propose ``files:csv`` for the target ``csv``, also if it is misspelt."""
    parts = [part.strip().lower().removeprefix(".") for part in spec.name.split(",")]
    meant = [get_close_matches(part, NAMES, n=1) for part in parts]
    if spec.kind == "target" and all(meant) and not get_close_matches(spec.name, known("target")):
        types = ",".join(name for (name,) in meant)
        raise ConfigError(f"There is no target {spec.name!r}. Did you mean 'files:{types}'?")


def parameters_of(cls: type) -> list[Parameter]:
    """Return the options of a class, from its constructor and its docstring."""
    found: dict[str, Parameter] = {}
    for owner in cls.__mro__:
        if "__init__" not in vars(owner) or owner is object:
            continue
        hints = _hints(owner)
        docs = _documented(owner)
        signature = inspect.signature(vars(owner)["__init__"])
        for parameter in list(signature.parameters.values())[1:]:
            if parameter.kind is parameter.KEYWORD_ONLY and parameter.name not in found:
                name = parameter.name
                kind = hints.get(name, str)
                found[name] = Parameter(name, kind, parameter.default, docs.get(name, ""))
        if all(p.kind is not p.VAR_KEYWORD for p in signature.parameters.values()):
            break  # only ``**options`` hands further parameters on to the class above
    return list(found.values())


def _hints(cls: type) -> dict[str, Any]:
    try:
        return typing.get_type_hints(vars(cls)["__init__"])
    except NameError:
        return {}  # names that only a type checker imports: values are then taken as text


def _documented(cls: type) -> dict[str, str]:
    """Read the Args section of a docstring."""
    docs: dict[str, str] = {}
    name, inside = "", False
    for line in inspect.getdoc(cls).splitlines() if cls.__doc__ else []:  # type: ignore[union-attr]
        if not line.startswith(" "):
            inside = line.strip() == "Args:" or (inside and not line.strip())
        elif inside and not line.startswith(" " * 5):
            name, _, text = line.strip().partition(":")
            docs[name] = text.strip()
        elif inside and name:
            docs[name] += " " + line.strip()
    return docs


def accepts(cls: type, name: str) -> bool:
    """Return whether the constructor takes this parameter."""
    return any(parameter.name == name for parameter in parameters_of(cls))


def default_policy(want: str, *, taught: bool = False, named: bool = True) -> str:
    """Return the policy that is used for a target when the user names none.

    Args:
        want: The target as written.
        taught: Whether there are weights or document frequencies for it.
        named: The user wrote it for this very command.

    >>> default_policy("files:csv"), default_policy("topic:bird", taught=True)
    ('lodehound', 'sarsa')
    """
    target = load_target(parse("target", want, named=named))
    return (target.taught_policy if taught else "") or target.policy


def need_parameter(name: str, policies: Sequence[str], *, named: bool = True) -> None:
    """See that somebody takes an option.

    Args:
        name: Of the option and of the parameter.
        policies: As written.
        named: The user wrote them for this very command.

    Raises:
        ConfigError: None of the policies has such a parameter.
    """
    specs = [parse("policy", policy, named=named) for policy in policies]
    if not any(accepts(load_policy(spec), name) for spec in specs):
        names = " or ".join(repr(spec.name) for spec in specs)
        others = (parse("policy", policy) for policy in known("policy"))
        like = next(spec.name for spec in others if accepts(load_policy(spec), name))
        raise ConfigError(f"--{name} is for policies like {like}: {names} does not take it.")


def make_policy(
    spec: Spec,
    *,
    seed: int = 0,
    truth: Truth | None = None,
    given: Mapping[str, Any] | None = None,
) -> Policy:
    """Make a policy from what the user wrote, the crawl's seed and, in replay, the truth.

    Args:
        spec: As written.
        seed: The crawl's.
        truth: The recorded site's answers.
        given: What else a policy may get, if it has a parameter of that name: the subject
            of a target, weights of an earlier crawl.
    """
    cls = load_policy(spec)
    if cls.needs_truth and truth is None:
        raise ConfigError(
            f"Policy {spec.name!r} is told the answers, so it runs only on a recorded site: "
            f"use it with 'lodehound race'."
        )
    values = _values(cls, spec)
    for name, value in {**(given or {}), "seed": seed, "truth": truth}.items():
        if accepts(cls, name):
            values.setdefault(name, value)
    _check_required(cls, spec, values)
    return _made(lambda: cls(**values), spec)


def _check_required(cls: type, spec: Spec, values: dict[str, Any]) -> None:
    for parameter in parameters_of(cls):
        if parameter.default is inspect.Parameter.empty and parameter.name not in values:
            raise ConfigError(
                f"{spec.kind} {spec.name!r} needs {parameter.name}: "
                f"write {spec.name}:{parameter.name}=..."
            )


def make_target(spec: Spec, given: Mapping[str, Any] | None = None) -> Target:
    """Make a target from what the user wrote and what was given besides (categories, say)."""
    cls = load_target(spec)
    options = {name: value for name, value in (given or {}).items() if value}
    if options.setdefault("vectors", AUTO) == AUTO and not accepts(cls, "vectors"):
        del options["vectors"]
    for name in options:
        if not accepts(cls, name):
            raise ConfigError(f"--{name} is for topics: {spec.name!r} does not take it.")
    if isinstance(named := options.get("vectors"), str):
        options["vectors"] = open_vectors(named)
    make: Any = cls.from_argument if spec.argument else cls
    arguments = (spec.argument,) if spec.argument else ()
    return _made(lambda: typing.cast("Target", make(*arguments, **options)), spec)


def make_shortcuts(names: str, *, named: bool = True) -> dict[str, Shortcut]:
    """Make shortcuts from what was written: ``auto`` (all), ``off``, or NAME,NAME,...

    >>> make_shortcuts("off")
    {}
    """
    specs = shortcut_specs(names, named=named)
    return {spec.name: _made(load_shortcut(spec), spec) for spec in specs}


def shortcut_specs(names: str, *, named: bool = True) -> list[Spec]:
    """Part what was written of shortcuts."""
    if names == "off":
        return []
    split = [name.strip() for name in names.split(",") if name.strip()]
    chosen = known("shortcut") if names == "auto" else split
    return [parse("shortcut", name, named=named) for name in chosen]


def _made(make: Callable[[], Made], spec: Spec) -> Made:
    """Make an object of anybody's class; what goes wrong there is said in one line."""
    try:
        return make()
    except LodehoundError:
        raise
    except Exception as error:
        raise ConfigError(
            f"{spec.kind} {spec.name!r} cannot be made: {type(error).__name__}: {error}."
        ) from error


def _values(cls: type, spec: Spec) -> dict[str, Any]:
    options = {p.name: p for p in parameters_of(cls) if p.name not in HANDED}
    values = {}
    written, printed = spec.params, getattr(cls, "as_printed", {})
    if printed and written.pop(PAPER, ""):
        written = printed | written
    for name, text in written.items():
        if name not in options:
            raise UnknownNameError(f"parameter of {spec.name}", name, options)
        values[name] = _convert(spec, options[name], text)
    return values


def _convert(spec: Spec, parameter: Parameter, text: str) -> Any:
    try:
        return converted(text, parameter.type)
    except ValueError as error:
        raise ConfigError(
            f"{parameter.name}={text!r} of {spec.kind} {spec.name!r} is not understood: "
            f"write {in_words(parameter.type)}; see 'lodehound policies'."
        ) from error
