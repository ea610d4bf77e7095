"""Index of the passages that retrieval reads: memories in the transaction of their write, messages by a job soon after.

A passage exists exactly for a leaf that is not archived, not empty and no archive of a conversation, for an active item
of user memory, and for a message that is complete or partial, not excluded and not empty. A proposed leaf has it in a
bank that no search reads: the inbox compares its vector. What tools returned is indexed by a digest. A separate job
embeds it.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Max, TextField
from django.db.models.functions import Cast, Length

from apps.common.fault_injection import fault_point
from apps.common.ids import uuid7s
from apps.common.models import ALSO_HERE
from apps.common.tenancy import current_workspace_id, use_hash_joins, workspace
from apps.conversations.models import Conversation, Message, MessageStatus
from apps.conversations.selectors.access import conversation_lock
from apps.engine.language.search_words.analysis import VERSION
from apps.engine.memory.ranking_features import ASKER, SESSION_GAP_HOURS
from apps.jobs.services import Lease, RescheduleJob, job_progress, job_request_within, lease_fence
from apps.memory.models import MemNode, Passage
from apps.memory.selectors.search.banks import INDEXED, NODE_BANK
from apps.memory.selectors.search.embedding_backlog import BEGINNING
from apps.memory.services.index.embedding_job import embedding_schedule_if_due
from apps.memory.services.index.tool_texts import ranges_of_results, tool_texts
from apps.memory.services.index.words import (
    NODE_TEXT,
    USER_MEMORY_TEXT,
    message_words,
    node_words,
    user_memory_words,
)

KIND = "memory_messages"
BATCH, BATCH_CHARACTERS = 500, 500_000
_RUN_S = 10
_SOON_S, _LATEST_S = 1, 30

_COLUMNS = """id, workspace_id, bank, node_id, message_id, series, session, place, actor, occurred_at, words,
    word_count, words_version, char_count, is_question, text_hash, wanted_at"""
_REWRITTEN = (
    *("bank", "series", "session", "place", "actor", "occurred_at"),
    *("words", "word_count", "words_version", "char_count", "is_question", "text_hash"),
)
# A passage whose text is unchanged keeps its embeddings.
_REWRITE = ", ".join(
    [f"{name} = EXCLUDED.{name}" for name in _REWRITTEN]
    + [
        "wanted_at = CASE WHEN passage.text_hash = EXCLUDED.text_hash THEN passage.wanted_at"
        " ELSE EXCLUDED.wanted_at END"
    ]
)
_ABOUT = f"""left(CASE WHEN uri LIKE 'mem://user/entities/%%' THEN lower(replace(split_part(uri, '/', 5), '-', ' '))
        WHEN uri LIKE 'mem://user/%%' THEN '{ASKER}' ELSE '' END, 120)"""
_SYNC = f"""
WITH input AS (
    SELECT requested.passage_id, requested.analysis, n.*, {NODE_TEXT} AS text,
        coalesce(nullif(n.l0_abstract, ''), left(n.l2_content, {BEGINNING})) AS meaning,
        coalesce(nullif(n.l2_content, ''), n.l0_abstract) AS body
    FROM unnest(%(nodes)s::uuid[], %(ids)s::uuid[], %(analyses)s::text[]) AS requested (node_id, passage_id, analysis)
    CROSS JOIN LATERAL (
        SELECT * FROM mem_nodes WHERE id = requested.node_id AND {ALSO_HERE} LIMIT 1
    ) AS n WHERE {INDEXED}
)
INSERT INTO mem_passages AS passage ({_COLUMNS})
SELECT passage_id, workspace_id, {NODE_BANK.format(node="input")}, id, NULL, coalesce(parent_id, id), 0, NULL,
    {_ABOUT},
    occurred_at, words, length(words), {VERSION}, length(body), rtrim(body) LIKE '%%?',
    hashtextextended(text || chr(1) || meaning, 0), clock_timestamp()
FROM input CROSS JOIN LATERAL stemmed_words(analysis) AS words
ON CONFLICT (workspace_id, node_id) WHERE node_id IS NOT NULL DO UPDATE SET {_REWRITE}
RETURNING id
"""  # noqa: S608  # the only inserted text is the constants above
# A list, not a lookup per node: whatever index the planner chooses, it is scanned once.
_OF_NODES = """(
    SELECT id, bank, node_id, actor FROM mem_passages
    WHERE workspace_id = %(workspace)s AND node_id = ANY(%(nodes)s::uuid[]) OFFSET 0
) AS own"""
_NODE = f"FROM mem_nodes WHERE id = own.node_id AND {ALSO_HERE}"
# The ids come first and the deletion after them: a join of both is planned with statistics that a bulk load outdates.
_UNUSED = f"""
SELECT own.id FROM {_OF_NODES} CROSS JOIN LATERAL (SELECT 1 {_NODE} AND NOT ({INDEXED}) LIMIT 1) AS unused
"""  # noqa: S608  # the only inserted text is the constants above
_NEW_SUBJECTS = f"""
SELECT own.id, n.about FROM {_OF_NODES} CROSS JOIN LATERAL (SELECT {_ABOUT} AS about {_NODE} LIMIT 1) AS n
WHERE own.actor <> n.about
"""  # noqa: S608  # the only inserted text is the constants above
_SET_SUBJECTS = f"""
UPDATE mem_passages AS passage SET actor = input.about
FROM unnest(%(ids)s::uuid[], %(subjects)s::text[]) AS input (id, about)
WHERE passage.id = input.id AND passage.id = ANY(%(ids)s::uuid[]) AND {ALSO_HERE}
"""  # noqa: S608  # the only inserted text is the constant above
_SYNC_USER_MEMORY = f"""
WITH input AS (
    SELECT requested.passage_id, requested.analysis, item.*, {USER_MEMORY_TEXT} AS text
    FROM unnest(%(items)s::uuid[], %(ids)s::uuid[], %(analyses)s::text[]) AS requested (item_id, passage_id, analysis)
    CROSS JOIN LATERAL (
        SELECT * FROM user_memory WHERE id = requested.item_id AND {ALSO_HERE} LIMIT 1
    ) AS item WHERE item.is_active AND item.content <> ''
)
INSERT INTO mem_passages AS passage ({_COLUMNS}, user_memory_id)
SELECT passage_id, workspace_id, user_id, NULL, NULL, id, 0, NULL, '{ASKER}', updated_at, words, length(words),
    {VERSION}, length(content), rtrim(content) LIKE '%%?', hashtextextended(text, 0), clock_timestamp(), id
FROM input CROSS JOIN LATERAL stemmed_words(analysis) AS words
ON CONFLICT (workspace_id, user_memory_id) WHERE user_memory_id IS NOT NULL DO UPDATE SET {_REWRITE}
RETURNING user_memory_id
"""  # noqa: S608  # the only inserted text is the constants above
_DROP_VECTORS = "DELETE FROM mem_embeddings WHERE workspace_id = %s AND passage_id = ANY(%s::uuid[])"
_DROP = "DELETE FROM mem_passages WHERE workspace_id = %s AND {} = ANY(%s::uuid[]) RETURNING id"
_MOVE_VECTORS = """
UPDATE mem_embeddings AS e SET bank = moved.bank FROM mem_passages AS moved
WHERE e.workspace_id = %(workspace)s AND e.passage_id = ANY(%(passages)s::uuid[])
    AND moved.id = e.passage_id AND moved.id = ANY(%(passages)s::uuid[])
    AND (moved.workspace_id = %(workspace)s) IS TRUE AND e.bank <> moved.bank
"""
# A session's number follows from the times of all messages before it, excluded or not: an excluded message that is
# included again gets its former number.
_INDEX = f"""
WITH anchor AS (
    SELECT place, session FROM mem_passages
    WHERE workspace_id = %(workspace)s AND bank = %(conversation)s AND place < %(first)s
    ORDER BY place DESC LIMIT 1
),
timed AS (
    SELECT id, "index", created_at - lag(created_at) OVER (ORDER BY "index") > interval '{SESSION_GAP_HOURS} hours'
        AS begins FROM conversations_message
    WHERE workspace_id = %(workspace)s AND conversation_id = %(conversation)s
        AND "index" >= coalesce((SELECT place FROM anchor), 0) AND "index" <= %(last)s
),
numbered AS (
    SELECT id, "index", coalesce((SELECT session FROM anchor), 0)
        + count(*) FILTER (WHERE begins) OVER (ORDER BY "index") AS session FROM timed
)
INSERT INTO mem_passages AS passage ({_COLUMNS}, tool_text)
SELECT input.passage_id, m.workspace_id, m.conversation_id, NULL, m.id, m.conversation_id, numbered.session, m."index",
    lower(coalesce(nullif(m.name, ''), m.role)), m.created_at, words, length(words), {VERSION}, length(text),
    input.tool_text = '' AND rtrim(text) LIKE '%%?', 0, clock_timestamp(), input.tool_text
FROM unnest(%(messages)s::uuid[], %(ids)s::uuid[], %(tool_texts)s::text[], %(analyses)s::text[])
    AS input (message_id, passage_id, tool_text, analysis)
JOIN numbered ON numbered.id = input.message_id AND numbered."index" >= %(first)s
JOIN conversations_message AS m ON m.id = numbered.id AND m.workspace_id = %(workspace)s
CROSS JOIN LATERAL coalesce(nullif(input.tool_text, ''), m.content) AS text
CROSS JOIN LATERAL stemmed_words(input.analysis) AS words
WHERE NOT m.excluded AND m.status IN ('complete', 'partial') AND text <> ''
ON CONFLICT (workspace_id, message_id) WHERE message_id IS NOT NULL DO NOTHING
"""  # noqa: S608  # the only inserted text is the constants above
# The embedding of a message includes its predecessor, so a changed predecessor requires re-embedding.
_WANT_AFTER = """
UPDATE mem_passages SET wanted_at = clock_timestamp() WHERE id IN (
    SELECT following.id FROM unnest(%(places)s::int[]) AS changed (place) CROSS JOIN LATERAL (
        SELECT id FROM mem_passages
        WHERE workspace_id = %(workspace)s AND bank = %(conversation)s AND place > changed.place AND tool_text = ''
        ORDER BY place LIMIT 1
    ) AS following
)
"""


def node_passages_sync(nodes: Collection[MemNode], *, new: bool = False) -> None:
    """Update the passages of nodes in the transaction that wrote them. With `new`, the nodes have no passages yet."""
    if not nodes:
        return
    node_ids = [node.id for node in nodes]
    analyses = node_words(node_ids)
    values = {
        "workspace": current_workspace_id(),
        "nodes": node_ids,
        "ids": uuid7s(len(node_ids)),
        "analyses": [analyses.get(node_id, "") for node_id in node_ids],
    }
    with connection.cursor() as cursor:
        if not new:
            cursor.execute(_UNUSED, values)
            _drop("id", [passage_id for (passage_id,) in cursor.fetchall()])
        cursor.execute(_SYNC, values)
        if not new:
            passage_ids = [passage_id for (passage_id,) in cursor.fetchall()]
            with use_hash_joins():
                cursor.execute(_MOVE_VECTORS, {**values, "passages": passage_ids})
    embedding_schedule_if_due(current_workspace_id())


def node_passages_follow(node_ids: list[UUID]) -> None:
    """Update the subject of nodes that moved with a directory, since it can follow from the directory's name."""
    workspace_id = current_workspace_id()
    with connection.cursor() as cursor:
        changed = cursor.execute(_NEW_SUBJECTS, {"workspace": workspace_id, "nodes": node_ids}).fetchall()
        if not changed:
            return
        ids, subjects = zip(*changed, strict=True)
        with use_hash_joins():
            cursor.execute(_SET_SUBJECTS, {"workspace": workspace_id, "ids": list(ids), "subjects": list(subjects)})


def nodes_passages_drop(node_ids: Collection[UUID]) -> None:
    """Delete the passages of nodes that are about to be deleted."""
    _drop("node_id", node_ids)


def user_memory_passages_sync(item_ids: Collection[UUID]) -> None:
    """Update the passages of user memory in the transaction that wrote or deleted it; inactive items have none."""
    analyses = user_memory_words(item_ids)
    values = {
        "workspace": current_workspace_id(),
        "items": list(item_ids),
        "ids": uuid7s(len(item_ids)),
        "analyses": [analyses.get(item_id, "") for item_id in item_ids],
    }
    with connection.cursor() as cursor:
        active = {item_id for (item_id,) in cursor.execute(_SYNC_USER_MEMORY, values).fetchall()}
    _drop("user_memory_id", [item_id for item_id in item_ids if item_id not in active])
    if active:
        embedding_schedule_if_due(current_workspace_id())


def bank_drop(bank: UUID) -> None:
    """Delete all passages of a conversation or person that is being deleted."""
    values = [current_workspace_id(), bank]
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM mem_embeddings WHERE workspace_id = %s AND bank = %s", values)
        cursor.execute("DELETE FROM mem_passages WHERE workspace_id = %s AND bank = %s", values)


def messages_index_schedule(conversation: Conversation) -> None:
    """Schedule the job that indexes the conversation's new messages; called whenever messages are stored."""
    job_request_within(_SOON_S, _LATEST_S, workspace_id=current_workspace_id(), kind=KIND, key=str(conversation.id))


def messages_index_run(lease: Lease) -> None:
    """Index messages up to a streaming reply, for a limited time; raise `RescheduleJob` if more remain."""
    end = time.monotonic() + _RUN_S
    after: int | None = None
    while True:
        with workspace(lease.workspace_id):
            conversation = conversation_lock(UUID(lease.key))
            lease_fence(lease)
            after = _index_next(conversation.id, after)
            if after is not None:
                job_progress(lease)
            fault_point("messages.before_index")
        if after is None:
            return
        if time.monotonic() > end:
            raise RescheduleJob(0)


def message_passages_hide(conversation_id: UUID, message_ids: Collection[UUID]) -> None:
    """Remove excluded or deleted messages from the index. The caller has locked the conversation's row."""
    places = _positions(conversation_id, message_ids)
    _drop("message_id", message_ids)
    _rename_results(conversation_id, message_ids)
    _want_after(conversation_id, places)


def message_passages_show(conversation: Conversation, message_ids: Collection[UUID]) -> None:
    """Index included messages again; the job indexes those beyond its watermark. The caller has locked the row."""
    reached = _watermark(conversation.id)
    places = _positions(conversation.id, message_ids)
    shown = [(message_id, place) for message_id, place in places.items() if place <= reached]
    if shown:
        first, last = min(place for _, place in shown), max(place for _, place in shown)
        _index(conversation.id, [message_id for message_id, _ in shown], first, last)
        _rename_results(conversation.id, [message_id for message_id, _ in shown])
        _want_after(conversation.id, dict(shown))
    if len(shown) < len(places):
        # Usually the job is up to date and the included message is the newest, so index it now.
        _index_next(conversation.id, None)
        messages_index_schedule(conversation)


def _index_next(conversation_id: UUID, after: int | None) -> int | None:
    """Index the next batch of messages; return the index of the last one read, or None at the end."""
    after = _watermark(conversation_id) if after is None else after
    rows = Message.objects.filter(conversation_id=conversation_id, index__gt=after).order_by("index")
    read: list[UUID] = []
    budget, last = BATCH_CHARACTERS, after
    size = Length("content") + Length(Cast("parts", TextField()))
    for message_id, index, status, length in rows.values_list("id", "index", "status", size)[:BATCH]:
        if status == MessageStatus.STREAMING or budget <= 0:
            break
        read.append(message_id)
        budget, last = budget - length, index
    if not read:
        return None
    _index(conversation_id, read, after + 1, last)
    return last


def _index(conversation_id: UUID, message_ids: Sequence[UUID], first: int, last: int) -> None:
    texts = tool_texts(conversation_id, message_ids)
    analyses = message_words(message_ids, texts)
    values: dict[str, Any] = {
        "workspace": current_workspace_id(),
        "conversation": conversation_id,
        "messages": list(message_ids),
        "ids": uuid7s(len(message_ids)),
        "tool_texts": [texts.get(message_id, "") for message_id in message_ids],
        "analyses": [analyses.get(message_id, "") for message_id in message_ids],
        "first": first,
        "last": last,
    }
    with connection.cursor() as cursor:
        cursor.execute(_INDEX, values)
        made = cursor.rowcount
    if made:
        embedding_schedule_if_due(current_workspace_id())


def _watermark(conversation_id: UUID) -> int:
    """Return the position of the conversation's newest passage, or -1 if there is none."""
    newest = Passage.objects.filter(bank=conversation_id).aggregate(newest=Max("place"))["newest"]
    return -1 if newest is None else int(newest)


def _positions(conversation_id: UUID, message_ids: Collection[UUID]) -> dict[UUID, int]:
    rows = Message.objects.filter(conversation_id=conversation_id, pk__in=message_ids)
    return dict(rows.values_list("id", "index"))


def _rename_results(conversation_id: UUID, message_ids: Collection[UUID]) -> None:
    """Index results again whose texts name a call among the changed messages, which are no longer or again shown."""
    for first, last in ranges_of_results(conversation_id, message_ids):
        near = Passage.objects.filter(bank=conversation_id, place__gte=first, place__lte=last)
        rows = {row.message_id: row for row in near.exclude(tool_text="").defer("words") if row.message_id}
        texts = tool_texts(conversation_id, rows)
        changed = [message_id for message_id, row in rows.items() if texts.get(message_id) != row.tool_text]
        _drop("message_id", changed)
        if changed:
            _index(conversation_id, changed, first, last)


def _want_after(conversation_id: UUID, places: dict[UUID, int]) -> None:
    values = {"workspace": current_workspace_id(), "conversation": conversation_id, "places": list(places.values())}
    with connection.cursor() as cursor:
        cursor.execute(_WANT_AFTER, values)
    embedding_schedule_if_due(current_workspace_id())


def _drop(column: str, ids: Collection[UUID]) -> None:
    if not ids:
        return
    with connection.cursor() as cursor:
        cursor.execute(_DROP.format(column), [current_workspace_id(), list(ids)])
        _vectors_drop([passage_id for (passage_id,) in cursor.fetchall()])


def _vectors_drop(passage_ids: Sequence[UUID]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_DROP_VECTORS, [current_workspace_id(), list(passage_ids)])
