"""How a person wants their packs in a workspace."""

from __future__ import annotations

from uuid import UUID

from django.db.models import QuerySet

from apps.accounts.actors import Actor
from apps.accounts.models import ContextSettings
from apps.accounts.records import ContextSettingsRecord, context_settings_record
from apps.common.prepared_queries import first, kept


def context_settings_get(actor: Actor) -> ContextSettingsRecord:
    """The actor's own; those that hold by themselves where nothing was changed."""
    row = first(_own(actor.workspace_id, actor.user_id))
    return context_settings_record(row or ContextSettings(workspace_id=actor.workspace_id))


@kept
def _own(workspace_id: UUID, user_id: UUID) -> QuerySet[ContextSettings]:
    return ContextSettings.objects.filter(workspace_id=workspace_id, user_id=user_id)
