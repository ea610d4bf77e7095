"""Harness of the acceptance study: conversations and memories in the running product, without any model."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from uuid import UUID

from apps.accounts.actors import Actor
from apps.accounts.selectors import policy_for_workspace
from apps.common.tenancy import workspace
from apps.compaction.selectors.contexts import context_state
from apps.compaction.services.request import compaction_request
from apps.context.services.embedded_queries import query_embed
from apps.context.services.packs import context_preview
from apps.conversations.models import Message
from apps.conversations.records import MessageDraft, engine_messages
from apps.engine.messages.message import Message as EngineMessage
from apps.engine.messages.message import Role as Speaker
from apps.engine.pack.builder import window_pack
from apps.engine.pack.context_pack import PackSources
from apps.engine.pack.provider_formats import render_plain
from apps.engine.policy import Level, Policy
from apps.engine.summary.rendering import entry_text
from apps.engine.summary.rolling_summary import RollingSummary
from apps.engine.tokens.estimate import estimate_message
from apps.memory.records.search import SearchQuery
from apps.memory.selectors.search.find import find
from apps.memory.selectors.search.query_vectors import with_vector
from apps.memory.services.search.tree_search import memories_search
from studies.engine.retention import Fact, FindRetention, PackRetention, SummaryLine
from studies.retrieval_harness import memories_store, run_due_jobs
from studies.workspaces import alice, import_conversation

_TOP_K = 10


@dataclass(frozen=True, slots=True)
class Pack:
    text: str
    tokens: int


@dataclass(frozen=True)
class PlantedConversation:
    """A conversation with planted facts, alone in its workspace, compacted and indexed."""

    actor: Actor
    id: UUID
    facts: Sequence[Fact]

    @cached_property
    def messages(self) -> Sequence[EngineMessage]:
        with workspace(self.actor.workspace_id):
            return engine_messages(Message.objects.filter(conversation_id=self.id).order_by("index"))

    @cached_property
    def tokens(self) -> int:
        return sum(message.token_count for message in self.messages)

    def summary_lines(self) -> list[SummaryLine]:
        places = {message.id: message.index for message in self.messages}
        with workspace(self.actor.workspace_id):
            summary = context_state(self.id).summary
        return [
            SummaryLine(name, entry_text(entry), frozenset(places[source] for source in entry.sources))
            for name, entry in summary.entries()
        ]

    def note_packs(self, budget: int, packs: PackRetention) -> None:
        """Build the pack for each fact's question, and the plain window of the newest messages."""
        for fact in self.facts:
            pack = self._pack(fact.question, budget)
            packs.note(fact, pack.text, self._window(fact.question, budget))
            if self.tokens >= budget:
                packs.fills.append(pack.tokens / budget)

    def _pack(self, question: str, budget: int) -> Pack:
        embedded = query_embed(self.actor, self.id, MessageDraft("user", question))
        with workspace(self.actor.workspace_id):
            built, _, _ = context_preview(self.actor, self.id, question, budget, embedded_query=embedded)
        return Pack(render_plain(built.pack), sum(built.tokens.values()))

    def _window(self, question: str, budget: int) -> str:
        asked = [EngineMessage("", len(self.messages), Speaker.USER, question, estimate_message(question))]
        sources = PackSources("", (), (), RollingSummary(), (*self.messages, *(asked if question else ())))
        return render_plain(window_pack(sources, budget, Policy()))


def planted_conversations(folder: Path) -> Iterator[PlantedConversation]:
    """Import each conversation of the folder and fold all but its newest messages, as a person would ask for it."""
    for path in sorted(folder.glob("*.facts.json")):
        name = path.name.removesuffix(".facts.json")
        facts = [Fact.parse(raw) for raw in json.loads(path.read_text())]
        print(f"{name}: {len(facts)} facts", file=sys.stderr)
        actor, file = alice(name), folder / f"{name}.jsonl"
        conversation_id = import_conversation(actor, file.name, file.read_bytes())
        run_due_jobs()
        _compact(actor, conversation_id)
        yield PlantedConversation(actor, conversation_id, facts)


def memory_ranks(folder: Path) -> tuple[FindRetention, FindRetention]:
    """Store the memories of the folder in one workspace, and ask for each: the ranks by `find` and by `search`."""
    by_find, by_search, actor = FindRetention(), FindRetention(), alice("memories")
    memories = json.loads((folder / "memories.json").read_text())
    ids = memories_store(actor, memories)
    for memory, memory_id in zip(memories, ids, strict=True):
        query = SearchQuery(memory["question"], top_k=_TOP_K, corpus="memories")
        ready = with_vector(actor, query)
        with workspace(actor.workspace_id):
            found = [str(hit.id) for hit in find(actor, ready).hits]
        searched = [str(one.hit.id) for one in memories_search(actor, query=query).hits]
        by_find.note(memory["kind"], str(memory_id), found)
        by_search.note(memory["kind"], str(memory_id), searched)
    return by_find, by_search


def _compact(actor: Actor, conversation_id: UUID) -> None:
    with workspace(actor.workspace_id):
        policy = policy_for_workspace()
        compaction_request(actor, conversation_id=conversation_id, level=Level.LIGHT, policy=policy)
    run_due_jobs()
