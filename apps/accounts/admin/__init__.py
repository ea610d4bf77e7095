"""Admin pages for accounts."""

from apps.accounts.admin import (
    access_log,
    context_settings,
    end_users,
    invitations,
    memberships,
    pairings,
    users,
    workspaces,
)

__all__ = [
    "access_log",
    "context_settings",
    "end_users",
    "invitations",
    "memberships",
    "pairings",
    "users",
    "workspaces",
]
