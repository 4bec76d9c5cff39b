"""Settings of all tests: nothing is judged by the clock, which is slow on a busy machine."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile("lodehound", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("lodehound")
