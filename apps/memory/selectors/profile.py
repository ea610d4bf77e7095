"""The memories in a person's profile, and their preferences."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import F, QuerySet
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.selectors import policy_for_workspace
from apps.engine.memory.categories import RELATIONAL_PROFILE, RULES, Category
from apps.engine.memory.decay import relevance_at
from apps.engine.memory.trust import Trust, is_inferred
from apps.engine.summary.rendering import MemoryItem
from apps.memory.models import MemNode
from apps.memory.records.tree import SourceRecord, strength_of
from apps.memory.selectors.listings import MOST_PREFERENCES, PREFERENCES_ROOT
from apps.memory.selectors.nodes import at_or_below, current_leaves, sources_of, unused_leaves
from apps.memory.selectors.user_memory import user_memory_for_pack

PROFILE_ROOT = RULES[Category.PROFILE].root
MOST_READ = 100
"""Maximum number of memories of the profile, and of items of user memory."""


@dataclass(frozen=True, slots=True)
class ProfileMemory:
    """A memory of the profile; `relevance` is as of the time of reading."""

    id: UUID
    uri: str
    abstract: str
    overview: str
    trust: str
    inferred: bool
    relevance: float
    occurred_at: datetime
    updated_at: datetime
    sources: tuple[SourceRecord, ...]


@dataclass(frozen=True, slots=True)
class ProfileRecord:
    user_memory: list[MemoryItem]
    memories: list[ProfileMemory]


def profile_rows(owner_id: UUID) -> list[MemNode]:
    """Return the memories of a profile that hold now: ways of communicating first, then those used last."""
    rows = current_leaves(owner_id).filter(at_or_below(PROFILE_ROOT)).defer("l2_content")
    others = rows.exclude(uri=RELATIONAL_PROFILE.text).order_by(F("last_access").desc(nulls_last=True), "uri")
    return [*rows.filter(uri=RELATIONAL_PROFILE.text), *others[:MOST_READ]]


def preference_rows(owner_id: UUID) -> list[MemNode]:
    """Return the preferences that hold now, newest first."""
    rows = current_leaves(owner_id).filter(at_or_below(PREFERENCES_ROOT)).defer("l2_content")
    return list(rows.order_by("-occurred_at", "-id")[:MOST_PREFERENCES])


def unused_profile_rows(owner_id: UUID) -> QuerySet[MemNode]:
    """Select memories of the profile and preferences that wait or have ended, newest first."""
    rows = unused_leaves(owner_id).filter(at_or_below(PROFILE_ROOT) | at_or_below(PREFERENCES_ROOT))
    return rows.defer("l2_content").order_by("-occurred_at", "uri")[:MOST_READ]


def profile_get(actor: Actor) -> ProfileRecord:
    """Return the actor's active user memory, and the memories of their profile with their sources."""
    rows = profile_rows(actor.person_id)
    return ProfileRecord(user_memory_for_pack(actor, most=MOST_READ), _memories(rows))


def _memories(rows: list[MemNode]) -> list[ProfileMemory]:
    sources, policy, now = sources_of([row.id for row in rows]), policy_for_workspace(), timezone.now().timestamp()
    return [
        ProfileMemory(
            id=row.id,
            uri=row.uri,
            abstract=row.l0_abstract,
            overview=row.l1_overview,
            trust=row.trust,
            inferred=is_inferred(Trust(row.trust)),
            relevance=relevance_at(strength_of(row), now, policy),
            occurred_at=row.occurred_at,
            updated_at=row.updated_at,
            sources=sources.get(row.id, ()),
        )
        for row in rows
    ]
