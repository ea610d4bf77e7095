"""Memories and conversations to search, and their indexing jobs, run in the test's process."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.memory.addresses import Address
from apps.jobs.services import claim_named, run_job
from apps.memory.models import Passage
from apps.memory.records.search import SearchQuery, SearchResult
from apps.memory.records.tree import NodeRecord
from apps.memory.selectors.search.find import find
from apps.memory.selectors.search.query_vectors import with_vector
from apps.memory.services.index.embedding_job import KEY
from apps.memory.services.index.embedding_job import KIND as VECTORS
from apps.memory.services.index.passages import KIND as MESSAGES
from apps.memory.services.tree.create import node_create
from apps.memory.services.tree.node_drafts import NodeDraft


def remember(actor: Actor, uri: str, content: str, **more: object) -> NodeRecord:
    with workspace(actor.workspace_id):
        return node_create(actor, draft=NodeDraft(Address(uri), content, **more))  # type: ignore[arg-type]  # its fields


def run_named(actor: Actor, kind: str, key: str) -> bool:
    """Run the job if it is due; return whether it was."""
    claim = claim_named(workspace_id=actor.workspace_id, kind=kind, key=key)
    if claim is not None:
        run_job(claim.job_id, claim.token)
    return claim is not None


def make_vectors(actor: Actor) -> None:
    run_named(actor, VECTORS, KEY)


def waiting(actor: Actor) -> bool:
    """Return whether a passage has no vector yet."""
    with workspace(actor.workspace_id):
        return Passage.objects.filter(wanted_at__isnull=False).exists()


def index(actor: Actor, conversation_id: UUID) -> None:
    """Index and embed the messages of a conversation."""
    run_named(actor, MESSAGES, str(conversation_id))
    make_vectors(actor)


def look(actor: Actor, query: str, **filters: object) -> SearchResult:
    ready = with_vector(actor, SearchQuery(query, **filters))  # type: ignore[arg-type]  # its fields
    with workspace(actor.workspace_id):
        return find(actor, ready)


def found_uris(actor: Actor, query: str, **filters: object) -> list[str]:
    return [hit.uri for hit in look(actor, query, **filters).hits]


def passages_of(actor: Actor, bank: UUID) -> list[Passage]:
    with workspace(actor.workspace_id):
        return list(Passage.objects.filter(bank=bank).order_by("place", "id"))


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)
