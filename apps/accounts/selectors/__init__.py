"""Reading accounts; the policy is what every other room asks for."""

from apps.accounts.selectors.policies import policy_for_workspace

__all__ = ["policy_for_workspace"]
