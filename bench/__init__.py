"""Measurements of the running product, one module each; every one prints a line of JSON on stdout."""
