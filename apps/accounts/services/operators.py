"""Work over all workspaces: who and why is on record before the first row is seen."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.db import transaction

from apps.accounts.models import OperatorAccess
from apps.common.tenancy import every_workspace


@contextmanager
def operator(user_id: UUID | None, reason: str) -> Iterator[None]:
    """A unit over every workspace; `user_id` is empty for a command. The record outlives whatever the unit does."""
    if not reason.strip():
        raise ValueError("say why all workspaces are opened")
    with transaction.atomic(durable=True):
        OperatorAccess.objects.create(user_id=user_id, reason=reason[:300])
    with every_workspace():
        yield
