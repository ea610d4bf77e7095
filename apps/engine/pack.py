"""The context pack: what a model sees of a conversation, in a fixed order, never above its token budget.

System prompt, user memory, pins, rolling summary, recent messages, current message. The system prompt, the pins and
the current message are taken whole or the pack is refused; recent messages fill what the others leave.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from apps.engine.excerpt import excerpt
from apps.engine.messages import Message, Role
from apps.engine.policy import Policy
from apps.engine.sections import (
    BETWEEN_SECTIONS,
    MemoryItem,
    Pin,
    pins_text,
    summary_text,
    user_memory_text,
)
from apps.engine.summary import Entry, RollingSummary
from apps.engine.tokens import ROLE_TOKENS, count_text
from apps.engine.trimming import trim_summary

# Shares of the budget until the layers negotiate it.
_USER_MEMORY_SHARE = 0.2
_RECENT_SHARE_KEPT_FROM_SUMMARY = 0.4


class BudgetExceeded(ValueError):
    """What must stand in the pack does not fit; `parts` are tokens by part, `smallest` the least budget that works."""

    def __init__(self, budget: int, parts: dict[str, int]) -> None:
        self.budget, self.parts, self.smallest = budget, parts, sum(parts.values())
        super().__init__(f"{self.smallest} tokens are needed at least, the budget is {budget}")


@dataclass(frozen=True, slots=True)
class PackSources:
    """Everything a pack may hold. `newest` are live messages, oldest first, enough to fill any budget asked for."""

    system_prompt: str
    user_memory: Sequence[MemoryItem]
    pins: Sequence[Pin]
    summary: RollingSummary
    newest: Sequence[Message]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What the budget had no room for, so that nothing goes missing silently."""

    user_memory: tuple[str, ...] = ()
    summary_lines: tuple[tuple[str, Entry], ...] = ()
    excerpts: tuple[str, ...] = ()
    messages_before: int | None = None


@dataclass(frozen=True, slots=True)
class ContextPack:
    """Texts are exactly what is sent; `tokens` counts them by part, separators included."""

    system_prompt: str
    user_memory: tuple[MemoryItem, ...]
    pins: tuple[Pin, ...]
    summary: RollingSummary
    recent: tuple[Message, ...]
    current: Message | None
    budget: int
    tokens: dict[str, int]
    left_out: LeftOut

    @property
    def total_tokens(self) -> int:
        return sum(self.tokens.values())


def shown_tokens(message: Message) -> int:
    """Tokens of a message as a pack shows it: role, name, content and parts."""
    name = count_text(f"{message.name}: ") if message.name else 0
    return ROLE_TOKENS + name + count_text(message.content) + sum(part.token_count for part in message.parts)


def build_pack(sources: PackSources, budget: int, policy: Policy) -> ContextPack:
    """The pack for a budget in tokens; raises `BudgetExceeded` when what must stand in it does not fit."""
    earlier, current = _split_current(sources.newest)
    required = {
        "system": section_tokens(sources.system_prompt),
        "pinned_memory": section_tokens(pins_text(sources.pins)),
        "current_message": shown_tokens(current) if current else 0,
    }
    if sum(required.values()) > budget:
        raise BudgetExceeded(budget, required)
    room = budget - sum(required.values())
    memory = _fitting_memory(sources.user_memory, min(room, int(budget * _USER_MEMORY_SHARE)))
    room -= (memory_tokens := section_tokens(user_memory_text(memory)))
    trimmed = trim_summary(sources.summary, _summary_room(room, earlier, policy))
    room -= (summary_tokens := section_tokens(summary_text(trimmed.summary)))
    recent = _fitting_messages(earlier, room, policy)
    return ContextPack(
        system_prompt=sources.system_prompt,
        user_memory=tuple(memory),
        pins=tuple(sources.pins),
        summary=trimmed.summary,
        recent=tuple(recent),
        current=current,
        budget=budget,
        tokens={
            "system": required["system"],
            "user_memory": memory_tokens,
            "pinned_memory": required["pinned_memory"],
            "rolling_summary": summary_tokens,
            "recent_messages": sum(map(shown_tokens, recent)),
            "current_message": required["current_message"],
        },
        left_out=LeftOut(
            user_memory=tuple(item.id for item in sources.user_memory if item not in memory),
            summary_lines=trimmed.left_out,
            excerpts=_excerpted(recent, earlier),
            messages_before=_first_shown(recent, current) if len(recent) < len(earlier) else None,
        ),
    )


def section_tokens(text: str) -> int:
    """Tokens of a section with what separates it from the next; an absent section costs nothing."""
    return count_text(text + BETWEEN_SECTIONS) if text else 0


def _split_current(newest: Sequence[Message]) -> tuple[Sequence[Message], Message | None]:
    """The current message is the newest one, when it is the user's and still waits for its reply."""
    if newest and newest[-1].role is Role.USER:
        return newest[:-1], newest[-1]
    return newest, None


def _fitting_memory(items: Sequence[MemoryItem], room: int) -> list[MemoryItem]:
    chosen: list[MemoryItem] = []
    for item in items:
        if section_tokens(user_memory_text([*chosen, item])) <= room:
            chosen.append(item)
    return chosen


def _summary_room(room: int, earlier: Sequence[Message], policy: Policy) -> int:
    """What the summary may take: all but a share that the newest messages need."""
    newest = [_shortened(message, policy.long_message_tokens) for message in earlier[-policy.newest_message_count :]]
    kept = min(sum(map(shown_tokens, newest)), int(room * _RECENT_SHARE_KEPT_FROM_SUMMARY))
    return max(0, room - kept - count_text(BETWEEN_SECTIONS) - 1)


def _fitting_messages(earlier: Sequence[Message], room: int, policy: Policy) -> list[Message]:
    """The newest messages that fit, without a gap; a long one as an excerpt outside the newest or when it must."""
    chosen: list[Message] = []
    for place, message in enumerate(reversed(earlier)):
        shown = message if place < policy.newest_message_count else _shortened(message, policy.long_message_tokens)
        if shown_tokens(shown) > room:
            shown = _shortened(message, min(policy.long_message_tokens, room))
        if shown_tokens(shown) > room:
            break
        room -= shown_tokens(shown)
        chosen.append(shown)
    return _from_whole_calls(chosen[::-1])


def _shortened(message: Message, limit: int) -> Message:
    """The message with its content as an excerpt, if it takes more than `limit` tokens in all."""
    over = shown_tokens(message) - limit
    if over <= 0:
        return message
    shown = excerpt(message.content, message.id, max(0, count_text(message.content) - over))
    return replace(message, content=shown)


def _from_whole_calls(messages: list[Message]) -> list[Message]:
    """Begin after the last result whose call was left out: a model refuses a result without its call."""
    called: set[str] = set()
    start = 0
    for place, message in enumerate(messages):
        called |= message.calls
        if message.results - called:
            start = place + 1
    return messages[start:]


def _excerpted(shown: Iterable[Message], whole: Iterable[Message]) -> tuple[str, ...]:
    lengths = {message.id: len(message.content) for message in whole}
    return tuple(message.id for message in shown if len(message.content) < lengths[message.id])


def _first_shown(recent: Sequence[Message], current: Message | None) -> int | None:
    first = recent[0] if recent else current
    return first.index if first else None
