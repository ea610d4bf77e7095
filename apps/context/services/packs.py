"""Entry points to build the context pack of a conversation."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from apps.accounts.actors import Actor
from apps.accounts.selectors import policy_for_workspace
from apps.accounts.time_zones import in_zone
from apps.context.records import BuiltPack, PackState
from apps.context.selectors.budgets import budget_refused
from apps.context.selectors.conversation.pack_metadata import pack_state
from apps.context.selectors.pack_requests import EmbeddedQuery, PackRequest, resolve_pack_context
from apps.context.services.assembly import pack_built, pack_plain, pack_preview
from apps.context.services.pack_accesses import record_memory_accesses
from apps.conversations.models import Conversation
from apps.conversations.selectors.access import conversation_access
from apps.engine.pack.negotiation import BudgetExceeded
from apps.engine.policy import Policy
from apps.llm.providers.base import Purpose
from apps.llm.services.registry import provider_for


def context_pack(
    actor: Actor,
    conversation_id: UUID,
    token_budget: int | None = None,
    *,
    sends: bool = False,
    embedded_query: EmbeddedQuery | None = None,
) -> tuple[BuiltPack, PackState, Policy]:
    """Build the pack within the most specific budget; return it with the conversation's numbers and the policy."""
    conversation = conversation_access(actor, conversation_id)
    policy = policy_for_workspace()
    request = PackRequest(provider_for(Purpose.CHAT, policy), token_budget, sends, embedded_query)
    built = pack_of(actor, conversation, policy, request)
    if sends:
        record_memory_accesses(built.pack)
    return built, pack_state(conversation, policy), policy


def context_preview(
    actor: Actor,
    conversation_id: UUID,
    message: str,
    token_budget: int | None = None,
    *,
    as_of: datetime | None = None,
    embedded_query: EmbeddedQuery | None = None,
) -> tuple[BuiltPack, PackState, Policy]:
    """Build the pack that a hypothetical next message would get, without storing anything.

    With `as_of` it retrieves what held and had been said at that time.
    """
    conversation, policy = conversation_access(actor, conversation_id), policy_for_workspace()
    chosen = provider_for(Purpose.CHAT, policy)
    request = PackRequest(chosen, token_budget, embedded_query=embedded_query, as_of=as_of)
    context = resolve_pack_context(actor, conversation, policy, request)
    try:
        built = pack_preview(context, message) if policy.engine_enabled else pack_plain(context, message)
    except BudgetExceeded as error:
        raise budget_refused(error) from error
    return built, pack_state(conversation, policy), policy


def pack_of(actor: Actor, conversation: Conversation, policy: Policy, request: PackRequest) -> BuiltPack:
    """Build a pack of a conversation that the actor may read.

    A budget that was not requested is limited to the model's context window minus its reply.
    """
    context = resolve_pack_context(actor, conversation, policy, request)
    try:
        with in_zone(actor.time_zone):
            return pack_built(context) if policy.engine_enabled else pack_plain(context)
    except BudgetExceeded as error:
        raise budget_refused(error) from error
