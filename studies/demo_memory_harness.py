"""Harness of the memory demo: one conversation imported, read, read again, and imported once more under other ids."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any
from uuid import UUID

from apps.accounts.actors import Actor
from apps.accounts.selectors import policy_for_workspace
from apps.common.tenancy import workspace
from apps.conversations.imports.formats import Source
from apps.conversations.models import Conversation, Message
from apps.engine.memory.categories import RELATIONAL_PROFILE, Category
from apps.extraction.models import ExtractionCandidate, Outcome, ReadPosition, RelationalEvidence
from apps.extraction.services.request import extraction_request
from apps.memory.models import MemNode, NodeType
from apps.memory.selectors.nodes import sources_of
from apps.turns.services.imports.batches import ImportRequest, conversation_import
from studies.retrieval_harness import run_due_jobs
from studies.workspaces import alice

_SAMPLES, _SOURCES = 3, 3
_SKIPPED = (Outcome.KNOWN, Outcome.REFUSED, Outcome.DELETED)


@dataclass(frozen=True, slots=True)
class MemoryReport:
    """`seconds` is from the import until everything is read, indexed and embedded."""

    messages: int
    nodes: int
    outcomes: Counter[str]
    superseded: int
    archives: int
    verbatim_quotes: float
    second_run_new_nodes: int
    reimport_new_nodes: float
    seconds: float
    samples: Sequence[dict[str, Any]]

    def numbers(self) -> dict[str, Any]:
        return {
            "messages": self.messages,
            "nodes": self.nodes,
            "merged": self.outcomes[Outcome.MERGED.value],
            "superseded": self.superseded,
            "skipped": sum(self.outcomes[one.value] for one in _SKIPPED),
            "proposed": self.outcomes[Outcome.PROPOSED.value],
            "session_archives": self.archives,
            "verbatim_quotes": self.verbatim_quotes,
            "second_run_new_nodes": self.second_run_new_nodes,
            "reimport_new_nodes": self.reimport_new_nodes,
            "nodes_per_message": round(self.nodes / self.messages, 4),
            "seconds": round(self.seconds, 1),
        }


def read_sample(sample: dict[str, Any]) -> MemoryReport:
    actor = alice("Memories")
    begin = time.perf_counter()
    conversation_id = _import(actor, sample, "")
    _read(actor, conversation_id)
    seconds = time.perf_counter() - begin
    first = set(_leaves(actor))
    numbers = _numbers_of(actor, conversation_id)
    with workspace(actor.workspace_id):
        ReadPosition.objects.update(next_index=0)
    _read(actor, conversation_id)
    second = set(_leaves(actor))
    _read(actor, _import(actor, sample, "again-"))
    third = set(_leaves(actor))
    return MemoryReport(
        nodes=len(first),
        second_run_new_nodes=len(second - first),
        reimport_new_nodes=round(len(third - second) / max(1, len(first)), 4),
        seconds=seconds,
        **numbers,
    )


def _import(actor: Actor, sample: dict[str, Any], prefix: str) -> UUID:
    """Import the conversation; with a prefix, under other ids."""
    named = {**sample, "sample_id": f"{prefix}{sample['sample_id']}"}
    request = ImportRequest(Source("sample.json"))
    with workspace(actor.workspace_id):
        known = set(Conversation.objects.values_list("pk", flat=True))
    file = BytesIO(json.dumps([named]).encode())
    conversation_import(actor, file=file, request=request, on_progress=lambda _: None)
    with workspace(actor.workspace_id):
        return Conversation.objects.exclude(pk__in=known).get().id


def _read(actor: Actor, conversation_id: UUID) -> None:
    with workspace(actor.workspace_id):
        extraction_request(actor, conversation_id=conversation_id, policy=policy_for_workspace())
    run_due_jobs()


def _leaves(actor: Actor) -> dict[UUID, MemNode]:
    """The memories, without archives of conversations."""
    with workspace(actor.workspace_id):
        rows = MemNode.objects.filter(node_type=NodeType.LEAF).exclude(category=Category.SESSION.value)
        return {row.id: row for row in rows.order_by("uri")}


def _numbers_of(actor: Actor, conversation_id: UUID) -> dict[str, Any]:
    leaves = _leaves(actor)
    with workspace(actor.workspace_id):
        quoted = _with_verbatim_quote(leaves)
        archives = MemNode.objects.filter(node_type=NodeType.LEAF, category=Category.SESSION.value)
        outcomes = ExtractionCandidate.objects.filter(conversation_id=conversation_id).values_list("outcome", flat=True)
        return {
            "messages": Message.objects.filter(conversation_id=conversation_id).count(),
            "outcomes": Counter(outcomes),
            "superseded": sum(row.superseded_by_id is not None for row in leaves.values()),
            "archives": archives.count(),
            "verbatim_quotes": round(len(quoted) / max(1, len(leaves)), 4),
            "samples": _samples(list(leaves.values())),
        }


def _with_verbatim_quote(leaves: dict[UUID, MemNode]) -> set[UUID]:
    """The memories with a source that has their quote word for word."""
    sources = {node_id: {one.reference for one in given} for node_id, given in sources_of(leaves).items()}
    quotes = [
        (row.node_id, str(row.message_id), row.message.content[row.start : row.end])
        for row in ExtractionCandidate.objects.filter(node_id__in=leaves).select_related("message")
    ]
    profile = next((row.id for row in leaves.values() if row.uri == RELATIONAL_PROFILE.text), None)
    texts = {str(row.id): row.content for row in Message.objects.all()}
    for one in RelationalEvidence.objects.all():
        message_id = str(one.message_id)
        quotes.append((profile, message_id, texts[message_id][one.start : one.end]))
    return {node_id for node_id, message_id, quote in quotes if node_id and quote and message_id in sources[node_id]}


def _samples(leaves: Sequence[MemNode]) -> list[dict[str, Any]]:
    """Memories spread over the tree, each with its first sources."""
    step = max(1, len(leaves) // _SAMPLES)
    chosen = leaves[::step][:_SAMPLES]
    sources = sources_of([row.id for row in chosen])
    return [{"uri": row.uri, "content": row.l2_content, "sources": _quoted(sources[row.id])} for row in chosen]


def _quoted(sources: Sequence[Any]) -> list[str]:
    rows = Message.objects.filter(pk__in=[one.reference for one in sources[:_SOURCES]]).order_by("index")
    return [f"{row.index}, {row.name}: {row.content}" for row in rows]
