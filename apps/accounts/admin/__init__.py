"""Admin pages for accounts."""

from apps.accounts.admin import access_log, context_settings, invitations, memberships, pairings, users, workspaces

__all__ = ["access_log", "context_settings", "invitations", "memberships", "pairings", "users", "workspaces"]
