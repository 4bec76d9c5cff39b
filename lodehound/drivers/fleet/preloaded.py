"""What worker processes begin with, imported once by the server that forks them.

If a package is missing, the command says so: the server says nothing.
"""

from __future__ import annotations

import contextlib

from lodehound.core.errors import LodehoundError

with contextlib.suppress(LodehoundError):
    import lodehound.drivers.fleet.local
    import lodehound.policies.lodehound  # noqa: F401 - both are imported for the workers
