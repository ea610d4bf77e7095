"""The pack of a turn, whose default budget grows by a message that exceeds it."""

from __future__ import annotations

from dataclasses import replace

from apps.accounts.actors import Actor
from apps.common.errors import Unprocessable
from apps.context.records import BuiltPack
from apps.context.selectors.pack_requests import PackRequest
from apps.context.services.packs import pack_of
from apps.conversations.models import Conversation
from apps.engine.policy import Policy


def turn_pack(actor: Actor, conversation: Conversation, policy: Policy, request: PackRequest) -> BuiltPack:
    """Build the pack within the requested budget. A default budget grows by a message that exceeds it; the model's
    context window bounds both."""
    room, token_budget = request.chosen.pack_budget, request.token_budget
    if token_budget is not None and token_budget > room:
        raise Unprocessable(
            f"The request does not fit: the model has room for {room} tokens besides its reply.",
            code="budget_beyond_window",
            extra={"budget": token_budget, "largest_budget": room},
        )
    try:
        return pack_of(actor, conversation, policy, request)
    except Unprocessable as refusal:
        needed = refusal.extra.get("smallest_budget", room + 1)
        if token_budget is not None or needed > room:
            raise
        beside = refusal.extra["budget"] + refusal.extra["parts"]["current_message"]
    return pack_of(actor, conversation, policy, replace(request, token_budget=min(room, max(needed, beside))))
