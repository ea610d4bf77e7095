"""The searches of a pack, known before its sources are read: for a message, and for the conversation's topics."""

from __future__ import annotations

from dataclasses import dataclass, replace
from uuid import UUID

from apps.accounts.actors import Actor
from apps.compaction.selectors.contexts import context_state
from apps.context.selectors.lasting import topic_text
from apps.context.selectors.past_chats import quotes_others
from apps.context.selectors.retrieval import retrieval_query
from apps.conversations.models import Conversation, MessageRole, MessageStatus
from apps.conversations.records import MessageDraft, engine_message
from apps.conversations.selectors.audience import audience_of
from apps.conversations.selectors.messages import newest_message
from apps.engine.messages.message import Message, Role
from apps.engine.policy import Policy
from apps.memory.records.search import OtherConversations, SearchQuery
from apps.memory.selectors.search.topics import topics_query

_UNFINISHED = (MessageStatus.PARTIAL, MessageStatus.FAILED)


@dataclass(frozen=True, slots=True)
class PackQueries:
    """The searches of a pack: for the topics, for the message among memories alone, and among messages too.

    Of searches for the same text the embeddings of the last one count.
    """

    topics: SearchQuery | None = None
    memories: SearchQuery | None = None
    whole: SearchQuery | None = None

    @property
    def every(self) -> list[SearchQuery]:
        return [one for one in (self.topics, self.memories, self.whole) if one]


def pack_queries(actor: Actor, conversation: Conversation, policy: Policy, message: MessageDraft | None) -> PackQueries:
    """Return the searches of the pack for a message that is about to be sent, or for the one that waits for a reply."""
    audience = audience_of(actor, conversation)
    private = audience.allows_private_memories
    topics = _of_topics(conversation, with_own=private)
    text = retrieval_query(_sent(message) if message else _waiting(conversation.id))
    if not text:
        return PackQueries(topics)
    others: OtherConversations = "also" if quotes_others(audience, conversation, policy) else "none"
    memories = SearchQuery(text, with_own_memories=private)
    whole = replace(memories, corpus="all", conversation_id=conversation.id, other_conversations=others)
    return PackQueries(topics, None if conversation.temporary else memories, whole)


def _of_topics(conversation: Conversation, *, with_own: bool) -> SearchQuery | None:
    """The search of a pack that begins a cache epoch."""
    if conversation.temporary:
        return None
    text = topic_text(conversation.title, context_state(conversation.id).summary)
    return topics_query(text, with_own=with_own) if text else None


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
