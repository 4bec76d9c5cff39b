"""The one home of the version."""

VERSION = "0.1.0"
