"""The words of passages: their texts without secrets, analyzed, and renewed where an earlier version analyzed them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any
from uuid import UUID

from django.db import connection

from apps.common.models import ALSO_HERE
from apps.common.secrets.redaction import redacted
from apps.common.tenancy import current_workspace_id
from apps.engine.language.search_words.analysis import VERSION, search_words

LONGEST_NODE, LONGEST_MESSAGE = 20_000, 50_000
_DATE_WORDS = "to_char({} AT TIME ZONE 'UTC', 'FMDD FMMonth YYYY')"
NODE_TEXT = f"""concat_ws(' ', replace(regexp_replace(n.uri, '^.*/', ''), '-', ' '), n.l0_abstract,
    left(n.l2_content, {LONGEST_NODE}), {_DATE_WORDS.format("n.occurred_at")})"""
USER_MEMORY_TEXT = f"concat_ws(' ', item.key, left(item.content, {LONGEST_NODE}))"
_MESSAGE_TEXT = f"""concat_ws(' ', left(coalesce(nullif({{tool_text}}, ''), m.content), {LONGEST_MESSAGE}),
    {_DATE_WORDS.format("(m.created_at + make_interval(mins => coalesce(m.utc_offset, 0)))")})"""

_NODES = f"""
SELECT n.id, {NODE_TEXT} FROM mem_nodes AS n WHERE id = ANY(%(ids)s::uuid[]) AND {ALSO_HERE}
"""  # noqa: S608  # the only inserted text is the constants above
_USER_MEMORY = f"""
SELECT id, {USER_MEMORY_TEXT} FROM user_memory AS item WHERE id = ANY(%(ids)s::uuid[]) AND {ALSO_HERE}
"""  # noqa: S608  # the only inserted text is the constants above
_MESSAGES = f"""
SELECT m.id, {_MESSAGE_TEXT.format(tool_text="input.tool_text")}
FROM unnest(%(ids)s::uuid[], %(tool_texts)s::text[]) AS input (id, tool_text)
CROSS JOIN LATERAL (SELECT * FROM conversations_message WHERE id = input.id AND {ALSO_HERE} LIMIT 1) AS m
"""  # noqa: S608  # the only inserted text is the constants above
_OUTDATED = f"""
SELECT passage.id, source.text FROM (
    SELECT * FROM mem_passages WHERE workspace_id = %(workspace)s AND words_version < {VERSION}
    LIMIT %(most)s FOR NO KEY UPDATE
) AS passage
LEFT JOIN LATERAL (
    SELECT {NODE_TEXT} AS text FROM mem_nodes AS n WHERE id = passage.node_id AND {ALSO_HERE}
    UNION ALL
    SELECT {_MESSAGE_TEXT.format(tool_text="passage.tool_text")} FROM conversations_message AS m
    WHERE id = passage.message_id AND {ALSO_HERE}
    UNION ALL
    SELECT {USER_MEMORY_TEXT} FROM user_memory AS item WHERE id = passage.user_memory_id AND {ALSO_HERE}
) AS source ON true
"""  # noqa: S608  # the only inserted text is the constants above
_RENEW = f"""
UPDATE mem_passages AS passage SET words = found.words, word_count = length(found.words), words_version = {VERSION}
FROM unnest(%(ids)s::uuid[], %(analyses)s::text[]) AS input (id, analysis)
CROSS JOIN LATERAL (SELECT stemmed_words(input.analysis) AS words OFFSET 0) AS found
WHERE passage.id = input.id AND passage.id = ANY(%(ids)s::uuid[]) AND {ALSO_HERE}
"""  # noqa: S608  # the only inserted text is the constants above


def node_words(ids: Collection[UUID]) -> dict[UUID, str]:
    """The analyzed texts of memories by their ids."""
    return _analyzed(_NODES, {"ids": list(ids)})


def user_memory_words(ids: Collection[UUID]) -> dict[UUID, str]:
    """The analyzed texts of items of user memory by their ids."""
    return _analyzed(_USER_MEMORY, {"ids": list(ids)})


def message_words(ids: Collection[UUID], tool_texts: Mapping[UUID, str]) -> dict[UUID, str]:
    """The analyzed texts of messages by their ids; of those that hold what tools returned, of these texts."""
    values = {"ids": list(ids), "tool_texts": [tool_texts.get(one, "") for one in ids]}
    return _analyzed(_MESSAGES, values)


def words_renew(most: int) -> int:
    """Analyze so many passages again that an earlier version analyzed; return how many there were."""
    analyses = _analyzed(_OUTDATED, {"most": most})
    if analyses:
        with connection.cursor() as cursor:
            values = {"workspace": current_workspace_id(), "ids": list(analyses), "analyses": list(analyses.values())}
            cursor.execute(_RENEW, values)
    return len(analyses)


def _analyzed(statement: str, values: Mapping[str, Any]) -> dict[UUID, str]:
    with connection.cursor() as cursor:
        cursor.execute(statement, {"workspace": current_workspace_id(), **values})
        return {row_id: search_words(redacted(text or "")) for row_id, text in cursor.fetchall()}
