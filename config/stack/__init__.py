"""The embedded stack: PostgreSQL, Redis, web, worker and dispatcher under one small supervisor, from one command."""
