"""Long runs and hard circumstances: ``make soak``; small versions run in ``make test``."""
