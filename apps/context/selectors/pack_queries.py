"""The searches of a pack, known before its sources are read: for a message, and for the conversation's topics."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

from apps.accounts.actors import Actor
from apps.compaction.selectors.contexts import context_state
from apps.context.selectors.lasting import topic_text
from apps.context.selectors.past_chats import quotes_others
from apps.context.selectors.retrieval import retrieval_query
from apps.conversations.models import Conversation, MessageRole, MessageStatus
from apps.conversations.records import MessageDraft, engine_message
from apps.conversations.selectors.messages import newest_message
from apps.engine.messages.message import Message, Role
from apps.engine.policy import Policy
from apps.memory.records.search import SearchQuery
from apps.memory.selectors.search.topics import topics_query

_UNFINISHED = (MessageStatus.PARTIAL, MessageStatus.FAILED)


def pack_queries(
    actor: Actor, conversation: Conversation, policy: Policy, message: MessageDraft | None
) -> list[SearchQuery]:
    """Return the searches of the pack for a message that is about to be sent, or for the one that waits for a reply."""
    text = retrieval_query(_sent(message) if message else _waiting(conversation.id))
    return [*_of_topics(conversation), *(_of_message(actor, conversation, policy, text) if text else ())]


def _of_message(actor: Actor, conversation: Conversation, policy: Policy, text: str) -> Iterator[SearchQuery]:
    """The searches for a message among memories alone, and among messages too, of which the last one counts."""
    if not conversation.temporary:
        yield SearchQuery(text)
    others = quotes_others(actor, conversation, policy)
    yield SearchQuery(
        text, corpus="all", conversation_id=conversation.id, other_conversations="also" if others else "none"
    )


def _of_topics(conversation: Conversation) -> Iterator[SearchQuery]:
    """The search of a pack that begins a cache epoch."""
    if not conversation.temporary and (text := topic_text(conversation.title, context_state(conversation.id).summary)):
        yield topics_query(text)


def _sent(draft: MessageDraft) -> Message | None:
    if draft.role != MessageRole.USER:
        return None
    return Message("", 0, Role.USER, draft.content, 0, draft.name, draft.parts)


def _waiting(conversation_id: UUID) -> Message | None:
    """The newest message if it is the user's, also if a failed reply follows it, which a retry replaces."""
    row = newest_message(conversation_id)
    if row is not None and row.status in _UNFINISHED:
        row = newest_message(conversation_id, roles=(MessageRole.USER,))
    return engine_message(row) if row is not None and row.role == MessageRole.USER else None
