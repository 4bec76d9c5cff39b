"""Text for people and programs: numbers of things, names for a terminal, dates, option values."""
