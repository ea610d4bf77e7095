"""Build a pack: of the cache epoch that goes on, or the first of a new one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from apps.compaction.selectors.contexts import context_state
from apps.compaction.services.segments import segments_for_pack
from apps.context.records import BuiltPack
from apps.context.selectors.key_message_candidates import key_candidates
from apps.context.selectors.pack_requests import PackContext
from apps.context.selectors.retrieval import looked_up
from apps.context.selectors.sources import live_sources, plain_sources
from apps.context.services.cache_epochs import Begun, basis_of, epoch_begin, epoch_find, epoch_go_on, epoch_kept
from apps.conversations.models import Message
from apps.conversations.selectors.access import conversation_lock
from apps.engine.pack.builder import build_pack, pack_of_epoch, window_pack
from apps.engine.pack.context_pack import ContextPack, Epoch, PackSources
from apps.engine.pack.estimators import recounted, within
from apps.engine.pack.strategies import Past

Counted = tuple[ContextPack, dict[str, int]]


# With live tokens between these shares of the budget, key messages may be chosen; the last for other estimators, by
# which a pack may be built for more stored tokens.
_FEWEST_FOR_KEYS, _MOST_FOR_KEYS, _MOST_BY_OTHERS = 2, 8, 16


def pack_plain(order: PackContext) -> BuiltPack:
    """Build the pack of a workspace with the engine off: the newest messages alone, in no epoch."""
    sources = plain_sources(order)
    pack, tokens = within(
        order.settings.budget, order.estimator, lambda budget: window_pack(sources, budget, order.policy)
    )
    return _result(order, (pack, tokens))


def pack_built(order: PackContext) -> BuiltPack:
    """Build the pack of the epoch that goes on, or of a new one.

    A new epoch is stored with the conversation's row locked, and the pack is built again where something changed since
    its sources were read.
    """
    state = context_state(order.conversation.id)
    sources, read = live_sources(order, state)
    sources = replace(sources, found=looked_up(order, sources))
    basis, row = basis_of(order, sources, state), epoch_find(order)
    kept = epoch_kept(row, basis)
    going_on = _of_epoch(order, sources, kept) if kept else None
    if row and going_on:
        return _result(order, going_on, epoch_go_on(order, row, going_on[0]))
    fresh = _first_of_epoch(order, replace(sources, past=_past(order, sources, read)))
    now = conversation_lock(order.conversation.id)
    if now.state_version != order.conversation.state_version and not order.holds:
        return pack_built(replace(order, conversation=now, holds=True))
    return _result(order, fresh, epoch_begin(order, row, basis, fresh[0]))


def _result(order: PackContext, counted: Counted, begun: Begun | None = None) -> BuiltPack:
    pack, tokens = counted
    epoch, compared = begun or (None, None)
    return BuiltPack(
        pack=pack,
        tokens=tokens,
        estimator=order.estimator,
        settings=order.settings,
        epoch=epoch,
        stability=compared,
    )


def _of_epoch(order: PackContext, sources: PackSources, epoch: Epoch) -> Counted | None:
    """Nothing, where the messages since do not fit any more, by the stored count or by the estimator."""
    pack = pack_of_epoch(sources, epoch, epoch.negotiation.budget, order.policy)
    tokens = recounted(pack, order.estimator) if pack else {}
    return (pack, tokens) if pack and sum(tokens.values()) <= order.settings.budget else None


def _first_of_epoch(order: PackContext, sources: PackSources) -> Counted:
    return within(order.settings.budget, order.estimator, lambda budget: build_pack(sources, budget, order.policy))


def _past(order: PackContext, sources: PackSources, read: Sequence[Message]) -> Past:
    conversation, budget, talk = order.conversation, order.settings.budget, sources.counts
    segments = segments_for_pack(
        conversation=conversation, before=conversation.message_count, most=order.segments_read, policy=order.policy
    )
    most = _MOST_FOR_KEYS if order.estimator.is_stored_count else _MOST_BY_OTHERS
    if not _FEWEST_FOR_KEYS * budget < talk.live_tokens <= most * budget:
        return Past(segments)
    return Past(segments, key_candidates(conversation.id, begin=talk.live_begin, read=read, budget=budget))
