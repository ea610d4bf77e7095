"""Secrets in text, for the command and for the server.

The rules are data (`rules.json`), which programs in other languages can read too.
"""
