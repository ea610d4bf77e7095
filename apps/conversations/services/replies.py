"""The reply of a running turn: one at a time, written by the holder of the turn's lease.

Its row exists from the beginning, as `streaming`; only an ending by the provider makes it `complete`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from django.db.models import F
from django.utils import timezone

from apps.common.errors import Conflict
from apps.common.models import columns_of
from apps.common.reads import fetch_model
from apps.conversations.models import Conversation, Message, MessageRole, MessageStatus
from apps.conversations.records import MessageRecord, message_importance, message_record, part_to_json
from apps.conversations.selectors.access import conversation_lock
from apps.conversations.services.state_version import conversation_store
from apps.engine.compaction.plan import live_cost
from apps.engine.messages.message import Part, PartKind
from apps.engine.policy import Policy
from apps.engine.tokens.counting import count_message
from apps.engine.tokens.estimate import estimate_message
from apps.jobs.services.timing import times

_READ = f"""
SELECT {columns_of(Message, "reply")} FROM conversations_message AS reply
WHERE workspace_id = %(workspace)s AND conversation_id = %(conversation)s AND id = %(id)s
"""  # noqa: S608  # the only inserted text is the names of columns
_COUNTERS = ("message_count", "token_total", "excluded_tokens", "extra_tokens", "live_count", "live_tokens")
_REWRITTEN = (
    *("content", "parts", "token_count", "extra_tokens", "live_cost", "tokens_through"),
    *("status", "error_code", "importance"),
)
_TURN = ("turn_token", "turn_reply", "turn_until", "turn_stop")


class TurnRunning(Conflict):
    code = "turn_running"

    def __init__(self) -> None:
        super().__init__("A reply is being written already; stop it or wait for its end.")


class TurnLost(Exception):
    """The turn was ended by another process, which took this writer for dead; nothing more may be stored."""


@dataclass(frozen=True, slots=True)
class TurnLease:
    """The lease that lets one writer store a reply: `token` fences off an earlier writer."""

    conversation_id: UUID
    reply_id: UUID
    index: int
    token: UUID


@dataclass(frozen=True, slots=True)
class Opened:
    """A reply in progress and the lease to write it."""

    lease: TurnLease
    reply: MessageRecord


@dataclass(frozen=True, slots=True)
class Written:
    """The rows after a write to a reply: the conversation (with its new version) and the reply."""

    conversation: Conversation
    reply: Message


@dataclass(frozen=True, slots=True)
class Ending:
    """How a reply ends: `complete`, or `partial` or `failed` with the reason."""

    status: MessageStatus
    error_code: str = ""


def reply_open(*, conversation: Conversation, policy: Policy, used_count: int = 0) -> Opened:
    """Open a reply at the end of the conversation, whose row the caller has locked; `TurnRunning` while one is open.

    This stores all counters of the row, including those of messages appended just before. `used_count` is the number of
    memories and messages that were retrieved for it.
    """
    if conversation.turn_reply is not None:
        raise TurnRunning
    tokens = count_message("")
    row = Message(
        conversation=conversation,
        index=conversation.message_count,
        role=MessageRole.ASSISTANT,
        status=MessageStatus.STREAMING,
        error_code="",
        token_count=tokens,
        tokens_through=conversation.token_total + tokens,
        live_cost=live_cost(tokens, policy),
        used_count=used_count,
        created_at=timezone.now(),
    )
    row.save(force_insert=True)
    conversation.message_count += 1
    conversation.live_count += 1
    conversation.token_total += tokens
    conversation.live_tokens += row.live_cost
    conversation.turn_token, conversation.turn_reply, conversation.turn_stop = uuid4(), row.id, False
    conversation.turn_until = _lease_end()
    conversation_store(conversation, (*_COUNTERS, *_TURN, "active_at"))
    return Opened(TurnLease(conversation.id, row.id, row.index, conversation.turn_token), message_record(row))


def reply_write(lease: TurnLease, *, text: str, policy: Policy, reasoning: str = "") -> Written:
    """Store the text received so far and renew the lease. Raises `TurnLost`."""
    conversation = _held(lease)
    reply = _rewrite(conversation, lease.reply_id, (text, reasoning), Ending(MessageStatus.STREAMING), policy)
    conversation.turn_until = _lease_end()
    conversation_store(conversation, (*_COUNTERS, "turn_until"))
    return Written(conversation, reply)


def reply_close(lease: TurnLease, *, text: str, ending: Ending, policy: Policy, reasoning: str = "") -> Written:
    """Store the final reply and release the turn. Raises `TurnLost`."""
    conversation = _held(lease)
    reply = _rewrite(conversation, lease.reply_id, (text, reasoning), ending, policy)
    _release(conversation)
    return Written(conversation, reply)


def reply_ending(lease: TurnLease) -> Ending:
    """Read the stored ending of a reply whose lease was lost."""
    row = Message.objects.only("status", "error_code").get(conversation_id=lease.conversation_id, pk=lease.reply_id)
    return Ending(MessageStatus(row.status), row.error_code)


def reply_abandoned(*, conversation: Conversation, reply_id: UUID, policy: Policy) -> Written:
    """Finish the reply of a dead writer. The caller has locked the conversation's row."""
    row = Message.objects.get(conversation_id=conversation.id, pk=reply_id)
    status = MessageStatus.PARTIAL if row.content else MessageStatus.FAILED
    reasoning = "".join(part.get("text", "") for part in row.parts)
    reply = _rewrite(conversation, row.id, (row.content, reasoning), Ending(status, "interrupted"), policy)
    _release(conversation)
    return Written(conversation, reply)


def turn_runs(conversation: Conversation) -> bool:
    return conversation.turn_until is not None and conversation.turn_until > timezone.now()


def turn_stop_request(*, conversation: Conversation) -> UUID:
    """Request the running turn to stop, and return the id of its reply. The caller has locked the row."""
    if conversation.turn_reply is None or not turn_runs(conversation):
        raise Conflict("No reply is in progress.", code="no_turn_running")
    conversation.turn_stop = True
    conversation.save(update_fields=["turn_stop", "updated_at"])
    return conversation.turn_reply


def _held(lease: TurnLease) -> Conversation:
    conversation = conversation_lock(lease.conversation_id)
    if conversation.turn_token != lease.token:
        raise TurnLost(str(lease.reply_id))
    return conversation


def _rewrite(
    conversation: Conversation, reply_id: UUID, texts: tuple[str, str], ending: Ending, policy: Policy
) -> Message:
    """Change the reply's text and reasoning and all dependent counts, including those of later messages."""
    row = fetch_model(Message, _READ, conversation=conversation.id, id=reply_id)
    if row is None:
        raise TurnLost(str(reply_id))
    text, reasoning = texts
    parts = [Part(PartKind.REASONING, reasoning)] if reasoning else []
    stored = count_message(text) + sum(part.token_count for part in parts)
    tokens = estimate_message(text) + sum(part.token_count for part in parts)
    more, cost = stored - row.token_count, live_cost(tokens, policy)
    later = Message.objects.filter(conversation_id=conversation.id, index__gt=row.index)
    if more and conversation.message_count > row.index + 1:
        later.update(tokens_through=F("tokens_through") + more)
    conversation.token_total += more
    if row.excluded:
        conversation.excluded_tokens += more
    else:
        conversation.extra_tokens += tokens - stored - row.extra_tokens
        conversation.live_tokens += cost - row.live_cost
    row.content, row.token_count, row.extra_tokens, row.live_cost = text, stored, tokens - stored, cost
    row.parts = [part_to_json(part) for part in parts]
    row.tokens_through += more
    row.status, row.error_code = ending.status, ending.error_code
    if ending.status != MessageStatus.STREAMING:
        row.importance = message_importance(row)
    row.save(update_fields=_REWRITTEN)
    return row


def _release(conversation: Conversation) -> None:
    conversation.turn_token = conversation.turn_reply = conversation.turn_until = None
    conversation.turn_stop = False
    conversation_store(conversation, (*_COUNTERS, *_TURN))


def _lease_end() -> datetime:
    return timezone.now() + timedelta(seconds=times().lease_s)
