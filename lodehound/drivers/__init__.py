"""What makes the requests a crawl asks for."""
