"""The crawl itself: values, rules and the state machine. No network, clock or files."""
