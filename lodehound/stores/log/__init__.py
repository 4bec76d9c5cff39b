"""What happened in a crawl, in order: events are only appended."""
