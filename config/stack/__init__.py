"""The embedded stack: PostgreSQL, Redis, models, web, worker and dispatcher under one supervisor, from one command."""
