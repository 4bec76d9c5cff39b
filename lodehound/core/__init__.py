"""The crawl itself: values, rules and the state machine. No network, no clock, no file."""
