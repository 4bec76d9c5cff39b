"""The drivers that make the requests of a crawl."""
