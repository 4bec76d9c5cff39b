"""Crawling the real web, on Scrapy."""
