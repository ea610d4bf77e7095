"""The identity of this server, by which clients recognize the one that they were paired with."""

from __future__ import annotations

from functools import cache
from uuid import UUID

from apps.accounts.models import Installation


@cache
def server_id() -> UUID:
    """Return the installation's id, which is made once and never changes."""
    Installation.objects.bulk_create([Installation()], ignore_conflicts=True)
    return Installation.objects.values_list("id", flat=True).get()
