"""JSON from outside: its limits, and the objects in damaged lines."""
