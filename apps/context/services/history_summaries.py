"""Summaries of the messages before a new epoch's window: segment summaries, and key messages to select from."""

from __future__ import annotations

from collections.abc import Sequence

from apps.compaction.services.segments import segments_for_pack
from apps.context.selectors.key_message_candidates import key_candidates
from apps.context.selectors.pack_requests import PackContext
from apps.conversations.models import Message
from apps.engine.pack.context_pack import PackSources
from apps.engine.pack.strategies import HistorySummaries

# Key messages may be selected if the live tokens are between these multiples of the budget. The last one is the upper
# limit for other estimators, whose packs may be built for more estimated tokens.
_MIN_FOR_KEYS, _MAX_FOR_KEYS, _MAX_WITH_OTHER_ESTIMATORS = 2, 8, 16


def history_summaries(context: PackContext, sources: PackSources, rows: Sequence[Message]) -> HistorySummaries:
    conversation, budget, counts = context.conversation, context.settings.budget, sources.counts
    segments = segments_for_pack(
        conversation=conversation, before=conversation.message_count, most=context.segments_read, policy=context.policy
    )
    limit = _MAX_FOR_KEYS if context.estimator.is_default else _MAX_WITH_OTHER_ESTIMATORS
    if not _MIN_FOR_KEYS * budget < counts.live_tokens <= limit * budget:
        return HistorySummaries(segments)
    return HistorySummaries(
        segments, key_candidates(conversation.id, begin=counts.live_begin, read=rows, budget=budget)
    )
