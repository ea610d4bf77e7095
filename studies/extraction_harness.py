"""Harness of the extraction study: each conversation is imported, read for memories, and asked about."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from apps.accounts.actors import Actor
from apps.accounts.selectors import policy_for_workspace
from apps.common.tenancy import workspace
from apps.context.records import BuiltPack
from apps.context.services.embedded_queries import query_embed
from apps.context.services.packs import context_preview
from apps.conversations.records import MessageDraft
from apps.engine.pack.provider_formats import render_plain
from apps.extraction.models import ExtractionCandidate, Outcome
from apps.extraction.services.request import extraction_request
from apps.memory.models import MemConflict, MemNode
from apps.memory.records.search import SearchQuery
from apps.memory.selectors.search.find import find
from apps.memory.selectors.search.query_vectors import with_vector
from studies.engine.extraction_score import Labeled, Links, Stored
from studies.retrieval_harness import run_due_jobs
from studies.workspaces import alice, import_conversation

_STATES = {
    Outcome.CREATED: "accepted",
    Outcome.REPLACED: "accepted",
    Outcome.OUTDATED: "accepted",
    Outcome.PROPOSED: "proposed",
}
_FIRST = 3
_PACK_TOKENS = 4_000


@dataclass(frozen=True, slots=True)
class ReadConversation:
    """A labeled conversation after extraction; `node_ids` are those of the stored memories, in the same order."""

    labeled: Labeled
    actor: Actor
    id: UUID
    stored: Sequence[Stored]
    node_ids: Sequence[UUID | None]
    links: Links

    def first_hits(self, question: str) -> list[tuple[int, bool]]:
        """The positions of the stored memories among the first hits, and whether each shows what may replace it."""
        query = with_vector(self.actor, SearchQuery(question, top_k=_FIRST, corpus="memories"))
        with workspace(self.actor.workspace_id):
            hits = find(self.actor, query).hits
        return [(self.node_ids.index(hit.id), bool(hit.disputed_by)) for hit in hits if hit.id in self.node_ids]

    def pack(self, question: str) -> str:
        return render_plain(self.built_pack(self.id, question).pack)

    def built_pack(self, conversation_id: UUID, question: str) -> BuiltPack:
        """Build the pack that a conversation of the person would get for a question."""
        embedded = query_embed(self.actor, conversation_id, MessageDraft("user", question))
        with workspace(self.actor.workspace_id):
            return context_preview(self.actor, conversation_id, question, _PACK_TOKENS, embedded_query=embedded)[0]


def read_conversations(conversations: Sequence[Labeled]) -> list[ReadConversation]:
    """Import each conversation into a workspace of its own and make memories from it, as its owner would ask for it."""
    imported = [_imported(labeled) for labeled in conversations]
    run_due_jobs()
    for actor, conversation_id in imported:
        with workspace(actor.workspace_id):
            extraction_request(actor, conversation_id=conversation_id, policy=policy_for_workspace())
    run_due_jobs()
    return [_read(labeled, *one) for labeled, one in zip(conversations, imported, strict=True)]


def _imported(labeled: Labeled) -> tuple[Actor, UUID]:
    actor = alice(labeled.id)
    lines = "\n".join(json.dumps(message) for message in labeled.messages)
    return actor, import_conversation(actor, labeled.id, lines.encode())


def _read(labeled: Labeled, actor: Actor, conversation_id: UUID) -> ReadConversation:
    with workspace(actor.workspace_id):
        rows = ExtractionCandidate.objects.filter(conversation_id=conversation_id, outcome__in=_STATES)
        found = list(rows.select_related("message").order_by("message__index", "start"))
        node_ids = [row.node_id for row in found]
        links = _links(node_ids)
    return ReadConversation(labeled, actor, conversation_id, [_stored(row) for row in found], node_ids, links)


def _links(node_ids: Sequence[UUID | None]) -> Links:
    """What superseded what among some memories, and what may; by their positions."""
    places = {node_id: place for place, node_id in enumerate(node_ids) if node_id is not None}
    superseded = MemNode.objects.filter(pk__in=places, superseded_by__in=places).order_by("pk")
    disputed = MemConflict.objects.filter(earlier__in=places, later__in=places).order_by("pk")
    replaced = [(row.superseded_by_id, row.id) for row in superseded if row.superseded_by_id]
    questioned = [(row.later_id, row.earlier_id) for row in disputed]
    return Links(*([(places[later], places[earlier]) for later, earlier in pairs] for pairs in (replaced, questioned)))


def _stored(row: ExtractionCandidate) -> Stored:
    return Stored(row.message.index, row.start, row.end, row.category, _STATES[Outcome(row.outcome)])
