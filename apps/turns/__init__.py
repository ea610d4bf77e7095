"""One message's way through the rooms: the only place that joins them."""
