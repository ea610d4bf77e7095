"""The events of each coding agent in its own JSON, and the answers in its shape: pure functions."""
