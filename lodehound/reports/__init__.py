"""Turns the steps and journal of a crawl into text and files."""
