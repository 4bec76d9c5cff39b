"""What a crawl has found: files, datasets, and what is in them."""
