"""Reads of a member's context settings."""

from __future__ import annotations

from apps.accounts.actors import Actor
from apps.accounts.models import ContextSettings
from apps.accounts.records import ContextSettingsRecord, context_settings_record
from apps.common.models import columns_of
from apps.common.reads import fetch_model

_OWN = f"""
SELECT {columns_of(ContextSettings, "settings")} FROM accounts_contextsettings AS settings
WHERE workspace_id = %(workspace)s AND user_id = %(user)s
"""  # noqa: S608  # only column names are interpolated


def context_settings_get(actor: Actor) -> ContextSettingsRecord:
    """The actor's own settings; the defaults if they never changed any."""
    row = fetch_model(ContextSettings, _OWN, user=actor.user_id)
    return context_settings_record(row or ContextSettings(workspace_id=actor.workspace_id))
