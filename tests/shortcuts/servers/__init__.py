"""Real servers with data of ours, started as programs by the soak tests."""
