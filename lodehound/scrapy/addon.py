"""The add-on: reads its settings, and installs a scheduler and a spider middleware."""

from __future__ import annotations

import logging

from scrapy.exceptions import NotConfigured
from scrapy.settings import SETTINGS_PRIORITIES, BaseSettings

from lodehound.core.errors import ConfigError
from lodehound.scrapy.middleware import LinkMemory
from lodehound.scrapy.settings import DEFAULTS, policy_and_target

logger = logging.getLogger(__name__)

SCHEDULER = "lodehound.scrapy.scheduler.LearnedScheduler"
# Closest to the engine: it sees every response, and the requests that the others let through.
NEAR_THE_ENGINE = 10


class Lodehound:
    """Sends the requests of a spider in a learned order."""

    def update_settings(self, settings: BaseSettings) -> None:
        """Replace Scrapy's default scheduler; a scheduler set by the project is kept."""
        if (settings.getpriority("SCHEDULER") or 0) > SETTINGS_PRIORITIES["addon"]:
            raise NotConfigured(
                f"SCHEDULER is set to {settings['SCHEDULER']}, so requests keep its order; "
                f"remove this setting to use a learned order."
            )
        for name, default in DEFAULTS.items():
            settings.set(name, default, "addon")
        try:
            policy_and_target(settings)
        except ConfigError as error:
            logger.error("%s", error)  # noqa: TRY400 - an invalid setting needs no traceback
            raise error.with_traceback(None) from None  # Scrapy prints one anyway
        settings.set("SCHEDULER", SCHEDULER, "addon")
        settings.set_in_component_priority_dict("SPIDER_MIDDLEWARES", LinkMemory, NEAR_THE_ENGINE)
