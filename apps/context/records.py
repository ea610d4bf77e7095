"""Stored form of cache epochs, and records that describe a built pack."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from apps.conversations.selectors.audience import Audience
from apps.engine.compaction.plan import NotDue
from apps.engine.compaction.segments import Segment, SegmentText
from apps.engine.pack.arc import Density
from apps.engine.pack.context_pack import ContextPack, Epoch
from apps.engine.pack.estimators import Estimator
from apps.engine.pack.key_messages import KeyMessages
from apps.engine.pack.layers import Depth, Layer
from apps.engine.pack.negotiation import Event, Grant, Negotiation, Step
from apps.engine.pack.retrieved import RetrievedItem
from apps.engine.pack.stable_prefix import Piece, Stability
from apps.engine.pack.strategies import HistoryContent, Strategy
from apps.engine.policy import Level


class BudgetSource(StrEnum):
    """Origin of a budget, from the most to the least specific."""

    REQUEST = "request"
    CONVERSATION = "conversation"
    USER = "user"
    WORKSPACE = "workspace"


class EpochReason(StrEnum):
    """What ended the epoch before: a part that changed, or one of the last three."""

    SUMMARY = "summary"
    PINS = "pins"
    MEMORY = "memory"
    SYSTEM_PROMPT = "system_prompt"
    POLICY = "policy"
    SETTINGS = "settings"
    MODEL = "model"
    ESTIMATOR = "estimator"
    AUDIENCE = "audience"
    EXCLUSIONS = "exclusions"
    WINDOW_FULL = "window_full"
    UNREADABLE = "unreadable"


class PrivateOmission(StrEnum):
    """Why no private memory and no other conversation may be in a context."""

    AUDIENCE = "audience"


def private_omission(audience: Audience) -> PrivateOmission | None:
    """The reason why private memories are omitted; None if they are not."""
    return None if audience.allows_private_memories else PrivateOmission.AUDIENCE


class PackWarningCode(StrEnum):
    """What a person should know about a pack; the comments name the parameters."""

    LOW_PRESERVATION = "low_preservation"  # percent, minimum


@dataclass(frozen=True, slots=True)
class PackWarning:
    code: PackWarningCode
    params: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class PackSettings:
    """Resolved settings of a pack; `depth` and `history_first` are the reader's own."""

    budget: int
    budget_source: BudgetSource
    depth: Depth
    history_first: bool


@dataclass(frozen=True, slots=True)
class PackState:
    """Numbers of a conversation at the time of a pack, in tokens, and the policy's verdict on them."""

    conversation_id: UUID
    engine: str
    summary_version: int
    compaction_count: int
    message_count: int
    live_count: int
    live_tokens: int
    compactable_tokens: int
    total_tokens: int
    preservation_ratio: float
    level: Level | None
    not_due_reason: NotDue | None
    warnings: tuple[PackWarning, ...]


@dataclass(frozen=True, slots=True)
class EpochState:
    """The epoch of a pack: its number, why and when it started, and whether it started with this pack."""

    number: int
    reasons: tuple[EpochReason, ...]
    began_at: datetime
    is_new: bool


@dataclass(frozen=True, slots=True)
class BuiltPack:
    """A pack with its tokens by part, as the estimator counts them, and the settings behind it.

    `audience` is what it was allowed to use. `stability` compares it with the last pack of the same reader and budget;
    none for the first. `matches` are what a reply without a model quotes.
    """

    pack: ContextPack
    tokens: dict[str, int]
    estimator: Estimator
    settings: PackSettings
    audience: Audience
    epoch: EpochState | None
    stability: Stability | None
    matches: tuple[RetrievedItem, ...] = ()

    @property
    def total_tokens(self) -> int:
        return sum(self.tokens.values())


@dataclass(frozen=True, slots=True)
class UsedItem:
    """A memory or message that was retrieved for a reply; `layer` is the part of the pack that had it.

    `chance` is that it was relevant, if that was judged. A memory has an address; `quote` is what it said then, and
    `is_changed` whether it says something else now. A message has an index, a role and the name of its author; one of
    another conversation has that one's id and title.
    """

    id: UUID
    kind: str
    layer: str
    score: float
    similarity: float
    chance: float | None
    tokens: int
    quote: str
    uri: str = ""
    is_changed: bool = False
    valid_to: datetime | None = None
    archived_at: datetime | None = None
    index: int | None = None
    role: str = ""
    name: str = ""
    conversation_id: UUID | None = None
    conversation_title: str = ""


@dataclass(frozen=True, slots=True)
class UsedRecord:
    """What was retrieved for a reply; `unavailable` counts what was deleted since or belongs to somebody else."""

    items: tuple[UsedItem, ...]
    unavailable: int


def epoch_to_json(epoch: Epoch) -> dict[str, Any]:
    """The inverse of `epoch_from_json`."""
    stored = asdict(epoch)
    stored["earlier"]["omitted"] = [epoch.earlier.omitted.start, epoch.earlier.omitted.stop]
    return stored


def epoch_from_json(stored: dict[str, Any]) -> Epoch:
    earlier = stored["earlier"]
    return Epoch(
        negotiation=_negotiation(stored["negotiation"]),
        strategy=Strategy(stored["strategy"]),
        density=Density(stored["density"]),
        start=stored["start"],
        hidden=stored["hidden"],
        summarized=stored["summarized"],
        identity_tokens=stored["identity_tokens"],
        memory_tokens=stored["memory_tokens"],
        summary_tokens=stored["summary_tokens"],
        history_tokens=stored["history_tokens"],
        arc=stored["arc"],
        segments=_segments(stored["segments"]),
        earlier=HistoryContent(_segments(earlier["segments"]), _keys(earlier["keys"]), range(*earlier["omitted"])),
        compacted_start=stored["compacted_start"],
        topic_ids=tuple(stored["topic_ids"]),
        entity_ids=tuple(stored["entity_ids"]),
        topic_tokens=stored["topic_tokens"],
        entity_tokens=stored["entity_tokens"],
    )


def pieces_to_json(pieces: Sequence[Piece]) -> list[list[Any]]:
    return [[piece.digest, piece.tokens] for piece in pieces]


def pieces_from_json(stored: list[list[Any]]) -> tuple[Piece, ...]:
    return tuple(Piece(digest, tokens) for digest, tokens in stored)


def _negotiation(stored: dict[str, Any]) -> Negotiation:
    grants = tuple(Grant(**{**grant, "layer": Layer(grant["layer"])}) for grant in stored["grants"])
    trace = tuple(Step(**{**step, "event": Event(step["event"])}) for step in stored["trace"])
    return Negotiation(stored["budget"], stored["fixed"], grants, trace)


def _segments(stored: list[dict[str, Any]]) -> tuple[SegmentText, ...]:
    return tuple(SegmentText(**{**text, "segment": Segment(**text["segment"])}) for text in stored)


def _keys(stored: dict[str, Any]) -> KeyMessages:
    return KeyMessages(stored["text"], tuple(stored["ids"]), tuple(stored["cut"]))
