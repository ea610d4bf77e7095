"""The accounts' pages of the operators' console."""

from apps.accounts.admin import oversight, people, workspaces

__all__ = ["oversight", "people", "workspaces"]
