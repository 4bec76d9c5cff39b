"""Modules that need an extra beyond [all] have no doctests to collect without it."""

from __future__ import annotations

from importlib.util import find_spec

collect_ignore = [] if find_spec("ray") else ["lodehound/drivers/fleet/cluster.py"]
