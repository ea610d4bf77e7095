"""Requests generated from the API's own description: `make fuzz`."""
