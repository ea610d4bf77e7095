"""Turns: send a message, and receive its reply as a stream."""
