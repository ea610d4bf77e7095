"""Texts by which the tool messages of a conversation are indexed."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.db.models import Q

from apps.conversations.models import Message, MessageRole
from apps.conversations.records import engine_message, engine_messages
from apps.engine.messages.message import PartKind
from apps.engine.messages.tool_text import call_titles, tool_text

FARTHEST_CALL = 50
"""Messages before a result in which its call is looked for."""
_CALLS = [{"kind": PartKind.TOOL_CALL.value}]
_RESULTS = [{"kind": PartKind.TOOL_RESULT.value}]
_OF_TOOLS = Q(role=MessageRole.TOOL) | Q(parts__contains=_RESULTS)


def tool_texts(conversation_id: UUID, message_ids: Collection[UUID]) -> dict[UUID, str]:
    """The texts of those of the messages that hold what tools returned; excluded calls are not named."""
    rows = list(Message.objects.filter(_OF_TOOLS, conversation_id=conversation_id, pk__in=message_ids))
    if not rows:
        return {}
    places = [row.index for row in rows]
    calls = Message.objects.filter(
        conversation_id=conversation_id,
        index__gte=min(places) - FARTHEST_CALL,
        index__lte=max(places),
        excluded=False,
        parts__contains=_CALLS,
    )
    titles = call_titles(engine_messages(calls))
    return {row.id: text for row in rows if (text := tool_text(engine_message(row), titles))}


def ranges_of_results(conversation_id: UUID, message_ids: Collection[UUID]) -> list[tuple[int, int]]:
    """Return the first and last positions at which results may name a call among the messages; no ranges overlap."""
    calls = Message.objects.filter(conversation_id=conversation_id, pk__in=message_ids, parts__contains=_CALLS)
    ranges: list[tuple[int, int]] = []
    for index in calls.order_by("index").values_list("index", flat=True):
        is_apart = not ranges or ranges[-1][1] < index
        first = index + 1 if is_apart else ranges.pop()[0]
        ranges.append((first, index + FARTHEST_CALL))
    return ranges
