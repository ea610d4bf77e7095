"""Store, continue and end the cache epochs of a conversation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any
from uuid import UUID

from django.utils import timezone

from apps.common.models import columns_of
from apps.common.reads import fetch_model
from apps.common.tenancy import current_workspace_id
from apps.compaction.selectors.contexts import ContextState
from apps.context.models import PackEpoch
from apps.context.records import (
    EpochReason,
    EpochState,
    epoch_from_json,
    epoch_to_json,
    pieces_from_json,
    pieces_to_json,
)
from apps.context.selectors.pack_requests import PackContext
from apps.engine.pack.context_pack import ContextPack, Epoch, PackSources
from apps.engine.pack.layers import MAX_IDENTITY_TOKENS, MAX_PREFERENCES_TOKENS
from apps.engine.pack.profile import fitting_memories
from apps.engine.pack.stable_prefix import Piece, Stability, digest_of, pieces_of, stability

_EPOCH_OF_READER = f"""
SELECT {columns_of(PackEpoch, "epoch")} FROM context_packepoch AS epoch
WHERE workspace_id = %(workspace)s AND conversation_id = %(conversation)s AND user_id = %(user)s AND budget = %(budget)s
"""  # noqa: S608  # the only inserted text is the names of columns
_EPOCHS_PER_READER = 4
Fingerprint = dict[EpochReason, str]
EpochResult = tuple[EpochState, Stability | None]
_UPDATED_FIELDS = ["number", "reasons", "fingerprint", "decided", "ended_by", "pieces", "began_at", "used_at"]


def epoch_fingerprint(context: PackContext, sources: PackSources, state: ContextState) -> Fingerprint:
    """A version or digest of each input of an epoch. Excluding a message ends an epoch directly."""
    return {
        EpochReason.SUMMARY: str(state.version),
        EpochReason.PINS: _digest(sources.pins),
        EpochReason.MEMORY: _digest(_memory_in_use(sources)),
        EpochReason.SYSTEM_PROMPT: _digest(sources.system_prompt),
        EpochReason.POLICY: _digest(sorted(asdict(context.policy).items())),
        EpochReason.SETTINGS: _digest(sources.preferences),
        EpochReason.MODEL: context.model,
        EpochReason.AUDIENCE: str(context.audience.allows_private_memories),
        EpochReason.ESTIMATOR: f"{context.estimator.name} {context.estimator.percent}",
    }


def _memory_in_use(sources: PackSources) -> tuple[object, ...]:
    """User memory, the memories that fit into the largest grants of the first two layers, of which a change of others
    changes no pack, and those that the epoch began with."""
    identity = fitting_memories("identity", sources.identity, MAX_IDENTITY_TOKENS)
    preferences = fitting_memories("preferences", sources.preference_memories, MAX_PREFERENCES_TOKENS)
    return sources.user_memory, identity, preferences, tuple(sources.topics), tuple(sources.entities)


def find_epoch(context: PackContext) -> PackEpoch | None:
    """Fetch the row of this reader and budget."""
    reader = {"conversation": context.conversation.id, "user": context.actor.user_id, "budget": context.settings.budget}
    return fetch_model(PackEpoch, _EPOCH_OF_READER, **reader)


def stored_epoch(row: PackEpoch | None) -> Epoch | None:
    """The decisions of an epoch that did not end, if they can be decoded."""
    if row is None or row.ended_by:
        return None
    try:
        return epoch_from_json(row.decided)
    except (AttributeError, KeyError, TypeError, ValueError):
        row.ended_by = EpochReason.UNREADABLE
        return None


def end_reasons(row: PackEpoch | None, fingerprint: Fingerprint) -> tuple[EpochReason, ...]:
    """Reasons why an epoch ended, of which none means that only its window can be full."""
    if row is None:
        return ()
    if row.ended_by:
        return (EpochReason(row.ended_by),)
    return tuple(part for part, value in fingerprint.items() if row.fingerprint.get(part) != value)


def start_epoch(
    context: PackContext,
    row: PackEpoch | None,
    reasons: tuple[EpochReason, ...],
    fingerprint: Fingerprint,
    pack: ContextPack,
) -> EpochResult:
    """Store a new epoch, and the reasons why the one before ended.

    The caller has locked the conversation's row, so nothing can end the epoch concurrently.
    """
    pieces = pieces_of(pack)
    now, number = timezone.now(), row.number + 1 if row else 1
    reasons = (reasons or (EpochReason.WINDOW_FULL,)) if row else ()
    fresh = PackEpoch(
        workspace_id=current_workspace_id(),
        conversation_id=context.conversation.id,
        user_id=context.actor.user_id,
        budget=context.settings.budget,
        number=number,
        reasons=list(reasons),
        fingerprint=fingerprint,
        decided=epoch_to_json(pack.epoch),
        pieces=_last_sent(context, row, pieces),
        began_at=now,
        used_at=now,
    )
    PackEpoch.objects.bulk_create(
        [fresh],
        update_conflicts=True,
        unique_fields=["workspace", "conversation", "user", "budget"],
        update_fields=_UPDATED_FIELDS,
    )
    if row is None:
        _delete_oldest(context)
    return EpochState(number, reasons, now, is_new=True), _stability(row, pieces)


def continue_epoch(context: PackContext, row: PackEpoch, pack: ContextPack) -> EpochResult:
    """Record the pieces of a pack that is sent, unless the epoch ended concurrently."""
    pieces = pieces_of(pack)
    sent = _last_sent(context, row, pieces)
    if sent != row.pieces:
        unchanged = PackEpoch.objects.filter(pk=row.pk, number=row.number, ended_by="")
        unchanged.update(pieces=sent, used_at=timezone.now())
    reasons = tuple(map(EpochReason, row.reasons))
    return EpochState(row.number, reasons, row.began_at, is_new=False), _stability(row, pieces)


def end_epochs_by_exclusion(*, conversation_id: UUID) -> None:
    """End all epochs of a conversation and delete their decisions, in the transaction that changes the exclusions."""
    PackEpoch.objects.filter(conversation_id=conversation_id).update(decided={}, ended_by=EpochReason.EXCLUSIONS)


def _last_sent(context: PackContext, row: PackEpoch | None, pieces: Sequence[Piece]) -> list[Any]:
    """The pieces of the last pack that was sent; previews do not change them."""
    if context.sends:
        return pieces_to_json(pieces)
    return row.pieces if row else []


def _stability(row: PackEpoch | None, pieces: Sequence[Piece]) -> Stability | None:
    """Compare with the last pack that was sent to this reader within this budget."""
    before = pieces_from_json(row.pieces) if row else ()
    return stability(before, pieces) if before else None


def _delete_oldest(context: PackContext) -> None:
    """Delete all but the last used epochs of a reader."""
    own = PackEpoch.objects.filter(conversation_id=context.conversation.id, user_id=context.actor.user_id)
    recent = own.order_by("-used_at").values_list("pk", flat=True)[:_EPOCHS_PER_READER]
    own.exclude(pk__in=list(recent)).delete()


def _digest(value: Any) -> str:
    text = repr(tuple(value) if isinstance(value, Sequence) and not isinstance(value, str) else value)
    return digest_of(text)
