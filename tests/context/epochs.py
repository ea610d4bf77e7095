"""Packs as sent to models, and their cache epochs."""

from __future__ import annotations

from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.context.models import PackEpoch
from apps.context.records import BuiltPack, EpochState
from apps.context.services.embedded_queries import query_embed
from apps.context.services.packs import context_pack
from tests.conversations.long_conversations import say

BUDGET = 4_000


def pack_of(actor: Actor, conversation_id: UUID, budget: int = BUDGET, *, sends: bool = True) -> BuiltPack:
    """Build a pack, by default as one that is sent to a model."""
    embedded = query_embed(actor, conversation_id)
    with workspace(actor.workspace_id):
        return context_pack(actor, conversation_id, budget, sends=sends, embedded_query=embedded)[0]


def epoch_of(built: BuiltPack) -> EpochState:
    assert built.epoch is not None
    return built.epoch


def rows(actor: Actor, conversation_id: UUID) -> list[PackEpoch]:
    with workspace(actor.workspace_id):
        return list(PackEpoch.objects.filter(conversation_id=conversation_id).order_by("budget"))


def turn(actor: Actor, conversation_id: UUID) -> None:
    say(actor, conversation_id, "And what of the other one?", "It stays as it was.")
