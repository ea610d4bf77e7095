"""Optimistic locking of what several people edit."""

from __future__ import annotations

from apps.common.errors import Stale


def require_version(expected: int | None, current: int, *, of: str) -> None:
    """Raise `Stale` unless the writer saw the current version; None accepts any.

    `of` names the resource at the beginning of the error's sentence.
    """
    if expected is not None and expected != current:
        raise Stale(f"{of} was changed elsewhere. Review it, then try again.", extra={"version": current})
