"""Reads and stores recorded sites and crawls."""
