"""Build a context pack within a budget, from the current cache epoch or from a new one if that no longer fits.

The system prompt, the pins and the current message are included whole, or the build fails.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from apps.engine.messages.message import Message
from apps.engine.pack.arc import at_density
from apps.engine.pack.cache_epochs import begin_epoch, fill_tokens, plain_epoch
from apps.engine.pack.context_pack import ContextPack, Coverage, Epoch, OmittedContent, PackSources, conversation_text
from apps.engine.pack.layer_sizes import fixed_tokens
from apps.engine.pack.layers import Layer, max_just_in_time_tokens
from apps.engine.pack.profile import (
    ProfileMemory,
    entities_text,
    fitting_memories,
    identity_text,
    not_whole,
    preferences_text,
    topics_text,
)
from apps.engine.pack.recent_window import extend_excerpts, newest_fitting, recent_tokens
from apps.engine.pack.retrieved import (
    RetrievedItem,
    is_repeated,
    matching_memories,
    retrieved_tokens,
    select_retrieved,
    without_memories,
    without_shown,
)
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
from apps.engine.tokens.counting import ROLE_TOKENS
from apps.engine.tokens.estimate import TOKEN_SIZE, text_size


def build_pack(sources: PackSources, budget: int, policy: Policy, epoch: Epoch | None = None) -> ContextPack:
    """Build a pack for a budget in tokens; raises `BudgetExceeded` if the mandatory parts do not fit."""
    pack = pack_of_epoch(sources, epoch, budget, policy) if epoch else None
    return pack or _first_pack(sources, begin_epoch(sources, budget, policy), budget, policy)


def window_pack(sources: PackSources, budget: int, policy: Policy) -> ContextPack:
    """Build a pack of the system prompt and as many of the newest messages as fit; raises `BudgetExceeded`."""
    return _first_pack(sources, plain_epoch(sources, budget, policy), budget, policy)


def pack_of_epoch(sources: PackSources, epoch: Epoch, budget: int, policy: Policy) -> ContextPack | None:
    """Build the next pack of an epoch; none if its messages no longer fit."""
    fixed = fixed_tokens(sources)
    stable, current = _stable_part(sources, epoch, fixed), fixed["current_message"]
    free = budget - sum(stable.tokens.values()) - current
    variable = _variable_part(
        replace(sources, retrieved=without_memories(sources.retrieved, stable.memory_ids)), epoch, free, budget, policy
    )
    if variable is None:
        return None
    return ContextPack(
        system_prompt=sources.system_prompt,
        identity=stable.identity,
        user_memory=stable.memory,
        preference_memories=stable.preferences,
        pins=tuple(sources.pins),
        topics=stable.topics,
        entities=stable.entities,
        arc=epoch.arc,
        summary=stable.summary,
        segments=epoch.segments,
        earlier=epoch.earlier,
        recent=variable.recent,
        retrieved=variable.retrieved,
        current=sources.current,
        budget=budget,
        tokens={**stable.tokens, **variable.tokens, "current_message": current},
        omitted=_omitted(sources, epoch, stable, variable),
        epoch=epoch,
        coverage=_coverage(epoch, sources, variable.recent),
        matching=matching_memories(sources.usable_items, stable.memory_ids),
    )


def _first_pack(sources: PackSources, epoch: Epoch, budget: int, policy: Policy) -> ContextPack:
    pack = pack_of_epoch(sources, epoch, budget, policy)
    if pack is None:
        raise AssertionError("the first pack of an epoch must fit")
    return pack


@dataclass(frozen=True, slots=True)
class _StablePart:
    """The sections before the messages, with their tokens by part."""

    identity: tuple[ProfileMemory, ...]
    memory: tuple[MemoryItem, ...]
    preferences: tuple[ProfileMemory, ...]
    topics: tuple[ProfileMemory, ...]
    entities: tuple[ProfileMemory, ...]
    summary: RollingSummary
    tokens: dict[str, int]

    @property
    def memory_ids(self) -> set[str]:
        """Ids of the memories of the tree in it."""
        return {memory.id for memory in (*self.identity, *self.preferences, *self.topics, *self.entities)}


def _stable_part(sources: PackSources, epoch: Epoch, fixed: Mapping[str, int]) -> _StablePart:
    identity = fitting_memories("identity", sources.identity, epoch.identity_tokens)
    memory = _fitting_memory(sources.user_memory, epoch.memory_tokens)
    memory_tokens = section_tokens(user_memory_text(memory))
    preferences = fitting_memories("preferences", sources.preference_memories, epoch.memory_tokens - memory_tokens)
    topics = _by_id(fitting_memories("topics", sources.topics, epoch.topic_tokens))
    entities = _by_id(fitting_memories("entities", sources.entities, epoch.entity_tokens))
    dense = at_density(sources.summary, epoch.density, sources.live_ids(epoch.start))
    summary = trim_summary(dense, epoch.summary_tokens).summary
    tokens = {
        "system": section_tokens(sources.system_prompt),
        "identity": section_tokens(identity_text(identity)),
        "user_memory": memory_tokens,
        "preferences": section_tokens(preferences_text(preferences)),
        "pinned_memory": fixed["pinned_memory"],
        "topics": section_tokens(topics_text(topics)),
        "entities": section_tokens(entities_text(entities)),
        "rolling_summary": section_tokens(conversation_text(epoch.arc, summary, epoch.segments)),
        "earlier": epoch.earlier.tokens,
    }
    tokens["system"] += ROLE_TOKENS if any(tokens.values()) else 0
    return _StablePart(identity, tuple(memory), preferences, topics, entities, summary, tokens)


def _by_id(memories: Iterable[ProfileMemory]) -> tuple[ProfileMemory, ...]:
    """In an order that does not depend on scores, so that the same memories give the same text in the next epoch."""
    return tuple(sorted(memories, key=lambda memory: memory.id))


@dataclass(frozen=True, slots=True)
class _VariablePart:
    """The content that differs between packs of an epoch: the messages of the window and the retrieved items."""

    recent: tuple[Message, ...]
    retrieved: tuple[RetrievedItem, ...]
    omitted_ids: tuple[str, ...]

    @property
    def tokens(self) -> dict[str, int]:
        return {"recent_messages": recent_tokens(self.recent), "just_in_time": retrieved_tokens(self.retrieved)}


def _variable_part(sources: PackSources, epoch: Epoch, free: int, budget: int, policy: Policy) -> _VariablePart | None:
    """Fill the window, then give retrieved items their grant and the tokens that the messages leave to fill.

    Messages of other conversations fill no more than the layer's maximum.
    """
    shown = sources.shown_ids(epoch.start, epoch.compacted_start) | set(epoch.earlier.keys.ids)
    usable_items = without_shown(sources.usable_items, shown)
    granted = min(retrieved_tokens(usable_items), epoch.negotiation.granted(Layer.JUST_IN_TIME))
    recent = _recent(sources, epoch, min(free - granted, epoch.history_tokens - epoch.earlier.tokens), policy)
    if recent is None:
        return None
    spare = free - (budget - fill_tokens(budget, policy)) - recent_tokens(recent)
    retrieved = select_retrieved(usable_items, max(granted, spare), max_just_in_time_tokens(budget))
    return _VariablePart(tuple(recent), retrieved, tuple(_left_over(usable_items, retrieved)))


def _left_over(items: Sequence[RetrievedItem], chosen: Sequence[RetrievedItem]) -> Iterator[str]:
    """Yield the ids of the items for which there was no room."""
    chosen_ids = {one.id for one in chosen}
    for one in items:
        if one.id not in chosen_ids and not is_repeated(one, chosen):
            yield one.id


def _first_shown(sources: PackSources, epoch: Epoch) -> int:
    """Where the live messages begin that are shown. The current message always is, also where later ones are folded."""
    return min(epoch.start, sources.current.index) if sources.current else epoch.start


def _omitted(sources: PackSources, epoch: Epoch, stable: _StablePart, variable: _VariablePart) -> OmittedContent:
    return OmittedContent(
        user_memory=_omitted_items(sources.user_memory, stable.memory),
        summary_lines=_omitted_lines(sources.summary, stable.summary),
        excerpts=_excerpts(variable.recent, sources.window(epoch.start, epoch.compacted_start)),
        messages_before=_first_shown(sources, epoch) if epoch.hidden else None,
        retrieved=variable.omitted_ids,
        identity=not_whole(sources.identity, stable.identity),
        preferences=not_whole(sources.preference_memories, stable.preferences),
        topics=not_whole(sources.topics, stable.topics),
        entities=not_whole(sources.entities, stable.entities),
    )


def _recent(sources: PackSources, epoch: Epoch, budget: int, policy: Policy) -> list[Message] | None:
    """The window's messages if all fit, with excerpts of the newest extended as far as possible; otherwise none."""
    since = sources.window(epoch.start, epoch.compacted_start)
    if budget < 0 or _may_miss(sources, epoch.start):
        return None
    if not since:
        return []
    shown = newest_fitting(since, budget, policy)
    if len(shown) < len(since):
        return None
    return extend_excerpts(shown, since, budget - recent_tokens(shown), policy)


def _may_miss(sources: PackSources, start: int) -> bool:
    """Whether live messages from the index `start` on may not have been loaded."""
    return sources.counts.unread > 0 and bool(sources.newest) and sources.newest[0].index > start


def _fitting_memory(items: Sequence[MemoryItem], budget: int) -> list[MemoryItem]:
    """Take items in order, skipping those that do not fit."""
    chosen: list[MemoryItem] = []
    left = budget * TOKEN_SIZE - text_size(HEADINGS["user_memory"] + BETWEEN_SECTIONS)
    for item in items:
        size = text_size("\n" + memory_line(item))
        if size <= left:
            left -= size
            chosen.append(item)
    return chosen


def _omitted_items(items: Sequence[MemoryItem], chosen: Sequence[MemoryItem]) -> tuple[str, ...]:
    chosen_ids = {item.id for item in chosen}
    return tuple(item.id for item in items if item.id not in chosen_ids)


def _omitted_lines(summary: RollingSummary, included: RollingSummary) -> tuple[tuple[str, Entry], ...]:
    """Lines missing from the included summary, with their fields; duplicate lines are matched one by one."""
    left = list(summary.entries())
    for line in included.entries():
        left.remove(line)
    return tuple(left)


def _excerpts(recent: Sequence[Message], whole: Sequence[Message]) -> tuple[str, ...]:
    return tuple(shown.id for shown, message in zip(recent, whole, strict=True) if shown is not message)


def _coverage(epoch: Epoch, sources: PackSources, recent: Sequence[Message]) -> Coverage:
    """Count a message that is both a key message and covered by a summary as a key message."""
    key = min(epoch.hidden, len(epoch.earlier.keys.ids))
    summarized = min(epoch.hidden - key, epoch.summarized)
    compacted_ids = {message.id for message in sources.compacted}
    compacted = sum(message.id in compacted_ids for message in recent)
    return Coverage(len(recent) - compacted, key, summarized, epoch.hidden - key - summarized, compacted)
