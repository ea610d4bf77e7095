"""Records of the context for a new session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from apps.conversations.selectors.audience import Audience
from apps.engine.pack.injection import Candidate, Injection
from apps.memory.records.tree import SourceRecord


class InjectedKind(StrEnum):
    MEMORY = "memory"
    USER_MEMORY = "user_memory"


@dataclass(frozen=True, slots=True)
class InjectionSource:
    """A candidate and the memories that its text comes from: itself, or those that a folder lists.

    `uri` is empty for user memory.
    """

    candidate: Candidate
    uri: str = ""
    memory_ids: tuple[UUID, ...] = ()

    @property
    def kind(self) -> InjectedKind:
        return InjectedKind.MEMORY if self.uri else InjectedKind.USER_MEMORY


@dataclass(frozen=True, slots=True)
class SessionContext:
    """The context for a session of a conversation, or for a new one.

    It is empty with the engine disabled, and where the audience allows no private memories.

    `by_id` are its candidates' sources, `origins` what the injected memories come from, by memory.
    """

    conversation_id: UUID | None
    engine_enabled: bool
    audience: Audience
    token_budget: int
    max_bytes: int | None
    injection: Injection
    by_id: Mapping[str, InjectionSource]
    origins: Mapping[UUID, Sequence[SourceRecord]]

    @property
    def memory_count(self) -> int:
        """Number of memories in the text; an item without memories of the tree is one of user memory."""
        return sum(len(self.by_id[item.candidate.id].memory_ids) or 1 for item in self.injection.items)
