"""What a crawl is made of and how it is restored: everything but the network."""
