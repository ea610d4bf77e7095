"""Parsers of conversation files: code without a database.

It is in this app because the results become its messages, and outside the engine because it reads dates and files.
`apps.turns` joins it with storage and compaction.
"""
