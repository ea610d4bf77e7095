"""Open the reply of a turn: build its pack, reserve its place, and have a job watch over it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

from django.utils import timezone

from apps.accounts.actors import Actor
from apps.common.errors import Unprocessable
from apps.context.records import BuiltPack
from apps.context.selectors.pack_requests import PackRequest
from apps.context.services.packs import pack_of
from apps.conversations.models import Conversation
from apps.conversations.records import MessageRecord
from apps.conversations.services.events import lists_announce, turn_announce_start
from apps.conversations.services.replies import reply_open
from apps.engine.policy import Policy
from apps.jobs.services import job_request
from apps.jobs.services.timing import times
from apps.llm.providers.base import Purpose
from apps.llm.services.registry import provider_for
from apps.turns.records import Turn, TurnOptions

WATCH = "turn_watch"


def turn_open(
    actor: Actor, conversation: Conversation, policy: Policy, said: MessageRecord, options: TurnOptions
) -> Turn:
    chosen = provider_for(Purpose.CHAT, policy)
    request = PackRequest(chosen, options.token_budget, sends=True, embedded_query=options.embedded_query)
    built = _pack(actor, conversation, policy, request)
    opened = reply_open(conversation=conversation, policy=policy)
    _watch(actor.workspace_id, conversation.id)
    turn_announce_start(conversation=conversation, said=said, reply=opened.reply)
    lists_announce(conversation=conversation, readers=[actor.user_id])
    return Turn(actor.workspace_id, said, opened.lease, built, chosen, policy)


def _pack(actor: Actor, conversation: Conversation, policy: Policy, request: PackRequest) -> BuiltPack:
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


def _watch(workspace_id: UUID, conversation_id: UUID) -> None:
    """Request the job that ends the reply if this process dies."""
    at = timezone.now() + timedelta(seconds=times().lease_s + 1)
    job_request(workspace_id=workspace_id, kind=WATCH, key=str(conversation_id), due_at=at, deadline_at=at)
