"""What the estimate by script counts beyond characters/4, for messages stored before it."""

from __future__ import annotations

import json
from typing import Any, ClassVar
from uuid import UUID

from django.db import migrations

from apps.common.migration_batches import in_batches
from apps.engine.messages.message import Part, PartKind, message_tokens
from apps.engine.policy import Policy

# Only these can differ: letters beyond Latin-1, and words as long as an identifier.
_READ = r"""
SELECT id, content, parts, token_count FROM conversations_message
WHERE conversation_id = ANY(%(ids)s) AND (content ~ '[^\x01-\xff]|\S{16}' OR parts <> '[]')
"""
_STORE = """
UPDATE conversations_message AS message
SET extra_tokens = new.extra, live_cost = greatest(live_cost, least(token_count + new.extra, %(longest)s))
FROM unnest(%(ids)s::uuid[], %(extra)s::int[]) AS new (id, extra) WHERE message.id = new.id
"""
_COUNT = """
UPDATE conversations_conversation AS conversation SET extra_tokens = counted.extra, live_tokens = counted.live
FROM (
    SELECT conversation_id, coalesce(sum(extra_tokens) FILTER (WHERE NOT excluded), 0) AS extra,
        coalesce(sum(live_cost) FILTER (WHERE compacted_in IS NULL AND NOT excluded), 0) AS live
    FROM conversations_message WHERE conversation_id = ANY(%(ids)s) GROUP BY conversation_id
) AS counted WHERE conversation.id = counted.conversation_id
"""
_READ_AT_ONCE = 1_000


def estimate(cursor: Any, conversation_ids: list[UUID]) -> None:
    """Store the counts of the locked conversations' messages, then the conversations' sums."""
    extra: dict[UUID, int] = {}
    cursor.execute(_READ, {"ids": conversation_ids})
    while rows := cursor.fetchmany(_READ_AT_ONCE):
        extra |= {row_id: more for row_id, *values in rows if (more := _extra_tokens(*values)) > 0}
    if extra:
        longest = Policy().long_message_tokens
        cursor.execute(_STORE, {"ids": list(extra), "extra": list(extra.values()), "longest": longest})
        cursor.execute(_COUNT, {"ids": conversation_ids})


def _extra_tokens(content: str, parts: str, stored: int) -> int:
    read = [Part(**{**part, "kind": PartKind(part["kind"])}) for part in json.loads(parts)]
    return message_tokens(content, read) - stored


class Migration(migrations.Migration):
    atomic = False
    dependencies: ClassVar = [("conversations", "0010_extra_tokens")]
    operations: ClassVar = [in_batches("conversations_conversation", estimate, size=20)]
