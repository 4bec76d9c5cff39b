"""The tables in the files that were found: their names, and their rows."""
