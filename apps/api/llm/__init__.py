"""Model settings, provider keys and usage over HTTP."""
