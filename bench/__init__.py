"""Benchmarks of the running product, one module each; each prints lines of JSON on stdout."""
