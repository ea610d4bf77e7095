"""Epochs as they are stored, and what is told about a pack beside the pack."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from apps.engine.compaction.segments import Segment, SegmentText
from apps.engine.pack.arc import Density
from apps.engine.pack.context_pack import ContextPack, Epoch
from apps.engine.pack.estimators import Estimator
from apps.engine.pack.key_messages import KeyMessages
from apps.engine.pack.layers import Depth, Layer
from apps.engine.pack.negotiation import Event, Grant, Negotiation, Step
from apps.engine.pack.stable_prefix import Piece, Stability
from apps.engine.pack.strategies import Earlier, Strategy
from apps.engine.policy import Level


class BudgetSource(StrEnum):
    """Who named the budget, from the nearest to the farthest."""

    REQUEST = "request"
    CONVERSATION = "conversation"
    USER = "user"
    WORKSPACE = "workspace"


@dataclass(frozen=True, slots=True)
class PackSettings:
    """`depth` and `history_first` are those of the person the pack is built for."""

    budget: int
    budget_source: BudgetSource
    depth: Depth
    history_first: bool


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


@dataclass(frozen=True, slots=True)
class EpochState:
    """The epoch of a pack: which one, why it began and when, and whether with this pack."""

    number: int
    because: str
    began_at: datetime
    is_new: bool


@dataclass(frozen=True, slots=True)
class BuiltPack:
    """A pack, its tokens by part as the estimator counts them, and how it came about.

    `stability` compares it with the last pack of the same reader and budget; empty where there was none.
    """

    pack: ContextPack
    tokens: dict[str, int]
    estimator: Estimator
    settings: PackSettings
    epoch: EpochState | None
    stability: Stability | None

    @property
    def total_tokens(self) -> int:
        return sum(self.tokens.values())


def epoch_to_json(epoch: Epoch) -> dict[str, Any]:
    """The inverse of `epoch_from_json`."""
    stored = asdict(epoch)
    stored["earlier"]["untold"] = [epoch.earlier.untold.start, epoch.earlier.untold.stop]
    return stored


def epoch_from_json(stored: dict[str, Any]) -> Epoch:
    earlier = stored["earlier"]
    return Epoch(
        negotiation=_negotiation(stored["negotiation"]),
        strategy=Strategy(stored["strategy"]),
        density=Density(stored["density"]),
        start=stored["start"],
        hidden=stored["hidden"],
        summarised=stored["summarised"],
        memory_room=stored["memory_room"],
        summary_room=stored["summary_room"],
        history_room=stored["history_room"],
        arc=stored["arc"],
        told=_told(stored["told"]),
        earlier=Earlier(_told(earlier["told"]), _keys(earlier["keys"]), range(*earlier["untold"])),
    )


def pieces_to_json(pieces: Sequence[Piece]) -> list[list[Any]]:
    return [[piece.digest, piece.tokens] for piece in pieces]


def pieces_from_json(stored: list[list[Any]]) -> tuple[Piece, ...]:
    return tuple(Piece(digest, tokens) for digest, tokens in stored)


def _negotiation(stored: dict[str, Any]) -> Negotiation:
    grants = tuple(Grant(**{**grant, "layer": Layer(grant["layer"])}) for grant in stored["grants"])
    trace = tuple(Step(**{**step, "event": Event(step["event"])}) for step in stored["trace"])
    return Negotiation(stored["budget"], stored["fixed"], grants, trace)


def _told(stored: list[dict[str, Any]]) -> tuple[SegmentText, ...]:
    return tuple(SegmentText(**{**told, "segment": Segment(**told["segment"])}) for told in stored)


def _keys(stored: dict[str, Any]) -> KeyMessages:
    return KeyMessages(stored["text"], tuple(stored["ids"]), tuple(stored["cut"]))
