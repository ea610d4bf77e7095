"""Export of all that belongs to a person, as JSON Lines: items that `continuity import --from json` takes back.

The file is streamed in pages, each read in its own short unit of work. Call it outside one, or consume the stream
within one. docs/imports.md lists what is in it and what is not. Conversations come first, since memories name their
messages, and links between memories come after all of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.memory.models import UserMemory
from apps.transfer.services.export.conversations import conversation_lines
from apps.transfer.services.export.memories import conflict_lines, history_lines, node_lines
from apps.transfer.services.export.pages import Line, date

FORMAT, VERSION = "continuity-export", 2


def account_export(actor: Actor) -> Iterator[str]:
    """Yield the lines of the file: its format, then one item a line, in the order in which they are imported."""
    yield _written({"format": FORMAT, "version": VERSION})
    for lines in (_user_memory, conversation_lines, node_lines, history_lines, conflict_lines):
        yield from map(_written, lines(actor))


def _written(line: Line) -> str:
    return json.dumps(line, ensure_ascii=False) + "\n"


def _user_memory(actor: Actor) -> Iterator[Line]:
    with workspace(actor.workspace_id):
        rows = list(UserMemory.objects.filter(user_id=actor.user_id).order_by("id"))
    for row in rows:
        text = {"type": row.type, "name": row.key, "content": row.content, "is_active": row.is_active}
        dates = {"created_at": date(row.created_at), "updated_at": date(row.updated_at)}
        yield {"key": f"user_memory:{row.id}", "kind": "user_memory", **text, **dates}
