"""The beginning of a turn: the message is stored, the reply's place taken, and what the model sees is settled."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.selectors import policy_for_workspace
from apps.common.errors import Conflict, ContinuityError, Unprocessable
from apps.context.selectors.packs import pack_of
from apps.conversations.models import Conversation, Message, MessageRole, MessageStatus
from apps.conversations.records import MessageDraft, MessageRecord
from apps.conversations.selectors.access import conversation_access_for_write, conversation_lock
from apps.conversations.selectors.messages import message_get, newest_message
from apps.conversations.services.announcing import turn_announce_start
from apps.conversations.services.replies import Hold, reply_open, turn_runs
from apps.engine.pack import ContextPack
from apps.engine.policy import Policy
from apps.jobs.services import job_request
from apps.jobs.services.timing import times
from apps.llm.providers.base import DEFAULT_MAX_TOKENS, Purpose
from apps.llm.registry import ChosenModel, provider_for
from apps.turns.services.abandoning import turn_give_back
from apps.turns.services.messages import messages_leave_out, messages_store

WATCH = "turn_watch"


class WrittenElsewhere(ContinuityError):
    status, code, title = 503, "written_elsewhere", "Replies are not written here"


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn that has begun: `said` is the message that is answered, `hold` the right to write the reply."""

    workspace_id: UUID
    said: MessageRecord
    hold: Hold
    pack: ContextPack
    chosen: ChosenModel
    policy: Policy


def turn_begin(actor: Actor, *, conversation_id: UUID, draft: MessageDraft, token_budget: int | None = None) -> Turn:
    """Store the message and begin its reply; `Conflict` while another reply is being written. Inside a unit."""
    _ready(actor, conversation_id)
    said = messages_store(actor, conversation_id=conversation_id, drafts=[draft]).records[0]
    return _opened(actor, conversation_id, said, token_budget)


def turn_retry(actor: Actor, *, conversation_id: UUID, token_budget: int | None = None) -> Turn:
    """Answer the newest message again after a reply that failed or stopped, which is left out from now on."""
    _ready(actor, conversation_id)
    reply = newest_message(conversation_id)
    if reply is not None and reply.status in (MessageStatus.PARTIAL, MessageStatus.FAILED):
        messages_leave_out(actor, conversation_id=conversation_id, message_ids=[reply.id], excluded=True)
    elif reply is None or reply.role != MessageRole.USER:
        raise Conflict("The newest reply is complete; fork the conversation to answer again.", code="reply_complete")
    said = _asked(conversation_id, reply)
    return _opened(actor, conversation_id, message_get(actor, conversation_id, said.id), token_budget)


def _ready(actor: Actor, conversation_id: UUID) -> None:
    conversation_access_for_write(actor, conversation_id)
    if not settings.WRITES_REPLIES:
        raise WrittenElsewhere("This process answers no turns; they belong to the ASGI server.")
    conversation = conversation_lock(conversation_id)
    if turn_runs(conversation):
        raise Conflict("A reply is being written already; stop it or wait for its end.", code="turn_running")
    turn_give_back(conversation)


def _asked(conversation_id: UUID, reply: Message) -> Message:
    """The user's message that the reply was for."""
    asked = reply if reply.role == MessageRole.USER else newest_message(conversation_id, role=MessageRole.USER)
    if asked is None or asked.excluded:
        raise Conflict("There is no message to answer.", code="nothing_to_answer")
    return asked


def _opened(actor: Actor, conversation_id: UUID, said: MessageRecord, token_budget: int | None) -> Turn:
    policy, chosen = policy_for_workspace(), provider_for(Purpose.CHAT)
    conversation = conversation_lock(conversation_id)
    pack = _pack(actor, conversation, policy, token_budget, room=chosen.window_tokens - DEFAULT_MAX_TOKENS)
    hold = reply_open(conversation=conversation, policy=policy)
    _watch(actor.workspace_id, conversation_id)
    turn_announce_start(conversation_id=conversation_id, reply_id=hold.reply_id)
    return Turn(actor.workspace_id, said, hold, pack, chosen, policy)


def _pack(
    actor: Actor, conversation: Conversation, policy: Policy, token_budget: int | None, *, room: int
) -> ContextPack:
    """Within the budget asked for; without one it grows as far as the message needs and the model has room."""
    try:
        return pack_of(actor, conversation, policy, token_budget)
    except Unprocessable as refusal:
        smallest = refusal.extra.get("smallest_budget", room + 1)
        if token_budget is not None or smallest > room:
            raise
    return pack_of(actor, conversation, policy, smallest)


def _watch(workspace_id: UUID, conversation_id: UUID) -> None:
    """Whatever becomes of this process, somebody looks after the reply."""
    at = timezone.now() + timedelta(seconds=times().lease_s + 1)
    job_request(workspace_id=workspace_id, kind=WATCH, key=str(conversation_id), due_at=at, deadline_at=at)
