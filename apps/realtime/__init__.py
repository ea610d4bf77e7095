"""WebSockets that forward events to clients. `consumer.py` documents the protocol."""
