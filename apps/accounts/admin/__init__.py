"""The accounts' pages of the operators' console."""

from apps.accounts.admin import memberships, oversight, people, workspaces

__all__ = ["memberships", "oversight", "people", "workspaces"]
