"""What a crawl shows and tells: steps and tallies in, text and files out."""
