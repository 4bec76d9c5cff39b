"""Where recorded sites are read from and kept."""
