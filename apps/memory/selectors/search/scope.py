"""Scope of a search: the banks of memories and conversations that a person may read, and the people named in them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.conversations.models import Conversation
from apps.conversations.selectors.access import conversation_access, conversations_of, own_conversations
from apps.conversations.selectors.search import MOST_CONVERSATIONS
from apps.engine.memory.ranking_features import ASKER, LONGEST_QUESTION, Question, read_question
from apps.memory.records.search import SearchQuery
from apps.memory.selectors.search.banks import history_bank

MOST_SPEAKERS = 50
# A search reads its question before and after it is embedded.
_read = lru_cache(maxsize=64)(read_question)
# The name of the user, and the distinct speakers of each bank, read by a loose index scan.
_NAMES = """
SELECT 'asker', lower(name) FROM accounts_user WHERE id = %(user)s AND name <> ''
UNION ALL SELECT DISTINCT 'speaker', named.actor FROM unnest(%(conversations)s::uuid[]) AS conversation (bank)
CROSS JOIN LATERAL (
    WITH RECURSIVE named AS (
        (SELECT actor FROM mem_passages
            WHERE workspace_id = %(workspace)s AND bank = conversation.bank AND actor > '' ORDER BY actor LIMIT 1)
        UNION ALL
        SELECT (SELECT p.actor FROM mem_passages AS p
            WHERE p.workspace_id = %(workspace)s AND p.bank = conversation.bank AND p.actor > named.actor
            ORDER BY p.actor LIMIT 1)
        FROM named WHERE named.actor IS NOT NULL
    )
    SELECT actor FROM named WHERE actor IS NOT NULL LIMIT %(limit)s
) AS named
"""


@dataclass(frozen=True, slots=True)
class Banks:
    """The banks to search; `readers` are those whose memories may be named beside messages."""

    readers: tuple[UUID, ...]
    memories: tuple[UUID, ...]
    conversations: tuple[UUID, ...]

    @property
    def every(self) -> list[UUID]:
        return [*self.memories, *self.conversations]


def banks_for(actor: Actor, query: SearchQuery) -> Banks:
    """Select the actor's and the workspace's memories, and one conversation or the newest readable ones.

    Without the actor's own memories only the workspace's.

    With one conversation, the actor's own other ones if the query says so: at most the `MOST_CONVERSATIONS` newest,
    none of them temporary. Raises `NotFound` for a conversation that the actor may not read.
    """
    readers = (actor.person_id, actor.workspace_id) if query.with_own_memories else (actor.workspace_id,)
    memories = _memories(actor, query) if query.corpus != "messages" else ()
    if query.corpus == "memories" or query.of_memories:
        return Banks(readers, memories, ())
    if query.conversation_id is not None:
        return Banks(readers, memories, tuple(_around(actor, query, query.conversation_id)))
    return Banks(readers, memories, tuple(_newest(conversations_of(actor))))


def _memories(actor: Actor, query: SearchQuery) -> tuple[UUID, ...]:
    banks = {"mine": actor.person_id, "team": actor.workspace_id}
    if not query.with_own_memories:
        del banks["mine"]
    current = tuple(bank for owner, bank in banks.items() if query.owner in (None, owner))
    return current if query.as_of is None else (*current, *map(history_bank, current))


def question_for(actor: Actor, query: SearchQuery, banks: Banks) -> Question:
    """Analyze the query with the names of the banks' speakers.

    Memories always count as about the asker; the search itself resolves other people. Relative dates count from
    `as_of`.
    """
    names = _names(actor, banks.conversations) if banks.conversations else {}
    speakers = tuple(sorted(names.get("speaker", ())))
    own = [ASKER] if banks.memories else [name for name in (ASKER, *names.get("asker", ())) if name in speakers]
    today = (query.as_of or timezone.now()).date()
    return _read(query.query[:LONGEST_QUESTION], speakers=speakers, asker=tuple(own), today=today)


def _names(actor: Actor, conversations: Sequence[UUID]) -> dict[str, list[str]]:
    names: dict[str, list[str]] = defaultdict(list)
    user, workspace = actor.person_id, actor.workspace_id
    with connection.cursor() as cursor:
        cursor.execute(
            _NAMES,
            {"workspace": workspace, "user": user, "conversations": list(conversations), "limit": MOST_SPEAKERS},
        )
        for kind, name in cursor.fetchall():
            names[kind].append(name)
    return names


def _around(actor: Actor, query: SearchQuery, conversation_id: UUID) -> Iterator[UUID]:
    """Yield the conversation, the actor's own other ones, or both."""
    conversation_access(actor, conversation_id)
    if query.other_conversations != "only":
        yield conversation_id
    if query.other_conversations != "none":
        yield from _newest(own_conversations(actor).exclude(pk=conversation_id))


def _newest(conversations: QuerySet[Conversation]) -> QuerySet[Conversation, UUID]:
    rows = conversations.filter(temporary=False).order_by("-active_at", "-id")
    return rows.values_list("id", flat=True)[:MOST_CONVERSATIONS]
