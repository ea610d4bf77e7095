"""Search of conversations by title and of messages by all of the given words, among all that the actor may read.

The text of a message includes its tool calls and results, but not a model's reasoning. A quoted phrase counts as one
word. Words are matched literally: full text search is not leakproof, so no index could serve it under row-level
security. The work is bounded instead by numbers of conversations and messages, and by a time limit.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from django.db import OperationalError, connection, transaction
from psycopg.errors import QueryCanceled

from apps.accounts.actors import Actor
from apps.common.errors import Unavailable
from apps.conversations.models import Conversation
from apps.conversations.records import ConversationMatch, MessageMatch, Snippet
from apps.conversations.selectors.access import conversations_of

MOST_CONVERSATIONS = 1_000
MOST_MESSAGES = 50_000
LONGEST_MS = 2_000
_BEFORE, _SNIPPET = 60, 200
_CUT = "…"
_WILD, _ESCAPED = re.compile(r"([%_\\])"), r"\\\1"
_WORD = re.compile(r'"([^"]+)"|(\S+)')
MOST_WORDS = 10
_FIND = """
SELECT found.* FROM unnest(%(conversations)s::uuid[], %(firsts)s::int[]) AS searched (id, first_index)
CROSS JOIN LATERAL (
    SELECT conversation_id, id, "index", role, created_at, text,
        greatest(position(lower(%(shown)s) IN lower(text)) - %(before)s, 1) AS begin
    FROM conversations_message CROSS JOIN LATERAL (
        SELECT CASE WHEN parts = '[]' THEN content ELSE concat_ws(' ', content, (
            SELECT string_agg(part ->> 'text', ' ') FROM jsonb_array_elements(parts) AS part
            WHERE part ->> 'kind' <> 'reasoning'
        )) END AS text
    ) AS whole
    WHERE workspace_id = %(workspace)s AND conversation_id = searched.id AND "index" >= searched.first_index
        AND text ILIKE ALL (%(patterns)s::text[])
    ORDER BY "index" DESC LIMIT %(limit)s
) AS found ORDER BY created_at DESC, id DESC LIMIT %(limit)s
"""
_TELL = f"""
SELECT conversation_id, id, "index", role, created_at, begin > 1, substring(text FROM begin FOR %(length)s)
FROM ({_FIND}) AS found ORDER BY created_at DESC, id DESC
"""  # noqa: S608  # the only inserted text is the constant above


def newest_conversations(actor: Actor) -> list[Conversation]:
    """The conversations that a search covers: the newest that the actor may read, without temporary ones."""
    rows = conversations_of(actor).filter(temporary=False).defer("system_prompt")
    return list(rows.order_by("-active_at", "-id")[:MOST_CONVERSATIONS])


def conversations_named(
    conversations: Sequence[Conversation], words: Sequence[str], limit: int
) -> list[ConversationMatch]:
    """Those with all of the words in their title."""
    named = [one for one in conversations if _is_named(one.title, words)]
    return [ConversationMatch(one.id, one.title, one.updated_at, one.archived_at) for one in named[:limit]]


def messages_with(
    actor: Actor, conversations: Sequence[Conversation], words: Sequence[str], limit: int
) -> list[MessageMatch]:
    """The newest messages with all of the words."""
    titles = {conversation.id: conversation.title for conversation in conversations}
    return [_found(row, titles, words[0]) for row in _messages(actor, conversations, words, limit)]


def snippet_of(text: str, word: str) -> Snippet:
    """The part of a text around a word, or its beginning.

    >>> snippet_of("We sold the boat.", "BOAT")
    Snippet(text='We sold the boat.', match=(12, 4))
    """
    found = re.search(re.escape(word), text, re.IGNORECASE)
    begin = max(found.start() - _BEFORE, 0) if found else 0
    return _marked(text[begin : begin + _SNIPPET], word, is_cut=begin > 0)


def words_of(query: str) -> list[str]:
    """Return the words and quoted phrases of a query, the longest first: that one is shown in the snippet.

    >>> words_of('vienna "daily backups" at')
    ['daily backups', 'vienna', 'at']
    """
    words = [phrase or word for phrase, word in _WORD.findall(query)][:MOST_WORDS]
    return sorted(words, key=len, reverse=True)


def _is_named(title: str, words: Sequence[str]) -> bool:
    return all(word.casefold() in title.casefold() for word in words)


def _messages(
    actor: Actor, conversations: Sequence[Conversation], words: Sequence[str], limit: int
) -> list[tuple[Any, ...]]:
    reach = list(_reach(conversations))
    values: dict[str, Any] = {
        "conversations": [conversation_id for conversation_id, _ in reach],
        "firsts": [first for _, first in reach],
        "workspace": actor.workspace_id,
        "shown": words[0],
        "patterns": [f"%{_WILD.sub(_ESCAPED, word)}%" for word in words],
        "before": _BEFORE,
        "length": _SNIPPET,
        "limit": limit,
    }
    with connection.cursor() as cursor:
        cursor.execute(_TELL, values)
        found: list[tuple[Any, ...]] = cursor.fetchall()
    return found


def _reach(conversations: Sequence[Conversation]) -> Iterator[tuple[UUID, int]]:
    """Yield each conversation's first index to search, newest conversation first, up to the limit of messages."""
    left = MOST_MESSAGES
    for conversation in conversations:
        if left <= 0:
            break
        yield conversation.id, max(0, conversation.message_count - left)
        left -= conversation.message_count


def _found(row: tuple[Any, ...], titles: dict[UUID, str], shown: str) -> MessageMatch:
    conversation_id, message_id, index, role, created_at, is_cut, piece = row
    snippet = _marked(piece, shown, is_cut=is_cut)
    title = titles[conversation_id]
    return MessageMatch(conversation_id, title, message_id, index, role, snippet.text, snippet.match, created_at)


def _marked(piece: str, word: str, *, is_cut: bool) -> Snippet:
    text = re.sub(r"\s", " ", f"{_CUT}{piece}" if is_cut else piece)
    match = re.search(re.escape(word), text, re.IGNORECASE)
    return Snippet(text, (match.start(), match.end() - match.start()) if match else (0, 0))


@contextmanager
def bounded_time() -> Iterator[Callable[[], None]]:
    """Limit the time of all statements of a search together; raises `Unavailable` after a timeout.

    Call the result between two statements: the next has the time that is left.
    """
    end = time.monotonic() + LONGEST_MS / 1_000
    try:
        with transaction.atomic():
            before = _time_limit(str(LONGEST_MS))
            yield lambda: _limit_to_rest(end)
            _time_limit(before)
    except OperationalError as error:
        if isinstance(error.__cause__, QueryCanceled):
            raise _too_slow() from error
        raise


def _limit_to_rest(end: float) -> None:
    left = int(1_000 * (end - time.monotonic()))
    if left <= 0:
        raise _too_slow()
    _time_limit(str(left))


def _too_slow() -> Unavailable:
    return Unavailable("The search took too long. Try longer or rarer words.", code="search_too_slow")


def _time_limit(value: str) -> str:
    """Set the statement timeout of this transaction, and return the previous one."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('statement_timeout')")
        (before,) = cursor.fetchone()
        cursor.execute("SELECT set_config('statement_timeout', %s, true)", [value])
    return str(before)
