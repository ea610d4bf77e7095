"""Finding conversations by their titles and messages by their words, among all that somebody may read.

The words are looked for as they stand: what full text would find is not leakproof, so no index could serve it here.
The work is bounded instead: so many conversations, so many messages in them, so many seconds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from django.db import OperationalError, connection, transaction
from psycopg.errors import QueryCanceled

from apps.accounts.actors import Actor
from apps.common.errors import Unavailable
from apps.conversations.models import Conversation
from apps.conversations.records import ConversationMatch, MessageMatch, SearchResults
from apps.conversations.selectors.access import conversations_of

MOST_CONVERSATIONS = 1_000
MOST_MESSAGES = 50_000
LONGEST_MS = 2_000
_BEFORE, _SNIPPET = 60, 200
_CUT = "…"
_WILD, _ESCAPED = re.compile(r"([%_\\])"), r"\\\1"
_FIND = """
SELECT found.* FROM unnest(%(talks)s::uuid[], %(firsts)s::int[]) AS talk (id, first_index)
CROSS JOIN LATERAL (
    SELECT conversation_id, id, "index", role, created_at, content,
        greatest(position(lower(%(words)s) IN lower(content)) - %(before)s, 1) AS begin
    FROM conversations_message
    WHERE workspace_id = %(workspace)s AND conversation_id = talk.id AND "index" >= talk.first_index
        AND content ILIKE %(pattern)s
    ORDER BY "index" DESC LIMIT %(limit)s
) AS found ORDER BY created_at DESC, id DESC LIMIT %(limit)s
"""
_TELL = f"""
SELECT conversation_id, id, "index", role, created_at, begin > 1, substring(content FROM begin FOR %(length)s)
FROM ({_FIND}) AS found ORDER BY created_at DESC, id DESC
"""  # noqa: S608  # the only inserted text is the constant above


def search(actor: Actor, words: str, *, limit: int) -> SearchResults:
    """The newest of both kinds, at most `limit` each; raises `Unavailable` when it takes too long."""
    with _bounded_time():
        talks = list(conversations_of(actor).defer("system_prompt").order_by("-active_at", "-id")[:MOST_CONVERSATIONS])
        rows = _messages(actor, talks, words, limit)
    titles = {talk.id: talk.title for talk in talks}
    named = [talk for talk in talks if words.casefold() in talk.title.casefold()]
    return SearchResults(
        [ConversationMatch(talk.id, talk.title, talk.updated_at, talk.archived_at) for talk in named[:limit]],
        [_found(row, titles, words) for row in rows],
    )


def _messages(actor: Actor, talks: Sequence[Conversation], words: str, limit: int) -> list[tuple[Any, ...]]:
    reach = list(_reach(talks))
    values: dict[str, Any] = {
        "talks": [talk_id for talk_id, _ in reach],
        "firsts": [first for _, first in reach],
        "workspace": actor.workspace_id,
        "words": words,
        "pattern": f"%{_WILD.sub(_ESCAPED, words)}%",
        "before": _BEFORE,
        "length": _SNIPPET,
        "limit": limit,
    }
    with connection.cursor() as cursor:
        cursor.execute(_TELL, values)
        found: list[tuple[Any, ...]] = cursor.fetchall()
    return found


def _reach(talks: Sequence[Conversation]) -> Iterator[tuple[UUID, int]]:
    """Where to begin in each conversation, the newest first, until as many messages as may be read are reached."""
    left = MOST_MESSAGES
    for talk in talks:
        if left <= 0:
            break
        yield talk.id, max(0, talk.message_count - left)
        left -= talk.message_count


def _found(row: tuple[Any, ...], titles: dict[UUID, str], words: str) -> MessageMatch:
    talk_id, message_id, index, role, created_at, is_cut, piece = row
    snippet = re.sub(r"\s", " ", f"{_CUT}{piece}" if is_cut else piece)
    match = re.search(re.escape(words), snippet, re.IGNORECASE)
    place = (match.start(), match.end() - match.start()) if match else (0, 0)
    return MessageMatch(talk_id, titles[talk_id], message_id, index, role, snippet, place, created_at)


@contextmanager
def _bounded_time() -> Iterator[None]:
    try:
        with transaction.atomic():
            before = _time_limit(str(LONGEST_MS))
            yield
            _time_limit(before)
    except OperationalError as error:
        if isinstance(error.__cause__, QueryCanceled):
            raise Unavailable(
                "The search takes too long; look for longer or rarer words.", code="search_too_slow"
            ) from error
        raise


def _time_limit(value: str) -> str:
    """Set how long a statement of this transaction may take; what it was before."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('statement_timeout')")
        (before,) = cursor.fetchone()
        cursor.execute("SELECT set_config('statement_timeout', %s, true)", [value])
    return str(before)
