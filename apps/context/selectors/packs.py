"""The context pack of a conversation, from rows whose number the budget bounds."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from apps.accounts.actors import Actor
from apps.accounts.selectors import policy_for_workspace
from apps.common.errors import Unprocessable
from apps.compaction.selectors.contexts import ContextState, context_state, ratio_of
from apps.compaction.selectors.windows import newest_window
from apps.conversations.models import Conversation
from apps.conversations.records import engine_messages
from apps.conversations.selectors.access import conversation_access
from apps.conversations.selectors.messages import newest_included_within, newest_live_within
from apps.engine.folding import foldable_tokens, why_not_due, why_resting
from apps.engine.pack import BudgetExceeded, ContextPack, PackSources, build_pack
from apps.engine.policy import Level, Policy
from apps.engine.summary import RollingSummary
from apps.memory.selectors.pins import pins_for_pack
from apps.memory.selectors.user_memory import user_memory_for_pack

LARGEST_BUDGET = 2_000_000
# The least that an item of user memory takes: its mark, a key, a text.
_LEAST_ITEM_TOKENS = 5


@dataclass(frozen=True, slots=True)
class PackState:
    """The numbers behind a pack: of the conversation as it is, in tokens, and what the policy says of them."""

    conversation_id: UUID
    engine: str
    summary_version: int
    compaction_count: int
    message_count: int
    live_count: int
    live_tokens: int
    foldable_tokens: int
    total_tokens: int
    preservation_ratio: float
    level: Level | None
    not_due_because: str
    warnings: tuple[str, ...]


def context_pack(
    actor: Actor, conversation_id: UUID, token_budget: int | None = None
) -> tuple[ContextPack, PackState, Policy]:
    """The pack within the budget (by default the policy's), its numbers, and the policy that made it."""
    conversation = conversation_access(actor, conversation_id)
    policy = policy_for_workspace()
    pack = pack_of(actor, conversation, policy, token_budget)
    return pack, _state(conversation, context_state(conversation_id), policy), policy


def pack_of(actor: Actor, conversation: Conversation, policy: Policy, token_budget: int | None = None) -> ContextPack:
    """The pack alone, of a conversation that the actor is known to read: somebody waits for it."""
    budget = token_budget or policy.default_token_budget
    state = context_state(conversation.id)
    sources = _sources(actor, conversation, state, budget=budget, policy=policy)
    try:
        return build_pack(sources, budget, policy)
    except BudgetExceeded as error:
        raise Unprocessable(
            f"The budget of {budget} tokens is too small: {error.smallest} are needed for what must stand in the pack.",
            code="budget_exceeded",
            extra={"budget": budget, "smallest_budget": error.smallest, "parts": error.parts},
        ) from error


def _sources(
    actor: Actor, conversation: Conversation, state: ContextState, *, budget: int, policy: Policy
) -> PackSources:
    longest = policy.long_message_tokens
    if not policy.engine_enabled:
        said = newest_included_within(conversation.id, budget, longest=longest).messages
        earlier = bool(said) and said[0].index > 0
        return PackSources(conversation.system_prompt, (), (), RollingSummary(), engine_messages(said), earlier)
    newest = newest_live_within(conversation.id, budget, longest=longest)
    return PackSources(
        system_prompt=conversation.system_prompt,
        user_memory=user_memory_for_pack(actor, most=budget // _LEAST_ITEM_TOKENS),
        pins=pins_for_pack(conversation.id),
        summary=state.summary,
        newest=engine_messages(newest.messages),
        more_before=newest.passed < conversation.live_count,
    )


def _state(conversation: Conversation, state: ContextState, policy: Policy) -> PackState:
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
        foldable_tokens=foldable_tokens(window, policy),
        total_tokens=conversation.token_total - conversation.excluded_tokens,
        preservation_ratio=ratio,
        level=policy.level_for(conversation.live_tokens) if high else None,
        not_due_because=why_not_due(window, policy) or why_resting(conversation.live_tokens, state.rests_below, policy),
        warnings=_warnings(ratio, policy),
    )


def _warnings(ratio: float, policy: Policy) -> tuple[str, ...]:
    if ratio >= policy.min_preservation_ratio:
        return ()
    return (f"The context holds {ratio} % of the conversation, less than {policy.min_preservation_ratio} %.",)
