"""Reads of accounts. Every other package uses the policy."""

from apps.accounts.selectors.policies import policy_for_workspace

__all__ = ["policy_for_workspace"]
