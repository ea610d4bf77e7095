"""The accounts' pages of the operators' console."""

from apps.accounts.admin import access_log, context_settings, memberships, users, workspaces

__all__ = ["access_log", "context_settings", "memberships", "users", "workspaces"]
