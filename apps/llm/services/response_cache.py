"""A short-lived cache of model answers, so that a repeated request is not billed again.

A miss or an unavailable cache only means that the model is called.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from uuid import UUID

import structlog
from django.core.cache import cache
from redis import RedisError

MEMO_S = 30 * 60
_log = structlog.get_logger("continuity.llm")


def memoised(*, workspace_id: UUID, key: tuple[object, ...], make: Callable[[], str]) -> str:
    """The cached text of a key in this workspace; on a miss, make and cache it."""
    name = _name(workspace_id, key)
    cached = _get(name)
    if cached is not None:
        return cached
    text = make()
    _set(name, text)
    return text


def _name(workspace_id: UUID, key: tuple[object, ...]) -> str:
    """The cache key. Hashed, because model names may contain characters that cache keys must not."""
    digest = hashlib.blake2b(repr(key).encode(), digest_size=16).hexdigest()
    return f"memo:{workspace_id}:{digest}"


def _get(name: str) -> str | None:
    try:
        text = cache.get(name)
    except (RedisError, OSError) as error:
        _log.warning("memo.unavailable", error=type(error).__name__)
        return None
    return text if isinstance(text, str) else None


def _set(name: str, text: str) -> None:
    try:
        cache.set(name, text, MEMO_S)
    except (RedisError, OSError) as error:
        _log.warning("memo.unavailable", error=type(error).__name__)
