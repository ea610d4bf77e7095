"""Export of all that belongs to a person, as JSON Lines: items that `continuity import --from json` takes back.

The file is streamed in pages, each read in its own short unit of work. Call it outside one, or consume the stream
within one. What is derived is not exported, because it is made again: summaries, archives of sessions, embeddings.
Neither are other members' conversations, revisions of memories, usage, and settings.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any
from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.conversations.models import Conversation, Message
from apps.engine.memory.addresses import Address
from apps.hooks.models import AgentSession, Observation
from apps.hooks.services.imports.own_conversations import OWN_ID
from apps.memory.models import PinnedMemory, UserMemory
from apps.memory.selectors.tree import subtree
from apps.memory.services.bulk.export import node_fields

FORMAT, VERSION = "continuity-export", 1
_PAGE, _MOST_CHARACTERS = 200, 1_000_000
_ROOTS = ("mem://user", "mem://agent")
Line = dict[str, Any]


def account_export(actor: Actor) -> Iterator[str]:
    """Yield the lines of the file: its format, then one item a line, in the order in which they are imported."""
    yield _written({"format": FORMAT, "version": VERSION})
    for lines in (_user_memory(actor), *map(lambda root: _nodes(actor, Address(root)), _ROOTS), _conversations(actor)):
        yield from map(_written, lines)


def _written(line: Line) -> str:
    return json.dumps(line, ensure_ascii=False) + "\n"


def _user_memory(actor: Actor) -> Iterator[Line]:
    with workspace(actor.workspace_id):
        rows = list(UserMemory.objects.filter(user_id=actor.user_id).order_by("id"))
    for row in rows:
        text = {"type": row.type, "name": row.key, "content": row.content, "is_active": row.is_active}
        yield {"key": f"user_memory:{row.id}", "kind": "user_memory", **text}


def _nodes(actor: Actor, root: Address) -> Iterator[Line]:
    after: str | None = None
    while True:
        with workspace(actor.workspace_id):
            page = subtree(actor, root, after=after, most=_PAGE)
        yield from ({"key": f"node:{one.id}", "kind": "node", "node": node_fields(one)} for one in page.data)
        if (after := page.next_cursor) is None:
            return


def _conversations(actor: Actor) -> Iterator[Line]:
    with workspace(actor.workspace_id):
        rows = Conversation.objects.filter(owner_id=actor.user_id, temporary=False)
        ids = list(rows.order_by("id").values_list("pk", flat=True))
    for conversation_id in ids:
        yield from _conversation(actor, conversation_id)


def _conversation(actor: Actor, conversation_id: UUID) -> Iterator[Line]:
    """A conversation's messages in pages, then its pins and its agent's session; nothing once it is deleted."""
    first = 0
    while True:
        with workspace(actor.workspace_id):
            row = Conversation.objects.filter(pk=conversation_id).first()
            if row is None:
                return
            messages = _some(Message.objects.filter(conversation=row, index__gte=first).order_by("index")[:_PAGE])
            if not messages or messages[-1].index + 1 >= row.message_count:
                last = [*_part(row, messages, first), *_pins(row), *_session(row)]
                break
        yield from _part(row, messages, first)
        first = messages[-1].index + 1
    yield from last
    if last[-1]["kind"] == "agent_session":
        yield from _observations(actor, conversation_id, _name(row))


def _some(rows: Iterable[Message]) -> list[Message]:
    """As many messages as one item should have, and one at least."""
    page: list[Message] = []
    room = _MOST_CHARACTERS
    for row in rows:
        room -= len(row.content) + len(json.dumps(row.parts))
        if page and room < 0:
            break
        page.append(row)
    return page


def _part(row: Conversation, messages: list[Message], first: int) -> list[Line]:
    about: Line = {"external_id": _name(row), "title": row.title, "system_prompt": row.system_prompt, "is_own": True}
    archived_at = row.archived_at.isoformat() if row.archived_at else None
    about |= {"remembers": row.remembers, "token_budget": row.token_budget, "archived_at": archived_at}
    listed = [_message(one) for one in messages if one.content or one.parts]
    key = f"conversation:{row.id}:{first}"
    return [{"key": key, "kind": "conversation", **about, "first_number": first + 1, "messages": listed}]


def _message(row: Message) -> Line:
    fields = {
        "external_id": _message_name(row),
        "role": row.role,
        "content": row.content,
        "name": row.name,
        "parts": row.parts,
        "created_at": row.created_at.isoformat(),
        "excluded": row.excluded,
    }
    return {name: value for name, value in fields.items() if value or name == "content"}


def _pins(row: Conversation) -> Iterator[Line]:
    for pin in PinnedMemory.objects.filter(conversation=row).select_related("message").order_by("id"):
        message = _message_name(pin.message) if pin.message else ""
        about = {"conversation": _name(row), "message": message, "category": pin.category, "content": pin.content}
        yield {"key": f"pin:{pin.id}", "kind": "pin", **about}


def _session(row: Conversation) -> Iterator[Line]:
    for session in AgentSession.objects.filter(conversation=row):
        yield {
            "key": f"agent_session:{session.id}",
            "kind": "agent_session",
            "conversation": _name(row),
            "client": session.client,
            "session_id": session.client_session_id,
            "project": session.project,
            "cwd": session.cwd,
            "model": session.model,
            "started_at": session.started_at.isoformat(),
            "last_event_at": session.last_event_at.isoformat(),
            "ended_at": session.ended_at.isoformat() if session.ended_at else None,
            "end_reason": session.end_reason,
            "prompt_count": session.prompt_count,
            "tool_count": session.tool_count,
        }


def _observations(actor: Actor, conversation_id: UUID, name: str) -> Iterator[Line]:
    after = UUID(int=0)
    while True:
        with workspace(actor.workspace_id):
            rows = Observation.objects.filter(session__conversation_id=conversation_id, pk__gt=after)
            page = list(rows.select_related("message").order_by("id")[:_PAGE])
        yield from (_observation(row, name) for row in page)
        if len(page) < _PAGE:
            return
        after = page[-1].id


def _observation(row: Observation, name: str) -> Line:
    return {
        "key": f"agent_observation:{row.id}",
        "kind": "agent_observation",
        "conversation": name,
        "message": _message_name(row.message) if row.message else "",
        "event_key": row.event_key,
        "observed": row.kind,
        "title": row.title,
        "tool_name": row.tool_name,
        "digest": row.digest,
        "files": row.files,
        "is_error": row.is_error,
        "agent_id": row.agent_id,
        "details": row.details,
        "occurred_at": row.occurred_at.isoformat(),
    }


def _name(row: Conversation) -> str:
    return row.external_id or f"{OWN_ID}{row.id}"


def _message_name(row: Message) -> str:
    return row.external_id or f"{OWN_ID}{row.id}"
