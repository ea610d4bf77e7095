"""Which budget a pack gets, and how its reader wants it filled: what is said nearest to the pack holds."""

from __future__ import annotations

from apps.accounts.actors import Actor
from apps.accounts.selectors.context_settings import context_settings_get
from apps.common.errors import Unprocessable
from apps.context.records import BudgetSource, PackSettings
from apps.conversations.models import Conversation
from apps.engine.pack.negotiation import BudgetExceeded
from apps.engine.policy import Policy


def pack_settings(actor: Actor, conversation: Conversation, policy: Policy, asked: int | None = None) -> PackSettings:
    """For a pack of the conversation for the actor; `asked` is the budget that the request names, if it does."""
    own = context_settings_get(actor)
    named = {
        BudgetSource.REQUEST: asked,
        BudgetSource.CONVERSATION: conversation.token_budget,
        BudgetSource.USER: own.token_budget,
    }
    found = ((budget, source) for source, budget in named.items() if budget is not None)
    budget, source = next(found, (policy.default_token_budget, BudgetSource.WORKSPACE))
    return PackSettings(budget, source, own.knowledge_depth, own.history_first)


def budget_refused(error: BudgetExceeded) -> Unprocessable:
    """What to say where what must stand in a pack does not fit."""
    return Unprocessable(
        f"The budget of {error.budget} tokens is too small: {error.smallest} are needed for what must stand in it.",
        code="budget_exceeded",
        extra={"budget": error.budget, "smallest_budget": error.smallest, "parts": error.parts},
    )
