"""Session lookup by session key, for callers without a request."""

from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth import get_user

SESSION_WORKSPACE = "workspace_id"


def session_holder(session_key: str) -> tuple[UUID, UUID | None] | None:
    """The user and their chosen workspace; None if the session has ended."""
    session = import_module(settings.SESSION_ENGINE).SessionStore(session_key)
    request: Any = SimpleNamespace(session=session)
    user = get_user(request)
    if not user.is_authenticated or not user.is_active:
        return None
    chosen = session.get(SESSION_WORKSPACE)
    return UUID(str(user.pk)), UUID(chosen) if chosen else None
