"""Resolution of a pack's budget and its reader's preferences; the most specific setting wins."""

from __future__ import annotations

from apps.accounts.actors import Actor
from apps.accounts.selectors.context_settings import context_settings_get
from apps.common.errors import Unprocessable
from apps.context.records import BudgetSource, PackSettings
from apps.conversations.models import Conversation
from apps.engine.pack.negotiation import BudgetExceeded
from apps.engine.policy import Policy


def pack_settings(
    actor: Actor, conversation: Conversation, policy: Policy, requested: int | None = None
) -> PackSettings:
    """Resolve the settings of a pack for the actor; `requested` is the budget of the request, if any."""
    own = context_settings_get(actor)
    named = {
        BudgetSource.REQUEST: requested,
        BudgetSource.CONVERSATION: conversation.token_budget,
        BudgetSource.USER: own.token_budget,
    }
    requested_budgets = ((budget, source) for source, budget in named.items() if budget is not None)
    budget, source = next(requested_budgets, (policy.default_token_budget, BudgetSource.WORKSPACE))
    return PackSettings(budget, source, own.knowledge_depth, own.history_first)


def budget_refused(error: BudgetExceeded) -> Unprocessable:
    """The API error for a budget that the mandatory parts exceed."""
    return Unprocessable(
        f"A budget of {error.budget} tokens is too small: the parts that are always included need {error.smallest}.",
        code="budget_exceeded",
        extra={"budget": error.budget, "smallest_budget": error.smallest, "parts": error.parts},
    )
