"""How a person wants their packs in a workspace."""

from __future__ import annotations

from apps.accounts.actors import Actor
from apps.accounts.models import ContextSettings
from apps.accounts.records import ContextSettingsRecord, context_settings_record


def context_settings_get(actor: Actor) -> ContextSettingsRecord:
    """The actor's own; those that hold by themselves where nothing was changed."""
    row = ContextSettings.objects.filter(workspace_id=actor.workspace_id, user_id=actor.user_id).first()
    return context_settings_record(row or ContextSettings(workspace_id=actor.workspace_id))
