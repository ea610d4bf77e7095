"""Candidates of the context for a new session: what is known about its reader, read from a bounded number of rows."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

from django.utils import timezone

from apps.accounts.actors import Actor
from apps.compaction.selectors.session_archives import archive_address, recent_archives
from apps.context.already_read import NOTHING_READ, AlreadyRead
from apps.context.injection_records import InjectionSource
from apps.context.selectors.injection_candidates import CandidateReader, Listing
from apps.engine.memory.categories import PREFERENCES_OVERVIEW, RELATIONAL_PROFILE
from apps.engine.pack.injection_shares import Section
from apps.engine.policy import Policy
from apps.memory.models import MemNode, NodeType
from apps.memory.selectors.active_entities import active_entities, unused_entity_rows
from apps.memory.selectors.nodes import in_tree
from apps.memory.selectors.profile import MOST_READ, preference_rows, profile_rows, unused_profile_rows
from apps.memory.selectors.user_memory import user_memory_for_pack

MOST_ENTITIES = 20
_MOST_ARCHIVES = 30


def injection_sources(
    actor: Actor, policy: Policy, *, conversation_id: UUID | None = None, read: AlreadyRead = NOTHING_READ
) -> list[InjectionSource]:
    """Return the candidates, the best of a section first; `conversation_id` is the session's own conversation."""
    reader, owner_id = CandidateReader(policy, timezone.now(), read), actor.person_id
    return [
        *_profile(actor, reader),
        *_activity(owner_id, reader, conversation_id),
        *_entities(owner_id, reader),
    ]


def _profile(actor: Actor, reader: CandidateReader) -> Iterator[InjectionSource]:
    """What the person wrote first, then their preferences, then the other memories of the profile."""
    yield from reader.of_user_memory(user_memory_for_pack(actor, most=MOST_READ))
    overviews = in_tree(actor.person_id).filter(uri=PREFERENCES_OVERVIEW.text, node_type=NodeType.DIRECTORY)
    directory, preferences = next(iter(overviews), None), preference_rows(actor.person_id)
    yield from reader.of_listing(Listing(Section.PROFILE, PREFERENCES_OVERVIEW, directory, preferences, named=False))
    rows = (*profile_rows(actor.person_id), *unused_profile_rows(actor.person_id))
    yield from (reader.of_memory(_section(row), row) for row in rows)


def _section(row: MemNode) -> Section:
    return Section.COMMUNICATION if row.uri == RELATIONAL_PROFILE.text else Section.PROFILE


def _activity(owner_id: UUID, reader: CandidateReader, conversation_id: UUID | None) -> Iterator[InjectionSource]:
    """The archives of other conversations, newest first."""
    own = archive_address(conversation_id).text if conversation_id else ""
    for row in recent_archives(owner_id, most=_MOST_ARCHIVES):
        yield reader.of_memory(Section.ACTIVITY, row, dated=True, current=row.uri == own)


def _entities(owner_id: UUID, reader: CandidateReader) -> Iterator[InjectionSource]:
    """Folders of facts, or single memories at an entity's address."""
    for one in active_entities(owner_id, policy=reader.policy, now=reader.now, most=MOST_ENTITIES):
        facts = sorted(one.facts, key=lambda row: row.uri)
        if one.directory:
            yield from reader.of_listing(Listing(Section.ENTITIES, one.address, one.directory, facts))
        else:
            yield from (reader.of_memory(Section.ENTITIES, row) for row in facts)
    yield from (reader.of_memory(Section.ENTITIES, row) for row in unused_entity_rows(owner_id))
