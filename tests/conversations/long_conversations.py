"""Conversations for tests: with given contents, many messages, or a hundred thousand in one statement."""

from __future__ import annotations

from uuid import UUID

from django.db import connection

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.conversations.models import Conversation, Message
from apps.conversations.records import MessageDraft, MessageRecord
from apps.conversations.services.conversations import conversation_create, counters_refresh
from apps.turns.services.messages import messages_store

SENTENCES = (
    "We decided to use PostgreSQL because we need strong consistency. ",
    "The response time must stay under 200 ms for every request. ",
    "Should we cache the catalogue in Redis or in the process? ",
    "Please look at apps/booking/services.py and at https://example.org/rfc/9457. ",
)


def conversation(actor: Actor, **fields: str) -> UUID:
    with workspace(actor.workspace_id):
        return conversation_create(actor, **fields).id


def say(actor: Actor, conversation_id: UUID, *contents: str, role: str = "") -> list[MessageRecord]:
    """Store messages of alternating roles, or of the given role."""
    with workspace(actor.workspace_id):
        begin = Conversation.objects.get(pk=conversation_id).message_count
        drafts = [
            MessageDraft(role=role or ("user", "assistant")[(begin + place) % 2], content=content)
            for place, content in enumerate(contents)
        ]
        return messages_store(actor, conversation_id=conversation_id, drafts=drafts).records


def long_talk(actor: Actor, messages: int = 40, tokens: int = 300) -> UUID:
    """Create a conversation with this many messages of this many tokens each."""
    conversation_id = conversation(actor, title="A long talk")
    size = (tokens - 4) * 4
    say(actor, conversation_id, *(_words(place, size) for place in range(messages)))
    return conversation_id


def history(actor: Actor, conversation_id: UUID) -> list[Message]:
    with workspace(actor.workspace_id):
        return list(Message.objects.filter(conversation_id=conversation_id).order_by("index"))


def row_of(actor: Actor, conversation_id: UUID) -> Conversation:
    with workspace(actor.workspace_id):
        return Conversation.objects.get(pk=conversation_id)


def huge_talk(actor: Actor, messages: int, *, excluded_at_end: int = 0, tokens: int = 104) -> UUID:
    """Create a conversation of any length in one statement, like an import."""
    conversation_id = conversation(actor, title="A huge talk")
    values: dict[str, UUID | int] = {
        "workspace": actor.workspace_id,
        "conversation": conversation_id,
        "characters": (tokens - 4) * 4,
        "tokens": tokens,
        "included": messages - excluded_at_end,
        "last": messages - 1,
    }
    with workspace(actor.workspace_id):
        with connection.cursor() as cursor:
            cursor.execute(_MANY, values)
        counters_refresh(Conversation.objects.get(pk=conversation_id))
    return conversation_id


_MANY = """
INSERT INTO conversations_message (id, workspace_id, conversation_id, "index", role, name, content, parts, status,
    token_count, tokens_through, live_cost, excluded, created_at)
SELECT gen_random_uuid(), %(workspace)s, %(conversation)s, n, CASE WHEN n %% 2 = 0 THEN 'user' ELSE 'assistant' END, '',
    left(repeat('word ', %(characters)s), %(characters)s), '[]', 'complete', %(tokens)s, %(tokens)s * (n + 1),
    %(tokens)s, n >= %(included)s, now()
FROM generate_series(0, %(last)s) AS n
"""


def _words(place: int, size: int) -> str:
    text = f"Point {place}. " + SENTENCES[place % len(SENTENCES)] * (size // 60 + 2)
    return text[:size]
