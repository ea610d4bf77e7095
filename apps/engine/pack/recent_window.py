"""The window of recent messages in a pack: consecutive and verbatim, long ones as excerpts."""

from __future__ import annotations

from collections.abc import Sequence

from apps.engine.messages.display import LEAST_EXCERPT_TOKENS, shortened, shown_tokens
from apps.engine.messages.message import Message
from apps.engine.policy import Policy
from apps.engine.tokens.estimate import estimate_message

# Placeholder user message for windows that start with the assistant, because some formats require the user first.
OPENING = "(…)"
OPENING_TOKENS = estimate_message(OPENING)


def wanted_tokens(earlier: Sequence[Message], policy: Policy) -> int:
    """Tokens of all these messages: the newest in full, older long ones as excerpts."""
    older, newest = _split_newest(earlier, policy)
    whole = sum(map(shown_tokens, newest)) + sum(cost_of(message, policy) for message in older)
    return whole + OPENING_TOKENS if earlier else 0


def cost_of(message: Message, policy: Policy) -> int:
    """Maximum tokens of a message, unless it is among the newest and tokens are left."""
    return min(shown_tokens(message), policy.long_message_tokens)


def newest_fitting(earlier: Sequence[Message], budget: int, policy: Policy) -> list[Message]:
    """The newest consecutive messages within `budget` tokens; the oldest is shortened if it is among the newest."""
    chosen: list[Message] = []
    budget -= OPENING_TOKENS
    for message in reversed(earlier):
        cost = cost_of(message, policy)
        may_be_cut = len(chosen) < policy.newest_message_count and budget >= LEAST_EXCERPT_TOKENS
        if cost > budget and not may_be_cut:
            break
        shown = shortened(message, min(budget, policy.long_message_tokens))
        if shown_tokens(shown) > min(cost, budget):
            break
        chosen.append(shown)
        budget -= cost
        if budget < 0:
            break
    return chosen[::-1]


def from_whole_exchange(messages: list[Message], policy: Policy) -> list[Message]:
    """Drop leading results whose call is not included, unless they are among the newest messages."""
    max_start = max(0, len(messages) - policy.newest_message_count)
    start = next((place for place in range(max_start) if not messages[place].results), max_start)
    return messages[start:]


def extend_excerpts(shown: list[Message], earlier: Sequence[Message], spare: int, policy: Policy) -> list[Message]:
    """Extend the excerpts of the newest messages by up to `spare` tokens; `earlier` are the stored messages."""
    longer = list(shown)
    for place in range(1, min(policy.newest_message_count, len(longer)) + 1):
        before = shown_tokens(longer[-place])
        grown = shortened(earlier[-place], before + spare)
        # A very short excerpt may exceed the requested size.
        if before < shown_tokens(grown) <= before + spare:
            longer[-place], spare = grown, spare - (shown_tokens(grown) - before)
    return longer


def recent_tokens(recent: Sequence[Message]) -> int:
    return sum(map(shown_tokens, recent)) + (OPENING_TOKENS if recent else 0)


def _split_newest(earlier: Sequence[Message], policy: Policy) -> tuple[Sequence[Message], Sequence[Message]]:
    place = max(0, len(earlier) - policy.newest_message_count)
    return earlier[:place], earlier[place:]
