"""Build a pack: the next one of the current cache epoch, or the first of a new one."""

from __future__ import annotations

from dataclasses import replace

from apps.compaction.selectors.contexts import ContextState, context_state
from apps.context.models import PackEpoch
from apps.context.records import BuiltPack, EpochReason
from apps.context.selectors.lasting import with_chosen_lasting, with_stored_lasting
from apps.context.selectors.pack_requests import PackContext
from apps.context.selectors.retrieval import retrieved
from apps.context.selectors.sources import live_sources, plain_sources
from apps.context.selectors.trial_sources import trial_sources, with_message
from apps.context.services.cache_epochs import (
    EpochResult,
    continue_epoch,
    end_reasons,
    epoch_fingerprint,
    find_epoch,
    start_epoch,
    stored_epoch,
)
from apps.context.services.history_summaries import history_summaries
from apps.conversations.selectors.access import conversation_lock
from apps.engine.pack.builder import build_pack, pack_of_epoch, window_pack
from apps.engine.pack.context_pack import ContextPack, Epoch, PackSources
from apps.engine.pack.estimators import build_within, recount
from apps.engine.pack.retrieved import RetrievedItem

CountedPack = tuple[ContextPack, dict[str, int]]


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
    found = retrieved(context, sources)
    sources = replace(sources, retrieved=found.items)
    row = find_epoch(context)
    next_pack, reasons = _next_pack(context, sources, state, row)
    if row and next_pack:
        return _result(context, next_pack, continue_epoch(context, row, next_pack[0]), found.matches)
    sources = with_chosen_lasting(context, sources)
    first = _first_of_epoch(context, replace(sources, summaries=history_summaries(context, sources, rows)))
    now = conversation_lock(context.conversation.id)
    if now.state_version != context.conversation.state_version and not context.row_locked:
        return pack_built(context.of_locked(now))
    fingerprint = epoch_fingerprint(context, sources, state)
    return _result(context, first, start_epoch(context, row, reasons, fingerprint, first[0]), found.matches)


def pack_preview(context: PackContext, message: str) -> BuiltPack:
    """Build the pack that a hypothetical next message would get. Nothing is stored, so the result has no epoch."""
    sources = trial_sources(context, message)
    next_pack, _ = _next_pack(context, sources, context_state(context.conversation.id), find_epoch(context))
    return _result(context, next_pack or _first_of_epoch(context, with_chosen_lasting(context, sources)))


def _result(
    context: PackContext,
    counted: CountedPack,
    result: EpochResult | None = None,
    matches: tuple[RetrievedItem, ...] = (),
) -> BuiltPack:
    pack, tokens = counted
    epoch, compared = result or (None, None)
    return BuiltPack(
        pack=pack,
        tokens=tokens,
        estimator=context.estimator,
        settings=context.settings,
        audience=context.audience,
        epoch=epoch,
        stability=compared,
        matches=matches,
    )


def _next_pack(
    context: PackContext, sources: PackSources, state: ContextState, row: PackEpoch | None
) -> tuple[CountedPack | None, tuple[EpochReason, ...]]:
    """The next pack of the stored epoch; none if that cannot be decoded or ended, with the reasons."""
    epoch = stored_epoch(row)
    sources = with_stored_lasting(context, sources, epoch)
    reasons = end_reasons(row, epoch_fingerprint(context, sources, state))
    return _next_of_epoch(context, sources, epoch) if epoch and not reasons else None, reasons


def _next_of_epoch(context: PackContext, sources: PackSources, epoch: Epoch) -> CountedPack | None:
    """The next pack of an epoch; none if its messages no longer fit by the stored count or the estimator."""
    pack = pack_of_epoch(sources, epoch, epoch.negotiation.budget, context.policy)
    tokens = recount(pack, context.estimator) if pack else {}
    return (pack, tokens) if pack and sum(tokens.values()) <= context.settings.budget else None


def _first_of_epoch(context: PackContext, sources: PackSources) -> CountedPack:
    return build_within(
        context.settings.budget, context.estimator, lambda budget: build_pack(sources, budget, context.policy)
    )
