"""Which providers and models exist, and which one serves a purpose."""
