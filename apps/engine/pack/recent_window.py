"""The newest messages of a conversation in a pack: whole and without a gap, long ones as excerpts."""

from __future__ import annotations

from collections.abc import Sequence

from apps.engine.messages.display import LEAST_EXCERPT_TOKENS, shortened, shown_tokens
from apps.engine.messages.message import Message
from apps.engine.policy import Policy
from apps.engine.tokens.counting import count_message

# What the user says where the shown messages begin with the assistant: a model's format may ask for the user first.
OPENING = "(…)"
OPENING_TOKENS = count_message(OPENING)


def wanted_tokens(earlier: Sequence[Message], policy: Policy) -> int:
    """What these messages would take: the newest whole, a long one before them as an excerpt."""
    older, newest = _parted(earlier, policy)
    whole = sum(map(shown_tokens, newest)) + sum(cost_of(message, policy) for message in older)
    return whole + OPENING_TOKENS if earlier else 0


def cost_of(message: Message, policy: Policy) -> int:
    """Tokens of a message at most, unless it is one of the newest and there is room for more."""
    return min(shown_tokens(message), policy.long_message_tokens)


def fitting(earlier: Sequence[Message], room: int, policy: Policy) -> list[Message]:
    """The newest that fit into `room`, without a gap; the oldest of them shorter still if it is one of the newest."""
    chosen: list[Message] = []
    room -= OPENING_TOKENS
    for message in reversed(earlier):
        cost = cost_of(message, policy)
        may_be_cut = len(chosen) < policy.newest_message_count and room >= LEAST_EXCERPT_TOKENS
        if cost > room and not may_be_cut:
            break
        shown = shortened(message, min(room, policy.long_message_tokens))
        if shown_tokens(shown) > min(cost, room):
            break
        chosen.append(shown)
        room -= cost
        if room < 0:
            break
    return chosen[::-1]


def from_whole_exchange(messages: list[Message], policy: Policy) -> list[Message]:
    """Not beginning with the results of a call that is not shown, as far as the newest messages allow."""
    most = max(0, len(messages) - policy.newest_message_count)
    start = next((place for place in range(most) if not messages[place].results), most)
    return messages[start:]


def lengthened(shown: list[Message], earlier: Sequence[Message], spare: int, policy: Policy) -> list[Message]:
    """The newest of them as long as `spare` tokens more allow; `earlier` are the messages that they were made of."""
    longer = list(shown)
    for place in range(1, min(policy.newest_message_count, len(longer)) + 1):
        before = shown_tokens(longer[-place])
        grown = shortened(earlier[-place], before + spare)
        # A very short excerpt has no size of one's choice.
        if before < shown_tokens(grown) <= before + spare:
            longer[-place], spare = grown, spare - (shown_tokens(grown) - before)
    return longer


def recent_tokens(recent: Sequence[Message]) -> int:
    return sum(map(shown_tokens, recent)) + (OPENING_TOKENS if recent else 0)


def _parted(earlier: Sequence[Message], policy: Policy) -> tuple[Sequence[Message], Sequence[Message]]:
    place = max(0, len(earlier) - policy.newest_message_count)
    return earlier[:place], earlier[place:]
