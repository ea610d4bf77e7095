"""Keeping the epoch of a conversation's packs from one to the next, and ending it when what it stands on changes."""

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
from apps.context.records import EpochState, epoch_from_json, epoch_to_json, pieces_from_json, pieces_to_json
from apps.context.selectors.pack_requests import PackContext
from apps.engine.pack.context_pack import ContextPack, Epoch, PackSources
from apps.engine.pack.stable_prefix import Piece, Stability, digest_of, pieces_of, stability

_OF_READER = f"""
SELECT {columns_of(PackEpoch, "epoch")} FROM context_packepoch AS epoch
WHERE workspace_id = %(workspace)s AND conversation_id = %(conversation)s AND user_id = %(user)s AND budget = %(budget)s
"""  # noqa: S608  # the only inserted text is the names of columns
WINDOW_FULL = "the window was full"
EXCLUSIONS = "exclusions"
OTHER_FORM = "it was kept in another form"
_KEPT_OF_A_READER = 4
Begun = tuple[EpochState, Stability | None]
_KEPT_FIELDS = ["number", "because", "basis", "decided", "ended_by", "pieces", "began_at", "used_at"]


def basis_of(order: PackContext, sources: PackSources, state: ContextState) -> dict[str, str]:
    """What an epoch stands on, part by part, as people call it; messages left out end it by themselves."""
    return {
        "the summary": str(state.version),
        "pins": _digest(sources.pins),
        "memory": _digest(sources.user_memory),
        "the system prompt": _digest(sources.system_prompt),
        "policy": _digest(sorted(asdict(order.policy).items())),
        "settings": _digest(sources.wishes),
        "the model": order.model,
        "the estimator": f"{order.estimator.name} {order.estimator.percent}",
    }


def epoch_find(order: PackContext) -> PackEpoch | None:
    """The row of this reader and budget."""
    reader = {"conversation": order.conversation.id, "user": order.actor.user_id, "budget": order.settings.budget}
    return fetch_model(PackEpoch, _OF_READER, **reader)


def epoch_kept(row: PackEpoch | None, basis: dict[str, str]) -> Epoch | None:
    """The epoch that goes on, if nothing that it stands on changed and it can be read."""
    if row is None or _why_over(row, basis):
        return None
    try:
        return epoch_from_json(row.decided)
    except (AttributeError, KeyError, TypeError, ValueError):
        row.ended_by = OTHER_FORM
        return None


def epoch_begin(order: PackContext, row: PackEpoch | None, basis: dict[str, str], pack: ContextPack) -> Begun:
    """Keep what a new epoch decided. The caller holds the conversation's row, so that nothing ends it meanwhile."""
    pieces = pieces_of(pack)
    now, number = timezone.now(), row.number + 1 if row else 1
    because = (_why_over(row, basis) or WINDOW_FULL) if row else ""
    fresh = PackEpoch(
        workspace_id=current_workspace_id(),
        conversation_id=order.conversation.id,
        user_id=order.actor.user_id,
        budget=order.settings.budget,
        number=number,
        because=because,
        basis=basis,
        decided=epoch_to_json(pack.epoch),
        pieces=_last_sent(order, row, pieces),
        began_at=now,
        used_at=now,
    )
    PackEpoch.objects.bulk_create(
        [fresh],
        update_conflicts=True,
        unique_fields=["workspace", "conversation", "user", "budget"],
        update_fields=_KEPT_FIELDS,
    )
    if row is None:
        _forget_oldest(order)
    return EpochState(number, because, now, is_new=True), _compared(row, pieces)


def epoch_go_on(order: PackContext, row: PackEpoch, pack: ContextPack) -> Begun:
    """Remember a pack that is sent as the last one, unless the epoch ended meanwhile."""
    pieces = pieces_of(pack)
    sent = _last_sent(order, row, pieces)
    if sent != row.pieces:
        still = PackEpoch.objects.filter(pk=row.pk, number=row.number, ended_by="")
        still.update(pieces=sent, used_at=timezone.now())
    return EpochState(row.number, row.because, row.began_at, is_new=False), _compared(row, pieces)


def epochs_end(*, conversation_id: UUID, because: str) -> None:
    """No pack of the conversation goes on as it was; what was decided is not kept. In the transaction of the change."""
    PackEpoch.objects.filter(conversation_id=conversation_id).update(decided={}, ended_by=because)


def _why_over(row: PackEpoch, basis: dict[str, str]) -> str:
    changed = [part for part, value in basis.items() if row.basis.get(part) != value]
    return row.ended_by or ", ".join(changed)


def _last_sent(order: PackContext, row: PackEpoch | None, pieces: Sequence[Piece]) -> list[Any]:
    """The pieces of the last pack that was sent: who only looks does not move them."""
    if order.sends:
        return pieces_to_json(pieces)
    return row.pieces if row else []


def _compared(row: PackEpoch | None, pieces: Sequence[Piece]) -> Stability | None:
    """With the last pack that was sent to this reader within this budget."""
    before = pieces_from_json(row.pieces) if row else ()
    return stability(before, pieces) if before else None


def _forget_oldest(order: PackContext) -> None:
    """Of a reader's budgets only the last few are kept."""
    own = PackEpoch.objects.filter(conversation_id=order.conversation.id, user_id=order.actor.user_id)
    kept = own.order_by("-used_at").values_list("pk", flat=True)[:_KEPT_OF_A_READER]
    own.exclude(pk__in=list(kept)).delete()


def _digest(told: Any) -> str:
    text = repr(tuple(told) if isinstance(told, Sequence) and not isinstance(told, str) else told)
    return digest_of(text)
