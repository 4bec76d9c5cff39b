"""Files that are checked by mypy and never run."""
