"""Items of the inbox, the quotes they are based on, and decisions as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from apps.memory.records.tree import SourceRecord

LONGEST_LISTED = 10_000
"""Maximum characters of a memory's text in an item."""


class ItemKind(StrEnum):
    """A memory that waits for approval, or two memories in use that may contradict each other."""

    PROPOSAL = "proposal"
    CONTRADICTION = "contradiction"


class Verdict(StrEnum):
    """What a person can decide about an item."""

    APPROVE = "approve"
    EDIT = "edit"
    MERGE = "merge"
    REPLACE = "replace"
    BOTH = "keep_both"
    DECLINE = "decline"


class ScopeKind(StrEnum):
    """What memories come from: one message, a conversation, an import, or all results of a tool."""

    MESSAGE = "message"
    CONVERSATION = "conversation"
    IMPORT = "import"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class SourceScope:
    """`reference` is the id of a message or conversation, or the name of an import or a tool."""

    kind: ScopeKind
    reference: str


@dataclass(frozen=True, slots=True)
class InboxQuery:
    """Filters of the inbox. `source_kind` and `conversation_id` are about the sources of the later memory."""

    oldest_first: bool = False
    category: str = ""
    source_kind: str = ""
    conversation_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class QuoteRecord:
    """Words that a memory is based on.

    With `is_exact` they are the characters from `start` up to `end` of the message, otherwise its beginning. `speaker`
    is who said them from the owner's view, `rule` and `extractor` what found them.
    """

    message_id: UUID
    conversation_id: UUID
    conversation_title: str
    index: int
    role: str
    name: str
    speaker: str
    text: str
    is_exact: bool
    start: int = 0
    end: int = 0
    extractor: str = ""
    rule: str = ""
    source: str = ""
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class InboxMemory:
    """A memory of an item; `is_cut` if `content` is only its beginning."""

    id: UUID
    uri: str
    category: str
    abstract: str
    content: str
    is_cut: bool
    tags: tuple[str, ...]
    owner_id: UUID | None
    shared: bool
    trust: str
    arrival: str
    attribute: str
    value: str
    occurred_at: datetime
    valid_from: datetime | None
    version: int
    sources: tuple[SourceRecord, ...] = ()
    quotes: tuple[QuoteRecord, ...] = ()


@dataclass(frozen=True, slots=True)
class TrustStep:
    """A step of a memory's trust: its `speaker` or another `source`, its `extractor`, or the resulting `trust`."""

    step: str
    value: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class NearDuplicate:
    memory: InboxMemory
    similarity: float


@dataclass(frozen=True, slots=True)
class InboxItem:
    """`memory` waits, or is the later one of a contradiction; `replaces` are the memories in use that it may replace.

    `id` is the id of the proposed memory or of the conflict.
    """

    id: UUID
    kind: ItemKind
    memory: InboxMemory
    replaces: tuple[InboxMemory, ...]
    near_duplicates: tuple[NearDuplicate, ...]
    reason: str
    created_at: datetime

    @property
    def quote(self) -> QuoteRecord | None:
        """The newest words that the memory is based on."""
        return next(iter(self.memory.quotes), None)

    @property
    def trust_path(self) -> tuple[TrustStep, ...]:
        """Who said it, what found it, and the trust that follows."""
        quote, trust = self.quote, TrustStep("trust", self.memory.trust)
        if quote is None:
            return (*(TrustStep("source", source.kind) for source in self.memory.sources[:1]), trust)
        found = [TrustStep("extractor", quote.extractor)] if quote.extractor else []
        return (TrustStep("speaker", quote.speaker, quote.name), *found, trust)


@dataclass(frozen=True, slots=True)
class SkippedItem:
    """An item of a batch that could not be decided, with the code and the text of the error."""

    id: UUID
    code: str
    detail: str


@dataclass(frozen=True, slots=True)
class DecisionRecord:
    """The change that decided the items `ids`, None if there were none, and how many items wait now."""

    change_id: UUID | None
    ids: tuple[UUID, ...]
    skipped: tuple[SkippedItem, ...]
    waiting: int


@dataclass(frozen=True, slots=True)
class DecidedRecord:
    """A decision of the past; `memory_id` is its first memory, `count` the number of memories that it decided about."""

    change_id: UUID
    verdict: str
    memory_id: UUID
    uri: str
    text: str
    count: int
    actor_name: str
    decided_at: datetime
    undone: bool


@dataclass(frozen=True, slots=True)
class UndoneRecord:
    """The items that wait again after an undo."""

    ids: tuple[UUID, ...]
    waiting: int


@dataclass(frozen=True, slots=True)
class SourceEffect:
    """What taking a source out of use changes.

    `affected` memories leave use. `detached` ones only lose the source, because they have others. `restored` ones are
    current again, because what superseded them leaves use.
    """

    change_id: UUID | None
    affected: int
    detached: int
    restored: int
    waiting: int
