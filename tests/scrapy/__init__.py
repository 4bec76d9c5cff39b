"""Tests of the Scrapy add-on. No reactor runs in this process: real crawls run in others."""
