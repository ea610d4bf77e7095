"""Answers of models kept for a while, so that what was just asked is not paid for again.

A cache that is away, or has lost something, only means that the model is asked.
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
    """The text that is kept under the key in this workspace, else the one that is made now."""
    name = _name(workspace_id, key)
    known = _kept(name)
    if known is not None:
        return known
    made = make()
    _keep(name, made)
    return made


def _name(workspace_id: UUID, key: tuple[object, ...]) -> str:
    """A model's name may hold what a cache's key must not."""
    told = hashlib.blake2b(repr(key).encode(), digest_size=16).hexdigest()
    return f"memo:{workspace_id}:{told}"


def _kept(name: str) -> str | None:
    try:
        known = cache.get(name)
    except (RedisError, OSError) as error:
        _log.warning("memo.away", error=type(error).__name__)
        return None
    return known if isinstance(known, str) else None


def _keep(name: str, text: str) -> None:
    try:
        cache.set(name, text, MEMO_S)
    except (RedisError, OSError) as error:
        _log.warning("memo.away", error=type(error).__name__)
