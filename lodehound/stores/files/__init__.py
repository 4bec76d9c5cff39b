"""The files of a crawl directory: their names, their versions, and how they are replaced."""
