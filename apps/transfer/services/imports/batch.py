"""A batch of items while it is stored: conversations that grow, and memories that are written at its end together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from apps.accounts.actors import Actor
from apps.agents.models import AgentSession, Observation
from apps.conversations.records import MessageDraft
from apps.conversations.services.messages import Appended
from apps.engine.memory.addresses import Address
from apps.memory.models import SourceKind
from apps.memory.records.tree import SourceRecord
from apps.memory.services.bulk.restore import NodeState
from apps.transfer.formats.fields import Fields
from apps.transfer.formats.items import ImportSource
from apps.transfer.formats.own_items import NodeConflictItem, NodeHistoryItem
from apps.transfer.models import ImportStatus
from apps.transfer.services.imports.outcomes import Outcome
from apps.transfer.services.imports.recorded import RecordedMessages
from apps.transfer.services.imports.sessions import Sessions
from apps.turns.services.imports.append import messages_import, messages_import_announce

_INTO_CONVERSATIONS = frozenset({"prompt", "transcript", "conversation"})
"""The kinds of items that become messages."""


@dataclass(frozen=True, slots=True)
class NewMemory:
    """A memory to learn, and the outcome that it belongs to."""

    outcome: Outcome
    address: Address
    content: str
    at: datetime | None
    tags: tuple[str, ...] = ()
    sources: tuple[SourceRecord, ...] = ()
    decides: bool = False
    """Whether the memory is all that the item becomes, so that its fate is the item's."""


@dataclass(frozen=True, slots=True)
class NewNode:
    """A memory of our own export, and what it had beside its content, if the file says so.

    `archive_of` is the conversation whose archive it is, with what a person wrote into it.
    """

    outcome: Outcome
    node: Fields
    state: NodeState | None
    archive_of: UUID | None = None


@dataclass(frozen=True, slots=True)
class NewSummary:
    outcome: Outcome
    session: AgentSession
    observation: Observation


@dataclass(frozen=True, slots=True)
class BatchState:
    """How much a batch consisted of at one time."""

    memories: int
    nodes: int
    links: int
    summaries: int
    sessions: frozenset[str]
    grown: dict[UUID, tuple[int | None, int | None]]


@dataclass
class Batch:
    """What the items of one request add up to. `confirmed`: a person says that what is imported is their own."""

    actor: Actor
    source: ImportSource
    import_id: UUID
    confirmed: bool = False
    memories: list[NewMemory] = field(default_factory=list)
    nodes: list[NewNode] = field(default_factory=list)
    links: list[tuple[Outcome, NodeHistoryItem | NodeConflictItem]] = field(default_factory=list)
    """What links memories of our own export, once all of this batch are written."""
    summaries: list[NewSummary] = field(default_factory=list)
    conversations: set[UUID] = field(default_factory=set)
    """Conversations of our own export that this batch created."""
    own_conversations: set[UUID] = field(default_factory=set)
    prompts: set[str] = field(default_factory=set)
    """The names of the prompts that this batch stored."""
    _grown: dict[UUID, tuple[int | None, int | None]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.sessions = Sessions(self.actor)
        self.recorded = RecordedMessages()

    @property
    def own_source(self) -> SourceRecord:
        """The import itself, as a source of memories."""
        return SourceRecord(SourceKind.IMPORT.value, str(self.import_id))

    def state(self) -> BatchState:
        counts = (len(self.memories), len(self.nodes), len(self.links), len(self.summaries))
        return BatchState(*counts, self.sessions.known(), dict(self._grown))

    def restore(self, state: BatchState) -> None:
        """Return to a state after an item failed."""
        del self.memories[state.memories :], self.nodes[state.nodes :]
        del self.links[state.links :], self.summaries[state.summaries :]
        self.sessions.forget_others(state.sessions)
        self._grown = dict(state.grown)

    def append(self, conversation_id: UUID, drafts: Sequence[MessageDraft]) -> Appended:
        """Store messages; they are announced at the end of the batch."""
        appended = messages_import(self.actor, conversation_id=conversation_id, drafts=drafts, confirmed=self.confirmed)
        if appended.stored:
            first, _ = self._grown.get(conversation_id, (None, None))
            start = appended.first_index if first is None else first
            self._grown[conversation_id] = (start, appended.last_index)
        return appended

    def note_confirmed(self, item: Any, outcome: Outcome) -> None:
        """Note that an item's conversation is the person's own, unless our own export says otherwise."""
        is_here = outcome.status in (ImportStatus.CREATED, ImportStatus.EXISTING)
        if self.confirmed and is_here and outcome.kind in _INTO_CONVERSATIONS and item.get("confirmed") is not False:
            self.own_conversations |= {outcome.conversation_id} if outcome.conversation_id else set()

    def finish(self) -> None:
        """Save the sessions, and request the jobs and events of all conversations that grew."""
        self.sessions.save()
        for conversation_id, (first, last) in self._grown.items():
            messages_import_announce(conversation_id=conversation_id, first_index=first, last_index=last)
