"""Open the reply of a turn: build its pack, reserve its place, and have a job watch over it."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.utils import timezone

from apps.accounts.actors import Actor
from apps.context.selectors.pack_requests import PackRequest
from apps.context.services.used_items import used_items_store
from apps.conversations.models import Conversation
from apps.conversations.records import MessageRecord
from apps.conversations.services.events import lists_announce, turn_announce_start
from apps.conversations.services.replies import reply_open
from apps.engine.policy import Policy
from apps.extraction.selectors.forgotten import forget_notice_for
from apps.jobs.services import job_request
from apps.jobs.services.timing import times
from apps.llm.providers.base import Purpose
from apps.llm.services.registry import provider_for
from apps.turns.records import Turn, TurnOptions
from apps.turns.services.turn_pack import turn_pack

WATCH = "turn_watch"


def turn_open(
    actor: Actor, conversation: Conversation, policy: Policy, said: MessageRecord, options: TurnOptions
) -> Turn:
    chosen = provider_for(Purpose.CHAT, policy)
    request = PackRequest(
        chosen,
        options.token_budget,
        sends=True,
        embedded_query=options.embedded_query,
        # Only quotes answer without a model.
        with_matches=not chosen.configured,
    )
    built = turn_pack(actor, conversation, policy, request)
    opened = reply_open(conversation=conversation, policy=policy, used_count=len(built.pack.used_items))
    used_items_store(built.pack, conversation_id=conversation.id, reply_id=opened.reply.id, user_id=actor.person_id)
    _watch(actor.workspace_id, conversation.id)
    turn_announce_start(conversation=conversation, said=said, reply=opened.reply)
    lists_announce(conversation=conversation, readers=[actor.user_id])
    notice = "" if chosen.configured else forget_notice_for(said.id)
    return Turn(actor.workspace_id, said, opened.lease, built, chosen, policy, notice)


def _watch(workspace_id: UUID, conversation_id: UUID) -> None:
    """Request the job that ends the reply if this process dies."""
    at = timezone.now() + timedelta(seconds=times().lease_s + 1)
    job_request(workspace_id=workspace_id, kind=WATCH, key=str(conversation_id), due_at=at, deadline_at=at)
