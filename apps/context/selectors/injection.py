"""Candidates of the context for a new session: what is known about its reader, read from a bounded number of rows."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from uuid import UUID

from django.utils import timezone

from apps.accounts.actors import Actor
from apps.compaction.selectors.session_archives import archive_address, recent_archives
from apps.context.injection_records import InjectionSource
from apps.context.selectors.injection_candidates import CandidateReader, Listing, of_user_memory
from apps.engine.memory.categories import PREFERENCES_OVERVIEW, RELATIONAL_PROFILE
from apps.engine.pack.injection_shares import Section
from apps.engine.policy import Policy
from apps.memory.models import MemNode, NodeType
from apps.memory.selectors.active_entities import ActiveEntity, active_entities
from apps.memory.selectors.listings import PREFERENCES_ROOT
from apps.memory.selectors.nodes import at_or_below, in_tree, unused_leaves
from apps.memory.selectors.profile import MOST_READ, PROFILE_ROOT, preference_rows, profile_rows
from apps.memory.selectors.user_memory import user_memory_for_pack

MOST_ENTITIES = 20
_MOST_ARCHIVES = 30


def injection_sources(actor: Actor, policy: Policy, *, conversation_id: UUID | None = None) -> list[InjectionSource]:
    """Return the candidates, the best of a section first; `conversation_id` is the session's own conversation."""
    reader, owner_id = CandidateReader(policy, timezone.now()), actor.person_id
    entities = active_entities(owner_id, policy=policy, now=reader.now, most=MOST_ENTITIES)
    return [
        *_profile(actor, reader),
        *_activity(owner_id, reader, conversation_id),
        *chain.from_iterable(_entity(reader, entity) for entity in entities),
    ]


def _profile(actor: Actor, reader: CandidateReader) -> Iterator[InjectionSource]:
    """What the person wrote first, then their preferences, then the other memories of the profile."""
    yield from of_user_memory(user_memory_for_pack(actor, most=MOST_READ))
    directory = in_tree(actor.person_id).filter(uri=PREFERENCES_OVERVIEW.text, node_type=NodeType.DIRECTORY).first()
    preferences = preference_rows(actor.person_id)
    yield from reader.of_listing(Listing(Section.PROFILE, PREFERENCES_OVERVIEW, directory, preferences, named=False))
    rows = profile_rows(actor.person_id)
    unused = (
        unused_leaves(actor.person_id)
        .filter(at_or_below(PROFILE_ROOT) | at_or_below(PREFERENCES_ROOT))
        .order_by("-id")[:MOST_READ]
    )
    yield from (reader.of_memory(_section(row), row) for row in (*rows, *unused))


def _section(row: MemNode) -> Section:
    return Section.COMMUNICATION if row.uri == RELATIONAL_PROFILE.text else Section.PROFILE


def _activity(owner_id: UUID, reader: CandidateReader, conversation_id: UUID | None) -> Iterator[InjectionSource]:
    """The archives of other conversations, newest first."""
    own = archive_address(conversation_id).text if conversation_id else ""
    for row in recent_archives(owner_id, most=_MOST_ARCHIVES):
        yield reader.of_memory(Section.ACTIVITY, row, dated=True, current=row.uri == own)


def _entity(reader: CandidateReader, entity: ActiveEntity) -> Iterator[InjectionSource]:
    """A folder of facts, or a single memory at an entity's address."""
    if entity.directory and entity.directory.node_type == NodeType.DIRECTORY:
        facts = sorted(entity.facts, key=lambda row: row.uri)
        yield from reader.of_listing(Listing(Section.ENTITIES, entity.address, entity.directory, facts))
    else:
        yield from (reader.of_memory(Section.ENTITIES, row) for row in entity.facts)
    yield from (reader.of_memory(Section.ENTITIES, row) for row in entity.unused)
