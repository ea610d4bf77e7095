"""Measurements of the running product, one module each; every one prints lines of JSON on stdout."""
