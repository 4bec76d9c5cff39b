"""Finds the files of crawls that answer a question."""
