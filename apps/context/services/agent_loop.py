"""Trim the loop of an agent whose conversation is stored on this server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from apps.accounts.actors import Actor, require_write
from apps.accounts.selectors import policy_for_workspace
from apps.compaction.selectors.compaction_window import newest_window
from apps.compaction.selectors.contexts import context_state, run_is_unfinished
from apps.compaction.services.request import compaction_request
from apps.conversations.models import Conversation
from apps.conversations.records import engine_messages
from apps.conversations.selectors.access import conversation_access
from apps.conversations.selectors.messages import newest_live_within
from apps.engine.compaction.plan import compactable_tokens, rests
from apps.engine.messages.message import Message, Role
from apps.engine.pack.agent_loop_layouts import Loop, Trimmed, trim
from apps.engine.policy import Policy
from apps.engine.summary.rendering import summary_text
from apps.engine.tokens.estimate import estimate_message


@dataclass(frozen=True, slots=True)
class LoopDraft:
    """The agent's own messages, oldest first, and its limits in tokens."""

    in_loop: Sequence[Message]
    current: Sequence[Message]
    limit: int
    summary_tokens: int


def conversation_trim(actor: Actor, *, conversation_id: UUID, draft: LoopDraft) -> Trimmed:
    """Trim a loop with the conversation as its history; requests a compaction if that will soon not fit.

    Raises `LayoutNotFound`.
    """
    conversation = conversation_access(actor, conversation_id)
    require_write(actor)
    policy, state = policy_for_workspace(), context_state(conversation_id)
    history = _history(conversation, summary_text(state.summary), draft.limit, policy)
    loop = Loop(history, tuple(draft.in_loop), tuple(draft.current))
    trimmed = trim(loop, draft.limit, policy, summary_tokens=draft.summary_tokens)
    if trimmed.dump_summary and _may_compact(conversation, state.paused_below, policy):
        level = policy.level_for(conversation.live_tokens)
        compaction_request(actor, conversation_id=conversation_id, level=level, policy=policy)
    return trimmed


def _history(conversation: Conversation, summary: str, limit: int, policy: Policy) -> tuple[Message, ...]:
    """The summary and as many of the newest live messages as could fit, plus one that shows whether there are more."""
    live = engine_messages(newest_live_within(conversation.id, limit, longest=policy.long_message_tokens).messages)
    if not summary:
        return live
    return (Message(str(conversation.id), -1, Role.SYSTEM, summary, estimate_message(summary)), *live)


def _may_compact(conversation: Conversation, paused_below: int | None, policy: Policy) -> bool:
    """Whether to compact automatically: enabled, enough to compact, and no run in progress. Called at every step."""
    if not (policy.engine_enabled and policy.auto_compact) or rests(conversation.live_tokens, paused_below):
        return False
    if run_is_unfinished(conversation.id):
        return False
    return compactable_tokens(newest_window(conversation, policy), policy) >= policy.min_compaction_tokens
