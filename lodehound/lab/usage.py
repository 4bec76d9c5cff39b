"""The cost of one run in this process: CPU seconds and peak memory."""

from __future__ import annotations

import contextlib
import sys
import time
from pathlib import Path

# Linux: writing 5 here resets the peak (proc(5)); elsewhere it is the peak of the process.
_CLEAR = Path("/proc/self/clear_refs")
_STATUS = Path("/proc/self/status")


class Usage:
    """Measures CPU time and memory from its construction on."""

    def __init__(self) -> None:
        if _CLEAR.exists():
            # If this is not allowed, the peak since the start of the process is reported.
            with contextlib.suppress(OSError):
                _CLEAR.write_text("5", encoding="ascii")
        self._cpu = time.process_time()

    def cpu_seconds(self) -> float:
        return time.process_time() - self._cpu

    def peak_mb(self) -> float:
        if _STATUS.exists():
            for line in _STATUS.read_text(encoding="ascii", errors="replace").splitlines():
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) / 1024
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak / (1 << 20) if sys.platform == "darwin" else peak / 1024
