"""Reading conversations out of files: pure code without a database, so that anything may use it and test it quickly.

It stands in this room because what it reads becomes this room's messages, and outside the engine because it reads
dates and files. `apps.turns` joins it with storing and folding.
"""
