"""The memories in a person's profile, and their preferences."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.selectors import policy_for_workspace
from apps.engine.memory.categories import RELATIONAL_PROFILE, RULES, Category
from apps.engine.summary.rendering import MemoryItem
from apps.memory.models import MemNode
from apps.memory.records.tree import NodeRecord, node_record
from apps.memory.selectors.listings import MOST_PREFERENCES, PREFERENCES_ROOT
from apps.memory.selectors.nodes import at_or_below, current_leaves, sources_of
from apps.memory.selectors.user_memory import user_memory_for_pack

PROFILE_ROOT = RULES[Category.PROFILE].root
MOST_READ = 100
"""Maximum number of memories of the profile, and of items of user memory."""


@dataclass(frozen=True, slots=True)
class ProfileRecord:
    user_memory: list[MemoryItem]
    memories: list[NodeRecord]


def profile_rows(owner_id: UUID) -> list[MemNode]:
    """Return the memories of a profile that hold now: ways of communicating first, then those used last."""
    rows = current_leaves(owner_id).filter(at_or_below(PROFILE_ROOT)).order_by("-last_access", "uri")[:MOST_READ]
    return sorted(rows, key=lambda row: row.uri != RELATIONAL_PROFILE.text)


def preference_rows(owner_id: UUID) -> list[MemNode]:
    """Return the preferences that hold now, newest first."""
    rows = current_leaves(owner_id).filter(at_or_below(PREFERENCES_ROOT))
    return list(rows.order_by("-occurred_at", "-id")[:MOST_PREFERENCES])


def profile_get(actor: Actor) -> ProfileRecord:
    """Return the actor's active user memory, and the memories of their profile with their sources."""
    rows, policy, now = profile_rows(actor.person_id), policy_for_workspace(), timezone.now()
    sources = sources_of([row.id for row in rows])
    nodes = [node_record(row, policy=policy, now=now, sources=sources.get(row.id, ())) for row in rows]
    return ProfileRecord(user_memory_for_pack(actor, most=MOST_READ), nodes)
