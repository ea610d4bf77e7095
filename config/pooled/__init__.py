"""Django's PostgreSQL over a pool that survives a restart of the server."""
