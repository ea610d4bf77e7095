"""Token counts: the estimate that is stored, and what providers report."""
