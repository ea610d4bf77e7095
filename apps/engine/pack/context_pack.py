"""The context pack: the text a model receives for a conversation, in a fixed order, within a token budget.

`PackSources` is the input of a build, `ContextPack` its result, `OmittedContent` lists the content that did not fit.
The module `builder` selects.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from apps.engine.compaction.segments import SegmentText
from apps.engine.messages.display import display_text, name_prefix, role_marker
from apps.engine.messages.message import Message, Role
from apps.engine.pack.arc import Density
from apps.engine.pack.layers import Depth, Layer
from apps.engine.pack.negotiation import Negotiation
from apps.engine.pack.profile import ProfileMemory, entities_text, identity_text, preferences_text, topics_text
from apps.engine.pack.recent_window import OPENING
from apps.engine.pack.retrieved import RetrievedItem, retrieved_text
from apps.engine.pack.strategies import HistoryContent, HistorySummaries, Strategy, segments_text
from apps.engine.summary.rendering import BETWEEN_SECTIONS, MemoryItem, Pin, pins_text, summary_text, user_memory_text
from apps.engine.summary.rolling_summary import Entry, RollingSummary

NONE_COMPACTED = 2**31
"""Start of a window without compacted messages: larger than any index."""


@dataclass(frozen=True, slots=True)
class ConversationCounts:
    """Counts of the whole conversation.

    `live_tokens` is the total of messages that are neither compacted nor excluded, `compacted_through` the index of the
    newest compacted message, `unread` the number of older live messages that were not loaded.
    """

    message_count: int
    live_tokens: int
    compacted_through: int | None = None
    unread: int = 0

    @property
    def live_begin(self) -> int:
        """Index of the first message after the compacted ones."""
        return 0 if self.compacted_through is None else self.compacted_through + 1


@dataclass(frozen=True, slots=True)
class PackPreferences:
    """Pack preferences of a user."""

    depth: Depth = Depth.STANDARD
    history_first: bool = False


@dataclass(frozen=True, slots=True)
class PackSources:
    """Candidate content of a pack.

    `newest` are live messages, oldest first, enough to fill the requested budget; `compacted` are the compacted ones
    before them, for a budget with room to include them verbatim again. `retrieved` are the items retrieved for the
    current message, best first. `identity` and `preference_memories` are memories of the tree, in order of their
    importance; `topics` and `entities` those about the conversation's lasting topics and entities. Without
    `known_counts` the conversation consists of `newest` alone.
    """

    system_prompt: str
    user_memory: Sequence[MemoryItem]
    pins: Sequence[Pin]
    summary: RollingSummary
    newest: Sequence[Message]
    known_counts: ConversationCounts | None = None
    summaries: HistorySummaries = field(default_factory=HistorySummaries)
    compacted: Sequence[Message] = ()
    retrieved: Sequence[RetrievedItem] = ()
    preferences: PackPreferences = field(default_factory=PackPreferences)
    identity: Sequence[ProfileMemory] = ()
    preference_memories: Sequence[ProfileMemory] = ()
    topics: Sequence[ProfileMemory] = ()
    entities: Sequence[ProfileMemory] = ()

    @property
    def counts(self) -> ConversationCounts:
        tokens = sum(message.token_count for message in self.newest)
        return self.known_counts or ConversationCounts(len(self.newest), tokens)

    @property
    def current(self) -> Message | None:
        """The newest message if it is the user's, which means that it still waits for a reply."""
        return self.newest[-1] if self.newest and self.newest[-1].role is Role.USER else None

    @property
    def earlier(self) -> Sequence[Message]:
        return self.newest[:-1] if self.current else self.newest

    @property
    def pinned_ids(self) -> frozenset[str]:
        """Ids of the messages that pins quote verbatim."""
        return frozenset(pin.message_id for pin in self.pins if pin.message_id)

    def window(self, start: int, compacted_start: int) -> Sequence[Message]:
        """The messages before the current one in a window, oldest first: live ones from the index `start` on, and
        compacted ones from `compacted_start` on."""
        compacted = [message for message in self.compacted if message.index >= compacted_start]
        live = [message for message in self.earlier if message.index >= start]
        return sorted((*compacted, *live), key=lambda message: message.index)

    def live_ids(self, start: int) -> frozenset[str]:
        """Ids of the live messages from the index `start` on."""
        return frozenset(message.id for message in self.newest if message.index >= start)

    def shown_ids(self, start: int, compacted_start: int = NONE_COMPACTED) -> frozenset[str]:
        """Ids of the messages quoted by pins or included in a window, with the current message."""
        shown = {message.id for message in self.window(start, compacted_start)}
        return self.pinned_ids | shown | ({self.current.id} if self.current else set())

    @property
    def early_ids(self) -> frozenset[str]:
        """Ids of the memories that the first four layers include as far as they fit."""
        early = (self.identity, self.preference_memories, self.topics, self.entities)
        return frozenset(memory.id for memories in early for memory in memories)

    @property
    def usable_items(self) -> Sequence[RetrievedItem]:
        """Retrieved items, or none without a current message."""
        return self.retrieved if self.current else ()

    @property
    def complete_history(self) -> Sequence[Message]:
        """All messages before the current one, or none if some are compacted or were not loaded."""
        is_partial = self.counts.unread or self.counts.compacted_through is not None
        return () if is_partial else self.earlier


@dataclass(frozen=True, slots=True)
class Epoch:
    """A cache epoch: decisions that stay the same until one of their inputs changes or the window is full.

    `start` is the index of the window's first live message. `hidden` live messages precede it, of which segment
    summaries cover `summarized`. From the index `compacted_start` on, the window includes compacted messages too. Token
    limits: `identity_tokens` for who the user is, `memory_tokens` for user memory and preferences, `topic_tokens` and
    `entity_tokens` for the memories with `topic_ids` and `entity_ids`, `summary_tokens` for the text of the summary,
    `history_tokens` for the whole history layer.
    """

    negotiation: Negotiation
    strategy: Strategy
    density: Density
    start: int
    hidden: int
    summarized: int
    identity_tokens: int
    memory_tokens: int
    summary_tokens: int
    history_tokens: int
    arc: str = ""
    segments: tuple[SegmentText, ...] = ()
    earlier: HistoryContent = field(default_factory=HistoryContent)
    compacted_start: int = NONE_COMPACTED
    topic_ids: tuple[str, ...] = ()
    entity_ids: tuple[str, ...] = ()
    topic_tokens: int = 0
    entity_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Coverage:
    """Number of live messages before the current one that are included verbatim, quoted as key messages, covered by
    segment summaries, or dropped; and the number of `compacted` messages that are included verbatim."""

    shown: int
    key: int
    summarized: int
    dropped: int
    compacted: int = 0

    @property
    def live(self) -> int:
        return self.shown + self.key + self.summarized + self.dropped


@dataclass(frozen=True, slots=True)
class OmittedContent:
    """Content omitted because the budget did not suffice.

    `excerpts` are ids of messages included in part; live messages before the index `messages_before` are not included
    verbatim; `retrieved` are ids of retrieved items. The last four are ids of memories that are omitted or cut.
    """

    user_memory: tuple[str, ...] = ()
    summary_lines: tuple[tuple[str, Entry], ...] = ()
    excerpts: tuple[str, ...] = ()
    messages_before: int | None = None
    retrieved: tuple[str, ...] = ()
    identity: tuple[str, ...] = ()
    preferences: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ContextPack:
    """A finished pack. Texts are sent unchanged; `tokens` counts them by part, separators and roles included.

    `user_memory` and `preference_memories` form the preferences layer, `arc`, `summary` and `segments` (of compacted
    messages) the conversation layer, `earlier` and `recent` the history layer, `retrieved` the just-in-time layer.
    `topics` and `entities` are memories about those of the conversation. `matching` are retrieved memories that the
    first four layers include already.
    """

    system_prompt: str
    identity: tuple[ProfileMemory, ...]
    user_memory: tuple[MemoryItem, ...]
    preference_memories: tuple[ProfileMemory, ...]
    pins: tuple[Pin, ...]
    topics: tuple[ProfileMemory, ...]
    entities: tuple[ProfileMemory, ...]
    arc: str
    summary: RollingSummary
    segments: tuple[SegmentText, ...]
    earlier: HistoryContent
    recent: tuple[Message, ...]
    retrieved: tuple[RetrievedItem, ...]
    current: Message | None
    budget: int
    tokens: dict[str, int]
    omitted: OmittedContent
    epoch: Epoch
    coverage: Coverage
    matching: tuple[RetrievedItem, ...] = ()

    @property
    def total_tokens(self) -> int:
        return sum(self.tokens.values())

    @property
    def used_items(self) -> tuple[tuple[Layer, RetrievedItem], ...]:
        """What was retrieved for the current message and is in the pack, best first, with the layer that has it."""
        layers = {memory.id: layer for layer, memories in self.memories.items() for memory in memories}
        early = ((layers[one.id], one) for one in self.matching)
        used = (*early, *((Layer.JUST_IN_TIME, one) for one in self.retrieved))
        return tuple(sorted(used, key=lambda pair: (-pair[1].score, pair[1].id)))

    @property
    def memories(self) -> dict[Layer, tuple[ProfileMemory, ...]]:
        """The memories of the tree in the layers before the messages."""
        return {
            Layer.IDENTITY: self.identity,
            Layer.PREFERENCES: self.preference_memories,
            Layer.TOPICS: self.topics,
            Layer.ENTITIES: self.entities,
        }

    @property
    def sections(self) -> dict[str, str]:
        """The sections before the messages, by part, in order."""
        return {
            "system": self.system_prompt,
            "identity": identity_text(self.identity),
            "user_memory": user_memory_text(self.user_memory),
            "preferences": preferences_text(self.preference_memories),
            "pinned_memory": pins_text(self.pins),
            "topics": topics_text(self.topics),
            "entities": entities_text(self.entities),
            "rolling_summary": conversation_text(self.arc, self.summary, self.segments),
            "earlier": self.earlier.text,
        }

    @property
    def parts(self) -> Mapping[str, tuple[str, ...]]:
        """The texts of each part as they are sent, for estimators other than the stored count."""
        sections = {part: (text + BETWEEN_SECTIONS,) if text else () for part, text in self.sections.items()}
        recent = (OPENING, *map(_sent, self.recent)) if self.recent else ()
        return {
            **sections,
            "recent_messages": recent,
            "just_in_time": (retrieved_text(self.retrieved) + BETWEEN_SECTIONS,) if self.retrieved else (),
            "current_message": (_sent(self.current),) if self.current else (),
        }

    @property
    def roles(self) -> Mapping[str, int]:
        """Number of message roles in each part; the sections before the messages form one message."""
        recent = len(self.recent) + 1 if self.recent else 0
        leads = int(any(self.sections.values()))
        return {
            "system": leads,
            "recent_messages": recent,
            "just_in_time": int(bool(self.retrieved)),
            "current_message": int(self.current is not None),
        }

    @property
    def media(self) -> Mapping[str, int]:
        """Tokens of images and files in each part, beside their names and texts."""
        current = [self.current] if self.current else []
        return {"recent_messages": _media_tokens(self.recent), "current_message": _media_tokens(current)}

    def layer_texts(self) -> dict[Layer, str]:
        """Text of each layer, without the messages of the conversation."""
        sections = {**self.sections, "just_in_time": retrieved_text(self.retrieved)}
        return {
            layer: BETWEEN_SECTIONS.join(text for part in parts if (text := sections.get(part)))
            for layer, parts in _PARTS.items()
        }

    def layer_tokens(self) -> dict[Layer, int]:
        """Tokens of each layer in the pack."""
        return {layer: sum(self.tokens[part] for part in parts) for layer, parts in _PARTS.items()}


EPOCH_SECTIONS = frozenset({"topics", "entities", "rolling_summary", "earlier"})
"""Sections that change with each cache epoch; those before them outlive a compaction and a full window."""

_PARTS: dict[Layer, tuple[str, ...]] = {
    Layer.IDENTITY: ("identity",),
    Layer.PREFERENCES: ("user_memory", "preferences"),
    Layer.TOPICS: ("topics",),
    Layer.ENTITIES: ("entities",),
    Layer.CONVERSATION: ("rolling_summary",),
    Layer.JUST_IN_TIME: ("just_in_time",),
    Layer.HISTORY: ("earlier", "recent_messages"),
    Layer.MESSAGE: ("current_message",),
}


def conversation_text(arc: str, summary: RollingSummary, segments: Sequence[SegmentText]) -> str:
    """Render the conversation layer: its arc, its summary, and the segment summaries of compacted messages."""
    return BETWEEN_SECTIONS.join(text for text in (arc, summary_text(summary), segments_text(segments)) if text)


def _media_tokens(messages: Iterable[Message]) -> int:
    return sum(part.media_tokens for message in messages for part in message.parts)


def _sent(message: Message) -> str:
    return f"{role_marker(message)}{name_prefix(message)}{display_text(message)}"
