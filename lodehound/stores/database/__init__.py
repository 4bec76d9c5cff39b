"""The SQLite file of a crawl: its tables, and how it is opened."""
