"""The settings of a project."""

from __future__ import annotations

from scrapy.settings import BaseSettings

from lodehound.core.errors import ConfigError
from lodehound.core.policy import Policy
from lodehound.core.target import Target
from lodehound.registry import default_policy, make_policy, make_target, parse

DEFAULTS = {
    "LODEHOUND_POLICY": "",  # the default of the target
    "LODEHOUND_WANT": "files",
    "LODEHOUND_SEED": 0,
}


def policy_and_target(settings: BaseSettings) -> tuple[Policy, Target]:
    """Return the policy and the target in the settings; raise an error if one is invalid."""
    policy, want, seed = (settings[name] for name in DEFAULTS)
    try:
        number = int(seed)
    except (TypeError, ValueError) as error:
        raise ConfigError(f"LODEHOUND_SEED is {seed!r}: give a whole number.") from error
    try:
        target = make_target(parse("target", str(want)))
    except ConfigError as error:
        raise ConfigError(f"LODEHOUND_WANT: {error}") from error
    try:
        named = str(policy or "") or default_policy(str(want))
        spec, given = parse("policy", named), {"subject": target.subject}
        return make_policy(spec, seed=number, given=given), target
    except ConfigError as error:
        raise ConfigError(f"LODEHOUND_POLICY: {error}") from error
