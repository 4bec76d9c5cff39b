"""Fuzzing of everything that reads bytes from the web: ``make fuzz``."""
