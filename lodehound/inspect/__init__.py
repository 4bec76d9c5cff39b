"""Inspects the files that were found: tables, rows, columns, names, and signs of statistics.

A crawl uses a `Worker`, which reads files in a separate process. `inspect_pending` does the
same for files that a crawl has not inspected. The process calls `inspect.files.inspect_file`.
"""

from lodehound.inspect.limits import PREVIEW, FileLimits, Options
from lodehound.inspect.records import Inspection, Table
from lodehound.inspect.statistics import StatisticsRule
from lodehound.inspect.worker import Reader, Worker, inspect_pending

__all__ = [
    "PREVIEW",
    "FileLimits",
    "Inspection",
    "Options",
    "Reader",
    "StatisticsRule",
    "Table",
    "Worker",
    "inspect_pending",
]
