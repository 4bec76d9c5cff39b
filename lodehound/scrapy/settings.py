"""What a project may set, and what is made of it."""

from __future__ import annotations

from scrapy.settings import BaseSettings

from lodehound.core.errors import ConfigError
from lodehound.core.policy import Policy
from lodehound.core.target import Target
from lodehound.registry import make_policy, make_target, parse

DEFAULTS = {
    "LODEHOUND_POLICY": "sb-classifier",
    "LODEHOUND_WANT": "files",
    "LODEHOUND_SEED": 0,
}


def policy_and_target(settings: BaseSettings) -> tuple[Policy, Target]:
    """Make what the settings name, or say what is wrong with them."""
    try:
        seed = settings.getint("LODEHOUND_SEED")
    except (TypeError, ValueError) as error:
        raise ConfigError(
            f"LODEHOUND_SEED is {settings['LODEHOUND_SEED']!r}: give a whole number."
        ) from error
    policy = make_policy(parse("policy", str(settings["LODEHOUND_POLICY"])), seed=seed)
    return policy, make_target(parse("target", str(settings["LODEHOUND_WANT"])))
