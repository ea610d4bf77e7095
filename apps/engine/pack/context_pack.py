"""The context pack: what a model sees of a conversation, in a fixed order, never above its token budget.

What a pack may hold, what it holds, and what it had no room for. `packing` decides which is which.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from apps.engine.compaction.segments import SegmentText
from apps.engine.messages.display import mark, name_prefix, told
from apps.engine.messages.message import Message, Role
from apps.engine.pack.arc import Density
from apps.engine.pack.layers import Depth, Layer
from apps.engine.pack.negotiation import Negotiation
from apps.engine.pack.recent_window import OPENING
from apps.engine.pack.retrieved import Found, found_text
from apps.engine.pack.strategies import Earlier, Past, Strategy, segments_text
from apps.engine.summary.rendering import BETWEEN_SECTIONS, MemoryItem, Pin, pins_text, summary_text, user_memory_text
from apps.engine.summary.rolling_summary import Entry, RollingSummary


@dataclass(frozen=True, slots=True)
class Talk:
    """Counts of the whole conversation. `live_tokens` are those of its messages that are neither folded nor left out;
    `folded_through` is the index of the newest folded one, `unread` how many older live ones were not read."""

    message_count: int
    live_tokens: int
    folded_through: int | None = None
    unread: int = 0

    @property
    def live_begin(self) -> int:
        """Before this index messages are folded."""
        return 0 if self.folded_through is None else self.folded_through + 1


@dataclass(frozen=True, slots=True)
class PackPreferences:
    """What the person wants of every pack."""

    depth: Depth = Depth.STANDARD
    history_first: bool = False


@dataclass(frozen=True, slots=True)
class PackSources:
    """Everything a pack may hold.

    `newest` are live messages, oldest first, enough to fill any budget asked for; `found` is what was looked up for the
    current one, the best first.
    """

    system_prompt: str
    user_memory: Sequence[MemoryItem]
    pins: Sequence[Pin]
    summary: RollingSummary
    newest: Sequence[Message]
    talk: Talk | None = None
    past: Past = field(default_factory=Past)
    found: Sequence[Found] = ()
    wishes: PackPreferences = field(default_factory=PackPreferences)

    @property
    def counts(self) -> Talk:
        """Of the conversation; where nothing else is said, all of it is `newest`."""
        return self.talk or Talk(len(self.newest), sum(message.token_count for message in self.newest))

    @property
    def current(self) -> Message | None:
        """The newest message, when it is the user's and still waits for its reply."""
        return self.newest[-1] if self.newest and self.newest[-1].role is Role.USER else None

    @property
    def earlier(self) -> Sequence[Message]:
        return self.newest[:-1] if self.current else self.newest

    @property
    def pinned_ids(self) -> frozenset[str]:
        """Of the messages that pins hold word for word."""
        return frozenset(pin.message_id for pin in self.pins if pin.message_id)

    def shown_ids(self, start: int) -> frozenset[str]:
        """Of the messages that stand in pins, or in the window that begins at the index."""
        return self.pinned_ids | {message.id for message in self.newest if message.index >= start}

    @property
    def looked_up(self) -> Sequence[Found]:
        """What was found, where there is a message that it was looked up for."""
        return self.found if self.current else ()

    @property
    def said(self) -> Sequence[Message]:
        """All that was said before the current message, where that is at hand."""
        talk = self.counts
        return () if talk.unread or talk.folded_through is not None else self.earlier


@dataclass(frozen=True, slots=True)
class Epoch:
    """What is decided once and then kept byte for byte, until something it stands on changes or the window is full.

    `start` is the index of the window's first message; `hidden` live messages before it are not shown whole, of which
    `summarised` are told by segments. The rooms are tokens: of the user's memory, of the summary's text, and of all the
    history may ever take.
    """

    negotiation: Negotiation
    strategy: Strategy
    density: Density
    start: int
    hidden: int
    summarised: int
    memory_room: int
    summary_room: int
    history_room: int
    arc: str = ""
    told: tuple[SegmentText, ...] = ()
    earlier: Earlier = field(default_factory=Earlier)


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many live messages before the current one stand how: in their own words, as one of the weightiest, told by
    the summary of a segment, or not at all."""

    shown: int
    key: int
    summarised: int
    dropped: int

    @property
    def live(self) -> int:
        return self.shown + self.key + self.summarised + self.dropped


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What the budget had no room for, so that nothing goes missing silently.

    `excerpts` are ids of messages shown in part; live messages before the index `messages_before` are not shown whole;
    `found` are ids of what was looked up.
    """

    user_memory: tuple[str, ...] = ()
    summary_lines: tuple[tuple[str, Entry], ...] = ()
    excerpts: tuple[str, ...] = ()
    messages_before: int | None = None
    found: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ContextPack:
    """Texts are exactly what is sent; `tokens` counts them by part, with the separators and roles around them.

    `arc`, `summary` and `told` (segments of folded messages) are the conversation's layer; `earlier` and `recent` that
    of its history; `found` is what was looked up just in time.
    """

    system_prompt: str
    user_memory: tuple[MemoryItem, ...]
    pins: tuple[Pin, ...]
    arc: str
    summary: RollingSummary
    told: tuple[SegmentText, ...]
    earlier: Earlier
    recent: tuple[Message, ...]
    found: tuple[Found, ...]
    current: Message | None
    budget: int
    tokens: dict[str, int]
    left_out: LeftOut
    epoch: Epoch
    coverage: Coverage

    @property
    def total_tokens(self) -> int:
        return sum(self.tokens.values())

    @property
    def sections(self) -> dict[str, str]:
        """What stands before the messages, by part, in its order."""
        return {
            "system": self.system_prompt,
            "user_memory": user_memory_text(self.user_memory),
            "pinned_memory": pins_text(self.pins),
            "rolling_summary": conversation_text(self.arc, self.summary, self.told),
            "earlier": self.earlier.text,
        }

    @property
    def parts(self) -> Mapping[str, tuple[str, ...]]:
        """The texts of each part as they are sent, for who counts them otherwise."""
        sections = {part: (text + BETWEEN_SECTIONS,) if text else () for part, text in self.sections.items()}
        recent = (OPENING, *map(_sent, self.recent)) if self.recent else ()
        return {
            **sections,
            "recent_messages": recent,
            "just_in_time": (found_text(self.found) + BETWEEN_SECTIONS,) if self.found else (),
            "current_message": (_sent(self.current),) if self.current else (),
        }

    @property
    def roles(self) -> Mapping[str, int]:
        """How many messages' roles stand in each part; all that stands before the messages is one."""
        recent = len(self.recent) + 1 if self.recent else 0
        leads = int(any(self.sections.values()))
        return {
            "system": leads,
            "recent_messages": recent,
            "just_in_time": int(bool(self.found)),
            "current_message": int(self.current is not None),
        }

    def layer_texts(self) -> dict[Layer, str]:
        """What of each layer stands in the pack beside its messages."""
        sections = {**self.sections, "just_in_time": found_text(self.found)}
        return {layer: "".join(sections.get(part, "") for part in parts) for layer, parts in _PARTS.items()}

    def layer_tokens(self) -> dict[Layer, int]:
        """What of each layer stands in the pack."""
        return {layer: sum(self.tokens[part] for part in parts) for layer, parts in _PARTS.items()}


OF_THE_EPOCH = frozenset({"rolling_summary", "earlier"})
"""The sections that a compaction or a full window changes; those before them outlive both."""

_PARTS: dict[Layer, tuple[str, ...]] = {
    Layer.PREFERENCES: ("user_memory",),
    Layer.CONVERSATION: ("rolling_summary",),
    Layer.JUST_IN_TIME: ("just_in_time",),
    Layer.HISTORY: ("earlier", "recent_messages"),
    Layer.MESSAGE: ("current_message",),
}


def conversation_text(arc: str, summary: RollingSummary, told: Sequence[SegmentText]) -> str:
    """The layer of the conversation: its arc, its summary, and the segments of what is folded."""
    return BETWEEN_SECTIONS.join(text for text in (arc, summary_text(summary), segments_text(told)) if text)


def _sent(message: Message) -> str:
    return f"{mark(message)}{name_prefix(message)}{told(message)}"
