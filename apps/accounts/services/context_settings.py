"""Changing how one's own packs are built, one version at a time."""

from __future__ import annotations

from dataclasses import dataclass

from apps.accounts.actors import Actor, require
from apps.accounts.models import ContextSettings
from apps.accounts.permissions import Permission
from apps.accounts.records import ContextSettingsRecord, context_settings_record
from apps.common.errors import Stale
from apps.common.patch import UNCHANGED, Unchanged, changes_of


@dataclass(frozen=True, slots=True)
class ContextSettingsChange:
    """None as budget takes it back to the workspace's."""

    knowledge_depth: str | Unchanged = UNCHANGED
    history_first: bool | Unchanged = UNCHANGED
    token_budget: int | Unchanged | None = UNCHANGED


def context_settings_update(actor: Actor, *, change: ContextSettingsChange, version: int) -> ContextSettingsRecord:
    """Apply the change to the given version; raises `Stale` when the same person was quicker elsewhere."""
    require(actor, Permission.MANAGE_SELF)
    row, _ = ContextSettings.objects.select_for_update(of=("self",)).get_or_create(user_id=actor.user_id)
    if row.version != version:
        raise Stale("Your settings were changed meanwhile.", extra={"version": row.version})
    values = changes_of(change)
    for name, value in values.items():
        setattr(row, name, value)
    row.version += 1
    row.save(update_fields=[*values, "version", "updated_at"])
    return context_settings_record(row)
