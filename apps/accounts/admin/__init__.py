"""The accounts' pages of the operators' console."""

from apps.accounts.admin import context_settings, memberships, oversight, people, workspaces

__all__ = ["context_settings", "memberships", "oversight", "people", "workspaces"]
