"""Runs the crawls of a fleet: many in a process, in many processes, on many machines."""
