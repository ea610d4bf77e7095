"""Messages of which nothing was remembered and that no longer hold after what is said later.

What a memory says is superseded by what ends it, and so is each quote of the messages that it came from. Of others only
the message itself can be found, which other conversations then must not quote as if it held.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.conversations.models import Message
from apps.conversations.services.messages import messages_make_unretrievable
from apps.engine.extraction.candidate import Candidate
from apps.engine.memory.relations import NO_LONGER_HOLDS
from apps.extraction.selectors.known_memories import earlier_messages_query, unremembered_messages
from apps.extraction.services.comparing.endings import capped_if_several
from apps.llm.reading.installed import ended_chances
from apps.memory.selectors.search.query_vectors import with_vectors


def ended_messages_of(actor: Actor, conversation_id: UUID, found: Sequence[Candidate]) -> dict[UUID, str]:
    """Return the messages that candidates surely end, each with the id of the message that does. Outside a unit."""
    passages = {one.passage: one.quote.message_id for one in found if one.passage.strip()}
    queries = with_vectors(actor, [earlier_messages_query(conversation_id, passage) for passage in passages])
    with workspace(actor.workspace_id, plans="force_generic_plan"):
        near = dict(zip(passages, unremembered_messages(actor, queries), strict=True))
    pairs = [(row, passage) for passage, rows in near.items() for row in rows if str(row.id) != passages[passage]]
    judged = dict(zip(pairs, ended_chances([(row.content, passage) for row, passage in pairs]), strict=True))
    return {row.id: passages[passage] for row, passage in _surely_ended(judged)}


def _surely_ended(judged: Mapping[tuple[Message, str], float]) -> Iterator[tuple[Message, str]]:
    """The messages with the passage that ends each; a passage that seems to end several ends none."""
    for _, of_passage in groupby(judged, key=lambda pair: pair[1]):
        ended = capped_if_several({pair: judged[pair] for pair in of_passage}, lambda pair: str(pair[0].id))
        yield from (pair for pair, chance in ended.items() if chance >= NO_LONGER_HOLDS)


def messages_end(ended: Mapping[UUID, str], dates: Mapping[str, datetime]) -> None:
    """Let no other conversation quote the messages that were said before the ones that end them. In a unit of work."""
    rows = Message.objects.filter(pk__in=ended).values_list("id", "created_at")
    messages_make_unretrievable(list(_earlier(rows, ended, dates)))


def _earlier(
    rows: Iterable[tuple[UUID, datetime]], ended: Mapping[UUID, str], dates: Mapping[str, datetime]
) -> Iterable[UUID]:
    for message_id, said_at in rows:
        ended_at = dates.get(ended[message_id])
        if ended_at is not None and said_at < ended_at:
            yield message_id
