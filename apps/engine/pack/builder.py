"""Building a pack within a budget: of the epoch that goes on, or of a new one where that no longer fits.

System prompt, pins and current message are taken whole or the pack is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from apps.engine.messages.message import Message
from apps.engine.pack.arc import of_density
from apps.engine.pack.cache_epochs import begin_epoch, plain_epoch, shown_from
from apps.engine.pack.context_pack import ContextPack, Coverage, Epoch, LeftOut, PackSources, conversation_text
from apps.engine.pack.layer_sizes import fixed_tokens
from apps.engine.pack.layers import Layer, most_just_in_time
from apps.engine.pack.recent_window import fitting, lengthened, recent_tokens
from apps.engine.pack.retrieved import Found, chosen_found, found_tokens, unseen
from apps.engine.policy import Policy
from apps.engine.summary.rendering import (
    BETWEEN_SECTIONS,
    HEADINGS,
    MemoryItem,
    memory_line,
    section_tokens,
    user_memory_text,
)
from apps.engine.summary.rolling_summary import Entry, RollingSummary
from apps.engine.summary.trimming import trim_summary
from apps.engine.tokens.counting import CHARACTERS_PER_TOKEN, ROLE_TOKENS


def build_pack(sources: PackSources, budget: int, policy: Policy, kept: Epoch | None = None) -> ContextPack:
    """The pack for a budget in tokens; raises `BudgetExceeded` when what must stand in it does not fit."""
    pack = pack_of_epoch(sources, kept, budget, policy) if kept else None
    return pack or _first_pack(sources, begin_epoch(sources, budget, policy), budget, policy)


def window_pack(sources: PackSources, budget: int, policy: Policy) -> ContextPack:
    """System prompt and as many of the newest messages as fit; raises `BudgetExceeded`."""
    return _first_pack(sources, plain_epoch(sources, budget, policy), budget, policy)


def pack_of_epoch(sources: PackSources, epoch: Epoch, budget: int, policy: Policy) -> ContextPack | None:
    """What the epoch keeps, and the messages since; nothing, where those do not fit any more."""
    fixed = fixed_tokens(sources)
    head, current = _head(sources, epoch, fixed), fixed["current_message"]
    tail = _tail(sources, epoch, budget - sum(head.tokens.values()) - current, budget, policy)
    if tail is None:
        return None
    return ContextPack(
        system_prompt=sources.system_prompt,
        user_memory=head.memory,
        pins=tuple(sources.pins),
        arc=epoch.arc,
        summary=head.summary,
        told=epoch.told,
        earlier=epoch.earlier,
        recent=tail.recent,
        found=tail.found,
        current=sources.current,
        budget=budget,
        tokens={**head.tokens, **tail.tokens, "current_message": current},
        left_out=_left_out(sources, epoch, head, tail),
        epoch=epoch,
        coverage=_coverage(epoch, len(tail.recent)),
    )


def _first_pack(sources: PackSources, epoch: Epoch, budget: int, policy: Policy) -> ContextPack:
    pack = pack_of_epoch(sources, epoch, budget, policy)
    if pack is None:
        raise AssertionError("what an epoch begins with fits")
    return pack


@dataclass(frozen=True, slots=True)
class _Head:
    """What stands before the messages, with its tokens by part."""

    memory: tuple[MemoryItem, ...]
    summary: RollingSummary
    tokens: dict[str, int]


def _head(sources: PackSources, epoch: Epoch, fixed: Mapping[str, int]) -> _Head:
    memory = _fitting_memory(sources.user_memory, epoch.memory_room)
    dense = of_density(sources.summary, epoch.density, shown_from(sources, epoch.start))
    summary = trim_summary(dense, epoch.summary_room).summary
    tokens = {
        "system": section_tokens(sources.system_prompt),
        "user_memory": section_tokens(user_memory_text(memory)),
        "pinned_memory": fixed["pinned_memory"],
        "rolling_summary": section_tokens(conversation_text(epoch.arc, summary, epoch.told)),
        "earlier": epoch.earlier.tokens,
    }
    tokens["system"] += ROLE_TOKENS if any(tokens.values()) else 0
    return _Head(tuple(memory), summary, tokens)


@dataclass(frozen=True, slots=True)
class _Tail:
    """What differs from one pack of an epoch to the next: the messages of the window, and what was looked up."""

    recent: tuple[Message, ...]
    found: tuple[Found, ...]
    found_left_out: tuple[str, ...]

    @property
    def tokens(self) -> dict[str, int]:
        return {"recent_messages": recent_tokens(self.recent), "just_in_time": found_tokens(self.found)}


def _tail(sources: PackSources, epoch: Epoch, free: int, budget: int, policy: Policy) -> _Tail | None:
    """What is looked up has the room that it was granted, and what the messages leave."""
    shown = sources.shown_ids(epoch.start) | set(epoch.earlier.keys.ids)
    looked_up = unseen(sources.looked_up, shown, epoch.start)
    granted = min(found_tokens(looked_up), epoch.negotiation.granted(Layer.JUST_IN_TIME))
    recent = _recent(sources, epoch, min(free - granted, epoch.history_room - epoch.earlier.tokens), policy)
    if recent is None:
        return None
    found = chosen_found(looked_up, min(free - recent_tokens(recent), most_just_in_time(budget)))
    chosen = {one.id for one in found}
    return _Tail(tuple(recent), found, tuple(one.id for one in looked_up if one.id not in chosen))


def _left_out(sources: PackSources, epoch: Epoch, head: _Head, tail: _Tail) -> LeftOut:
    return LeftOut(
        user_memory=_passed_over(sources.user_memory, head.memory),
        summary_lines=_lines_left_out(sources.summary, head.summary),
        excerpts=_excerpts(tail.recent, sources.earlier),
        messages_before=epoch.start if epoch.hidden else None,
        found=tail.found_left_out,
    )


def _recent(sources: PackSources, epoch: Epoch, room: int, policy: Policy) -> list[Message] | None:
    """The window's messages, if they fit; the newest of them as long as there is room for."""
    since = [message for message in sources.earlier if message.index >= epoch.start]
    if room < 0 or _may_miss(sources, epoch.start):
        return None
    if not since:
        return []
    shown = fitting(since, room, policy)
    if len(shown) < len(since):
        return None
    return lengthened(shown, since, room - recent_tokens(shown), policy)


def _may_miss(sources: PackSources, start: int) -> bool:
    """Whether live messages from there on may not have been read."""
    return sources.counts.unread > 0 and bool(sources.newest) and sources.newest[0].index > start


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


def _lines_left_out(summary: RollingSummary, told: RollingSummary) -> tuple[tuple[str, Entry], ...]:
    """Every line that is not told, with its field. Lines may be alike: each is told as often as it is there."""
    left = list(summary.entries())
    for line in told.entries():
        left.remove(line)
    return tuple(left)


def _excerpts(recent: Sequence[Message], earlier: Sequence[Message]) -> tuple[str, ...]:
    whole = earlier[len(earlier) - len(recent) :]
    return tuple(shown.id for shown, message in zip(recent, whole, strict=True) if shown is not message)


def _coverage(epoch: Epoch, shown: int) -> Coverage:
    """A message of which a key message and a summary tell counts as the former."""
    key = min(epoch.hidden, len(epoch.earlier.keys.ids))
    summarised = min(epoch.hidden - key, epoch.summarised)
    return Coverage(shown, key, summarised, epoch.hidden - key - summarised)
