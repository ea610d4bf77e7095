"""Search in the memory tree: what a query asks for, how results are scored, and when the rounds end."""
