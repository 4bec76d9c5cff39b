"""Bytes in, pages out. Pure functions."""
