"""The context pack: what a model sees of a conversation, in a fixed order, never above its token budget.

System prompt, user memory, pins, rolling summary, recent messages, current message. The system prompt, the pins and
the current message are taken whole or the pack is refused; recent messages fill what the others leave.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.engine.messages import Message, Role
from apps.engine.negotiation import BudgetExceeded
from apps.engine.policy import Policy
from apps.engine.sections import (
    BETWEEN_SECTIONS,
    HEADINGS,
    MemoryItem,
    Pin,
    memory_line,
    pins_text,
    summary_text,
    user_memory_text,
)
from apps.engine.shown import LEAST_EXCERPT_TOKENS, shortened, shown_tokens
from apps.engine.summary import Entry, RollingSummary
from apps.engine.tokens import CHARACTERS_PER_TOKEN, ROLE_TOKENS, count_message, count_text
from apps.engine.trimming import trim_summary

__all__ = [
    "OPENING",
    "BudgetExceeded",
    "ContextPack",
    "LeftOut",
    "PackSources",
    "build_pack",
    "section_tokens",
    "shown_tokens",
]

# What the user says where the shown messages begin with the assistant: a model's format may ask for the user first.
OPENING = "(…)"
_OPENING_TOKENS = count_message(OPENING)
# Percentages until the layers negotiate the budget.
_USER_MEMORY_PERCENT = 20
_RECENT_PERCENT_KEPT_FROM_SUMMARY = 40


@dataclass(frozen=True, slots=True)
class PackSources:
    """Everything a pack may hold.

    `newest` are live messages, oldest first, enough to fill any budget asked for; `more_before` says that the
    conversation has older live ones, which were not read because they cannot fit.
    """

    system_prompt: str
    user_memory: Sequence[MemoryItem]
    pins: Sequence[Pin]
    summary: RollingSummary
    newest: Sequence[Message]
    more_before: bool = False


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What the budget had no room for, so that nothing goes missing silently.

    `excerpts` are ids of messages shown in part; live messages before the index `messages_before` are not shown.
    """

    user_memory: tuple[str, ...] = ()
    summary_lines: tuple[tuple[str, Entry], ...] = ()
    excerpts: tuple[str, ...] = ()
    messages_before: int | None = None


@dataclass(frozen=True, slots=True)
class ContextPack:
    """Texts are exactly what is sent; `tokens` counts them by part, with the separators and roles around them."""

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


@dataclass(frozen=True, slots=True)
class _Rooms:
    """What each part may take at most.

    They follow from the budget and the parts' full sizes, never from where a line happens to be cut, so that a larger
    budget never makes one of them smaller.
    """

    user_memory: int
    summary: int
    recent: int


def build_pack(sources: PackSources, budget: int, policy: Policy) -> ContextPack:
    """The pack for a budget in tokens; raises `BudgetExceeded` when what must stand in it does not fit."""
    earlier, current = _split_current(sources.newest)
    required = _required_tokens(sources, current)
    free = budget - sum(required.values())
    if free < 0:
        raise BudgetExceeded(budget, required)
    rooms = _rooms(sources, earlier, budget=budget, free=free, policy=policy)
    memory = _fitting_memory(sources.user_memory, rooms.user_memory)
    trimmed = trim_summary(sources.summary, rooms.summary)
    memory_tokens = section_tokens(user_memory_text(memory))
    summary_tokens = section_tokens(summary_text(trimmed.summary))
    recent = _recent(earlier, rooms.recent, free - memory_tokens - summary_tokens, policy)
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
            "recent_messages": _recent_tokens(recent),
            "current_message": required["current_message"],
        },
        left_out=LeftOut(
            user_memory=_passed_over(sources.user_memory, memory),
            summary_lines=trimmed.left_out,
            excerpts=_excerpts(recent, earlier),
            messages_before=_messages_before(recent, sources),
        ),
    )


def section_tokens(text: str) -> int:
    """Tokens of a section with what separates it from the next; an absent section costs nothing."""
    return count_text(text + BETWEEN_SECTIONS) if text else 0


def _required_tokens(sources: PackSources, current: Message | None) -> dict[str, int]:
    """What stands before the messages is one message of its own in some formats: its role counts."""
    leads = sources.system_prompt or sources.user_memory or sources.pins or sources.summary
    return {
        "system": section_tokens(sources.system_prompt) + (ROLE_TOKENS if leads else 0),
        "pinned_memory": section_tokens(pins_text(sources.pins)),
        "current_message": shown_tokens(current) if current else 0,
    }


def _split_current(newest: Sequence[Message]) -> tuple[Sequence[Message], Message | None]:
    """The current message is the newest one, when it is the user's and still waits for its reply."""
    if newest and newest[-1].role is Role.USER:
        return newest[:-1], newest[-1]
    return newest, None


def _rooms(sources: PackSources, earlier: Sequence[Message], *, budget: int, free: int, policy: Policy) -> _Rooms:
    memory = min(section_tokens(user_memory_text(sources.user_memory)), budget * _USER_MEMORY_PERCENT // 100, free)
    free -= memory
    newest = earlier[-policy.newest_message_count :]
    needed = _OPENING_TOKENS + sum(_live_tokens(message, policy) for message in newest) if newest else 0
    kept = min(needed, free * _RECENT_PERCENT_KEPT_FROM_SUMMARY // 100)
    whole = summary_text(sources.summary)
    summary = min(section_tokens(whole), free - kept)
    without_separator = count_text(whole) if summary == section_tokens(whole) else max(0, summary - 1)
    return _Rooms(memory, without_separator, free - summary)


def _live_tokens(message: Message, policy: Policy) -> int:
    return min(shown_tokens(message), policy.long_message_tokens)


def _fitting_memory(items: Sequence[MemoryItem], room: int) -> list[MemoryItem]:
    """The items that fit, each that does not being passed over for the next."""
    chosen: list[MemoryItem] = []
    left = room * CHARACTERS_PER_TOKEN - len(HEADINGS["user_memory"] + BETWEEN_SECTIONS)
    for item in items:
        length = len("\n" + memory_line(item))
        if length <= left:
            left -= length
            chosen.append(item)
    return chosen


def _passed_over(items: Sequence[MemoryItem], chosen: Sequence[MemoryItem]) -> tuple[str, ...]:
    kept = {item.id for item in chosen}
    return tuple(item.id for item in items if item.id not in kept)


def _recent(earlier: Sequence[Message], room: int, spare: int, policy: Policy) -> list[Message]:
    """The newest messages that fit into `room`, long ones as excerpts; what is left of `spare` lengthens the newest."""
    shown = _from_whole_exchange(_fitting(earlier, room - _OPENING_TOKENS, policy), policy)
    spare -= _recent_tokens(shown)
    for place in range(1, min(policy.newest_message_count, len(shown)) + 1):
        before = shown_tokens(shown[-place])
        shown[-place] = shortened(earlier[-place], before + spare)
        spare -= shown_tokens(shown[-place]) - before
    return shown


def _fitting(earlier: Sequence[Message], room: int, policy: Policy) -> list[Message]:
    """Without a gap; the oldest of them as a shorter excerpt if it is long, or one of the newest."""
    chosen: list[Message] = []
    for message in reversed(earlier):
        cost = _live_tokens(message, policy)
        may_be_cut = cost < shown_tokens(message) or len(chosen) < policy.newest_message_count
        if cost > room and (room < LEAST_EXCERPT_TOKENS or not may_be_cut):
            break
        shown = shortened(message, min(room, policy.long_message_tokens))
        if shown_tokens(shown) > min(cost, room):
            break
        chosen.append(shown)
        room -= cost
        if room < 0:
            break
    return chosen[::-1]


def _from_whole_exchange(messages: list[Message], policy: Policy) -> list[Message]:
    """Not beginning with the results of a call that is not shown, as far as the newest messages allow."""
    most = max(0, len(messages) - policy.newest_message_count)
    start = next((place for place in range(most) if not messages[place].results), most)
    return messages[start:]


def _recent_tokens(recent: Sequence[Message]) -> int:
    return sum(map(shown_tokens, recent)) + (_OPENING_TOKENS if recent else 0)


def _excerpts(recent: Sequence[Message], earlier: Sequence[Message]) -> tuple[str, ...]:
    whole = earlier[len(earlier) - len(recent) :]
    return tuple(shown.id for shown, message in zip(recent, whole, strict=True) if shown is not message)


def _messages_before(recent: Sequence[Message], sources: PackSources) -> int | None:
    earlier, current = _split_current(sources.newest)
    if len(recent) == len(earlier) and not sources.more_before:
        return None
    if recent:
        return recent[0].index
    return current.index if current else earlier[-1].index + 1 if earlier else None
