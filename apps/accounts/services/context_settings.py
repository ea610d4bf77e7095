"""Changes of a member's context settings, with optimistic locking."""

from __future__ import annotations

from dataclasses import dataclass

from apps.accounts.actors import Actor, require
from apps.accounts.models import ContextSettings
from apps.accounts.permissions import Permission
from apps.accounts.records import ContextSettingsRecord, context_settings_record
from apps.common.patch import UNCHANGED, Unchanged, changes_of
from apps.common.versions import require_version


@dataclass(frozen=True, slots=True)
class ContextSettingsChange:
    """A change of context settings; a `token_budget` of None resets it to the workspace's."""

    knowledge_depth: str | Unchanged = UNCHANGED
    history_first: bool | Unchanged = UNCHANGED
    token_budget: int | Unchanged | None = UNCHANGED
    remembers: bool | Unchanged = UNCHANGED


def context_settings_update(
    actor: Actor, *, change: ContextSettingsChange, version: int | None
) -> ContextSettingsRecord:
    """Apply a change to the given version; raises `Stale` if the settings have changed since."""
    require(actor, Permission.MANAGE_SELF)
    row, _ = ContextSettings.objects.select_for_update(of=("self",)).get_or_create(user_id=actor.user_id)
    require_version(version, row.version, of="Your context settings")
    values = changes_of(change)
    for name, value in values.items():
        setattr(row, name, value)
    row.version += 1
    row.save(update_fields=[*values, "version", "updated_at"])
    return context_settings_record(row)
