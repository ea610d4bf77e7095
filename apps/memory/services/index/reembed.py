"""Rebuilding of embeddings; the current ones serve queries until the new ones replace them."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.utils import timezone

from apps.accounts.actors import Actor, require
from apps.accounts.permissions import Permission
from apps.memory.models import Passage
from apps.memory.services.index.embedding_job import embedding_schedule_if_due


def nodes_reembed(actor: Actor, *, node_ids: Collection[UUID]) -> int:
    """Schedule the re-embedding of these memories; return how many have a passage."""
    require(actor, Permission.MANAGE_MODELS)
    count = Passage.objects.filter(node_id__in=node_ids).update(wanted_at=timezone.now())
    embedding_schedule_if_due(actor.workspace_id)
    return count


def workspace_reembed(actor: Actor) -> int:
    """Schedule the re-embedding of all passages in the workspace; return their number."""
    require(actor, Permission.MANAGE_MODELS)
    count = Passage.objects.update(wanted_at=timezone.now())
    embedding_schedule_if_due(actor.workspace_id)
    return count
