"""The REST edge: parses, authorises, calls a service, shapes the answer."""
