"""Validation of a memory's content and of the right to change it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from apps.common.errors import Conflict, TooLarge, Unprocessable
from apps.common.versions import require_version
from apps.engine.memory.addresses import Address
from apps.engine.memory.categories import FIXED
from apps.engine.text.normal_form import is_storable
from apps.memory.models import MemNode
from apps.memory.models.tree import LONGEST_TAG

LONGEST_CONTENT = 1_000_000


def tags_check(tags: Sequence[str]) -> None:
    if any(not tag or len(tag) > LONGEST_TAG for tag in tags):
        raise Unprocessable(f"A tag must have 1 to {LONGEST_TAG} characters.", code="bad_tag")


def date_check(occurred_at: datetime | None) -> None:
    """Reject a date that in UTC would be before the first year or after the last."""
    try:
        _ = occurred_at and occurred_at.astimezone(UTC)
    except OverflowError as error:
        raise Unprocessable("The date of the fact is out of range.", code="bad_date") from error


def content_check(content: str) -> None:
    if not content.strip():
        raise Unprocessable("A memory needs content.", code="empty_memory")
    if not is_storable(content):
        raise Unprocessable("The text contains characters that cannot be stored.", code="unstorable")
    if len(content) > LONGEST_CONTENT:
        raise TooLarge(f"A memory can have at most {LONGEST_CONTENT:,} characters.", code="memory_too_long")


def require_usable(row: MemNode) -> None:
    """Raise an error for an archived node or a fixed root."""
    require_free(row)
    if row.archived_at is not None:
        raise Conflict("The memory is archived. Unarchive it first.", code="archived")


def require_free(row: MemNode) -> None:
    """Raise an error for a fixed root."""
    if Address(row.uri) in FIXED:
        raise Unprocessable("Top-level folders cannot be changed.", code="tree_refused")


def require_current(row: MemNode, version: int | None) -> None:
    """Raise `Stale` unless the node still has the version; None accepts any."""
    require_version(version, row.version, of="The memory")
