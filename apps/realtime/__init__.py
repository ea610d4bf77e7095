"""Sockets: thin consumers that forward events. The protocol stands in `consumer.py`."""
