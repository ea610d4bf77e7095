"""The beginning of a turn: store the message, reserve the reply, and build the pack."""

from __future__ import annotations

from uuid import UUID

from django.conf import settings

from apps.accounts.actors import Actor
from apps.accounts.selectors import policy_for_workspace
from apps.common.errors import Conflict, ContinuityError
from apps.conversations.models import Conversation, MessageStatus
from apps.conversations.records import MessageDraft, message_record
from apps.conversations.selectors.access import conversation_lock, conversation_lock_for_write
from apps.conversations.selectors.messages import newest_message
from apps.conversations.services.replies import TurnRunning, turn_runs
from apps.turns.records import DEFAULT_OPTIONS, Turn, TurnOptions
from apps.turns.services.follow_up import message_store_before_reply
from apps.turns.services.idempotent_replay import ANSWERED, StoredReply, replay_reply
from apps.turns.services.messages import messages_set_excluded
from apps.turns.services.open_reply import turn_open
from apps.turns.services.orphaned_replies import turn_release
from apps.turns.services.reply_writer import ReplyWriter


class WrittenElsewhere(ContinuityError):
    status, code, title = 503, "written_elsewhere", "Replies are not written here"


def turn_begin(
    actor: Actor, *, conversation_id: UUID, draft: MessageDraft, options: TurnOptions = DEFAULT_OPTIONS
) -> Turn | ReplyWriter | StoredReply:
    """Store the message and begin its reply; `TurnRunning` while another reply is being written. In a unit of work.

    A message that is stored already is answered if it is the newest; otherwise its reply is replayed.
    No compaction is requested now: it would wait for the end of the turn, which requests it.
    """
    conversation = _writable(actor, conversation_id)
    if turn_runs(conversation):
        return _running(conversation_id, draft)
    turn_release(conversation)
    policy = policy_for_workspace()
    appended = message_store_before_reply(actor, conversation=conversation, draft=draft, policy=policy)
    if not appended.stored and (again := _again(conversation_id, draft)):
        return again
    return turn_open(actor, conversation, policy, appended.records[0], options)


def turn_retry(actor: Actor, *, conversation_id: UUID, options: TurnOptions = DEFAULT_OPTIONS) -> Turn:
    """Answer the newest message again after a failed or stopped reply, which is excluded."""
    conversation = _writable(actor, conversation_id)
    if turn_runs(conversation):
        raise TurnRunning
    turn_release(conversation)
    reply = newest_message(conversation_id)
    if reply is not None and reply.status in (MessageStatus.PARTIAL, MessageStatus.FAILED):
        messages_set_excluded(actor, conversation_id=conversation_id, message_ids=[reply.id], excluded=True)
        conversation = conversation_lock(conversation_id)
    elif reply is None or reply.role not in ANSWERED:
        raise Conflict("The newest reply is complete. Fork the conversation to regenerate it.", code="reply_complete")
    asked = newest_message(conversation_id, roles=ANSWERED)
    if asked is None:
        raise Conflict("There is no message to reply to.", code="nothing_to_answer")
    return turn_open(actor, conversation, policy_for_workspace(), message_record(asked), options)


def _writable(actor: Actor, conversation_id: UUID) -> Conversation:
    """Lock and return the conversation; refuse in a process that cannot write replies."""
    conversation = conversation_lock_for_write(actor, conversation_id)
    if not settings.WRITES_REPLIES:
        raise WrittenElsewhere("This process cannot write replies. Send the request to the ASGI server.")
    return conversation


def _running(conversation_id: UUID, draft: MessageDraft) -> ReplyWriter | StoredReply:
    again = replay_reply(conversation_id, draft.external_id)
    if again is None:
        raise TurnRunning
    return again


def _again(conversation_id: UUID, draft: MessageDraft) -> ReplyWriter | StoredReply | None:
    """Return the reply to a message that is stored already; None if it is the newest and has none yet."""
    again = replay_reply(conversation_id, draft.external_id)
    newest = newest_message(conversation_id)
    if again is None and (newest is None or newest.external_id != draft.external_id):
        raise Conflict(
            "This message is already stored without a reply and is not the newest one.", code="not_the_newest"
        )
    return again
