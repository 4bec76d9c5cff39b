"""One writer for each crawl directory."""
