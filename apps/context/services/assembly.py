"""Build a pack: the next one of the current cache epoch, or the first of a new one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from apps.compaction.selectors.contexts import context_state
from apps.compaction.services.segments import segments_for_pack
from apps.context.records import BuiltPack
from apps.context.selectors.key_message_candidates import key_candidates
from apps.context.selectors.pack_requests import PackContext
from apps.context.selectors.retrieval import retrieved_items
from apps.context.selectors.sources import live_sources, plain_sources
from apps.context.selectors.trial_sources import trial_sources, with_message
from apps.context.services.cache_epochs import (
    EpochResult,
    continue_epoch,
    epoch_fingerprint,
    find_epoch,
    start_epoch,
    valid_epoch,
)
from apps.conversations.models import Message
from apps.conversations.selectors.access import conversation_lock
from apps.engine.pack.builder import build_pack, pack_of_epoch, window_pack
from apps.engine.pack.context_pack import ContextPack, Epoch, PackSources
from apps.engine.pack.estimators import build_within, recount
from apps.engine.pack.strategies import HistorySummaries

CountedPack = tuple[ContextPack, dict[str, int]]


# Key messages may be selected if the live tokens are between these multiples of the budget. The last one is the upper
# limit for other estimators, whose packs may be built for more stored tokens.
_MIN_FOR_KEYS, _MAX_FOR_KEYS, _MAX_WITH_OTHER_ESTIMATORS = 2, 8, 16


def pack_plain(context: PackContext, message: str = "") -> BuiltPack:
    """Build the pack of a workspace with the engine disabled: only the newest messages, without an epoch.

    `message` is a hypothetical next message.
    """
    sources = plain_sources(context)
    sources = with_message(sources, message, context.policy) if message else sources
    pack, tokens = build_within(
        context.settings.budget, context.estimator, lambda budget: window_pack(sources, budget, context.policy)
    )
    return _result(context, (pack, tokens))


def pack_built(context: PackContext) -> BuiltPack:
    """Build the next pack of the current epoch, or the first of a new one.

    A new epoch is stored with the conversation's row locked; the pack is rebuilt if the conversation changed since its
    sources were read.
    """
    state = context_state(context.conversation.id)
    sources, rows = live_sources(context, state)
    sources = replace(sources, retrieved=retrieved_items(context, sources))
    fingerprint, row = epoch_fingerprint(context, sources, state), find_epoch(context)
    stored_epoch = valid_epoch(row, fingerprint)
    next_pack = _next_of_epoch(context, sources, stored_epoch) if stored_epoch else None
    if row and next_pack:
        return _result(context, next_pack, continue_epoch(context, row, next_pack[0]))
    first = _first_of_epoch(context, replace(sources, summaries=_summaries(context, sources, rows)))
    now = conversation_lock(context.conversation.id)
    if now.state_version != context.conversation.state_version and not context.row_locked:
        return pack_built(replace(context, conversation=now, row_locked=True))
    return _result(context, first, start_epoch(context, row, fingerprint, first[0]))


def pack_preview(context: PackContext, message: str) -> BuiltPack:
    """Build the pack that a hypothetical next message would get. Nothing is stored, so the result has no epoch."""
    sources = trial_sources(context, message)
    fingerprint = epoch_fingerprint(context, sources, context_state(context.conversation.id))
    stored_epoch = valid_epoch(find_epoch(context), fingerprint)
    next_pack = _next_of_epoch(context, sources, stored_epoch) if stored_epoch else None
    return _result(context, next_pack or _first_of_epoch(context, sources))


def _result(context: PackContext, counted: CountedPack, result: EpochResult | None = None) -> BuiltPack:
    pack, tokens = counted
    epoch, compared = result or (None, None)
    return BuiltPack(
        pack=pack,
        tokens=tokens,
        estimator=context.estimator,
        settings=context.settings,
        epoch=epoch,
        stability=compared,
    )


def _next_of_epoch(context: PackContext, sources: PackSources, epoch: Epoch) -> CountedPack | None:
    """The next pack of an epoch; none if its messages no longer fit by the stored count or the estimator."""
    pack = pack_of_epoch(sources, epoch, epoch.negotiation.budget, context.policy)
    tokens = recount(pack, context.estimator) if pack else {}
    return (pack, tokens) if pack and sum(tokens.values()) <= context.settings.budget else None


def _first_of_epoch(context: PackContext, sources: PackSources) -> CountedPack:
    return build_within(
        context.settings.budget, context.estimator, lambda budget: build_pack(sources, budget, context.policy)
    )


def _summaries(context: PackContext, sources: PackSources, rows: Sequence[Message]) -> HistorySummaries:
    conversation, budget, counts = context.conversation, context.settings.budget, sources.counts
    segments = segments_for_pack(
        conversation=conversation, before=conversation.message_count, most=context.segments_read, policy=context.policy
    )
    limit = _MAX_FOR_KEYS if context.estimator.is_stored_count else _MAX_WITH_OTHER_ESTIMATORS
    if not _MIN_FOR_KEYS * budget < counts.live_tokens <= limit * budget:
        return HistorySummaries(segments)
    return HistorySummaries(
        segments, key_candidates(conversation.id, begin=counts.live_begin, read=rows, budget=budget)
    )
