"""Turns bytes into pages. Pure functions."""
