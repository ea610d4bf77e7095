"""The context pack of a conversation: of the epoch that its packs are in, or the first of a new one."""

from __future__ import annotations

from uuid import UUID

from apps.accounts.actors import Actor
from apps.accounts.selectors import policy_for_workspace
from apps.context.records import BuiltPack, PackState
from apps.context.selectors.budgets import budget_refused
from apps.context.selectors.conversation.pack_metadata import pack_state
from apps.context.selectors.pack_requests import PackRequest, order_for
from apps.context.services.assembly import pack_built, pack_plain
from apps.context.services.pack_accesses import pack_note_accesses
from apps.conversations.models import Conversation
from apps.conversations.selectors.access import conversation_access
from apps.engine.pack.negotiation import BudgetExceeded
from apps.engine.policy import Policy
from apps.llm.providers.base import Purpose
from apps.llm.services.registry import provider_for


def context_pack(
    actor: Actor, conversation_id: UUID, token_budget: int | None = None, *, sends: bool = False
) -> tuple[BuiltPack, PackState, Policy]:
    """The pack within the budget that is nearest to it, its numbers, and the policy that made it."""
    conversation = conversation_access(actor, conversation_id)
    policy = policy_for_workspace()
    wish = PackRequest(provider_for(Purpose.CHAT, policy), token_budget, sends)
    built = pack_of(actor, conversation, policy, wish)
    if sends:
        pack_note_accesses(built.pack)
    return built, pack_state(conversation, policy), policy


def pack_of(actor: Actor, conversation: Conversation, policy: Policy, wish: PackRequest) -> BuiltPack:
    """The pack alone, of a conversation that the actor is known to read: somebody waits for it.

    A budget that the request does not name is no larger than what the model takes beside its answer.
    """
    order = order_for(actor, conversation, policy, wish)
    try:
        return pack_built(order) if policy.engine_enabled else pack_plain(order)
    except BudgetExceeded as error:
        raise budget_refused(error) from error
