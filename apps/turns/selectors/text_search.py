"""Search of everything that a person may read, by literal words: chats, messages, memories, pins and summaries."""

from __future__ import annotations

from dataclasses import dataclass

from apps.accounts.actors import Actor
from apps.compaction.selectors.text_search import LineMatch, summary_lines_with
from apps.conversations.records import ConversationMatch, MessageMatch
from apps.conversations.selectors.search import (
    bounded_time,
    conversations_named,
    messages_with,
    newest_conversations,
    words_of,
)
from apps.memory.records.text_search import MemoryMatch, PinMatch, UserMemoryMatch
from apps.memory.selectors.text_search import memories_with, pins_with, user_memory_with


@dataclass(frozen=True, slots=True)
class SearchResults:
    """Matches by kind, newest first."""

    conversations: list[ConversationMatch]
    messages: list[MessageMatch]
    memories: list[MemoryMatch]
    user_memory: list[UserMemoryMatch]
    pins: list[PinMatch]
    summary_lines: list[LineMatch]


def text_search(actor: Actor, query: str, *, limit: int) -> SearchResults:
    """Return what contains all words of the query, at most `limit` of each kind; raises `Unavailable` after a timeout.

    Pins and summaries are those of the newest conversations.
    """
    words = words_of(query)
    with bounded_time() as next_statement:
        conversations = newest_conversations(actor)
        titles = {conversation.id: conversation.title for conversation in conversations}
        next_statement()
        messages = messages_with(actor, conversations, words, limit)
        next_statement()
        memories = memories_with(actor, words, limit)
        next_statement()
        user_memory = user_memory_with(actor, words, limit)
        next_statement()
        pins = pins_with(titles, words, limit)
        next_statement()
        lines = summary_lines_with(titles, words, limit)
    named = conversations_named(conversations, words, limit)
    return SearchResults(named, messages, memories, user_memory, pins, lines)
