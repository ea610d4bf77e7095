"""Current numbers of a conversation, reported with its pack."""

from __future__ import annotations

from apps.compaction.selectors.compaction_window import newest_window
from apps.compaction.selectors.contexts import context_state, ratio_of
from apps.context.records import PackState, PackWarning, PackWarningCode
from apps.conversations.models import Conversation
from apps.engine.compaction.plan import compactable_tokens, why_not_due, why_paused
from apps.engine.policy import Policy


def pack_state(conversation: Conversation, policy: Policy) -> PackState:
    state = context_state(conversation.id)
    window = newest_window(conversation, policy)
    ratio = ratio_of(conversation, state.summary_tokens)
    high = conversation.live_tokens >= policy.light_compaction_threshold
    return PackState(
        conversation_id=conversation.id,
        engine="enabled" if policy.engine_enabled else "disabled",
        summary_version=state.version,
        compaction_count=state.compaction_count,
        message_count=conversation.message_count,
        live_count=conversation.live_count,
        live_tokens=conversation.live_tokens,
        compactable_tokens=compactable_tokens(window, policy),
        total_tokens=conversation.included_tokens,
        preservation_ratio=ratio,
        level=policy.level_for(conversation.live_tokens) if high else None,
        not_due_reason=why_not_due(window, policy) or why_paused(conversation.live_tokens, state.paused_below, policy),
        warnings=_warnings(ratio, policy),
    )


def _warnings(ratio: float, policy: Policy) -> tuple[PackWarning, ...]:
    if ratio >= policy.min_preservation_ratio:
        return ()
    params = {"percent": ratio, "minimum": policy.min_preservation_ratio}
    return (PackWarning(PackWarningCode.LOW_PRESERVATION, params),)
