"""Harness of the pairs: each is told by a person of its own in two chats, and its question is asked in a third."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from apps.accounts.actors import Actor
from apps.accounts.models import Workspace
from apps.common.tenancy import workspace
from apps.context.services.embedded_queries import query_embed
from apps.context.services.packs import context_preview
from apps.conversations.models import Message
from apps.conversations.records import MessageDraft
from apps.conversations.services.conversations import conversation_create
from apps.inbox.selectors.open_items import current
from apps.memory.models import MemNode, MemSource, NodeType
from apps.memory.records.search import SearchQuery
from apps.memory.selectors.search.find import find
from apps.memory.selectors.search.query_vectors import with_vector
from apps.turns.services.messages import messages_store
from studies.retrieval_harness import run_due_jobs
from studies.updates.pairs import CHANGING
from studies.workspaces import member

_NOW = datetime(2026, 6, 1, 9, tzinfo=UTC)
_PACK_TOKENS, _FIRST = 4_000, 3


@dataclass(frozen=True, slots=True)
class PairResult:
    """What became of a pair. `states` are the statements of both messages with whether they are current."""

    pair: Mapping[str, Any]
    old: Sequence[tuple[str, bool]]
    new: Sequence[tuple[str, bool]]
    is_stale: bool

    @property
    def states(self) -> str:
        return ", ".join(f"{text!r}{'' if holds else ' (not current)'}" for text, holds in (*self.old, *self.new))

    @property
    def is_unread(self) -> bool:
        """Whether neither message made a memory."""
        return not (self.old or self.new)

    @property
    def has_question(self) -> bool:
        """Whether an outdated word must not be in what is found."""
        return bool(self.pair["stale"])

    @property
    def is_right(self) -> bool:
        if self.pair["relation"] not in CHANGING:
            return all(holds for _, holds in (*self.old, *self.new))
        is_new = any(holds for _, holds in self.new) or self.pair["relation"] == "ends"
        return is_new and not any(holds for _, holds in self.old)


def results_of(pairs: Sequence[Mapping[str, Any]]) -> Iterator[PairResult]:
    """Let each person say the earlier message, and days later the other one; then ask."""
    place = Workspace.objects.create(name="Pairs")
    actors = [member(place, f"pair{number}") for number in range(len(pairs))]
    for name in ("old", "new"):
        for actor, pair in zip(actors, pairs, strict=True):
            _say(actor, pair[name], _NOW - timedelta(days=pair["days"] if name == "old" else 0))
        run_due_jobs()
    for actor, pair in zip(actors, pairs, strict=True):
        yield _result(actor, pair)


def _say(actor: Actor, text: str, at: datetime) -> None:
    with workspace(actor.workspace_id):
        chat = conversation_create(actor, title="A chat").id
        messages_store(actor, conversation_id=chat, drafts=[MessageDraft("user", text, created_at=at)])


def _result(actor: Actor, pair: Mapping[str, Any]) -> PairResult:
    with workspace(actor.workspace_id):
        old, new = (list(_statements(actor, pair[name])) for name in ("old", "new"))
    return PairResult(pair, old, new, bool(pair["stale"]) and _is_stale(actor, pair))


def _statements(actor: Actor, text: str) -> Iterator[tuple[str, bool]]:
    """The memories of a message with this text, and whether each is current."""
    leaves = MemNode.objects.filter(owner_id=actor.person_id, node_type=NodeType.LEAF, arrival="accepted")
    valid = set(leaves.filter(current(), archived_at=None).values_list("id", flat=True))
    sources = MemSource.objects.filter(kind="message", node__in=leaves)
    said = {str(one) for one in Message.objects.filter(content=text).values_list("id", flat=True)}
    for source in sources.select_related("node"):
        if source.reference in said:
            yield source.node.l2_content, source.node_id in valid


def _is_stale(actor: Actor, pair: Mapping[str, Any]) -> bool:
    """Whether the outdated word stands in what is found, or in a pack, as if it held."""
    question = pair["question"]
    query = with_vector(actor, SearchQuery(question, top_k=_FIRST, corpus="memories"))
    with workspace(actor.workspace_id):
        found = [hit.abstract for hit in find(actor, query).hits]
        chat = conversation_create(actor, title="Asked").id
    embedded = query_embed(actor, chat, MessageDraft("user", question))
    with workspace(actor.workspace_id):
        pack = context_preview(actor, chat, question, _PACK_TOKENS, embedded_query=embedded)[0].pack
    lasting = [one.text for one in (*pack.identity, *pack.preference_memories)]
    shown = [*found, *lasting, *(one.text for one in pack.retrieved if not one.correction)]
    return any(_states(text, pair["stale"]) and not _states(text, pair["current"]) for text in shown)


def _states(text: str, word: str) -> bool:
    return bool(word) and word.casefold() in text.casefold()
