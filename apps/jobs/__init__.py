"""Durable work: rows first, leases, schedules; Celery only carries them."""
