"""Harness of the update study: each history is told by a person of its own, read for memories, and asked about."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from io import BytesIO

from apps.accounts.actors import Actor
from apps.accounts.models import Workspace
from apps.accounts.selectors import policy_for_workspace
from apps.common.tenancy import workspace
from apps.context.services.embedded_queries import query_embed
from apps.context.services.packs import context_preview
from apps.conversations.imports.formats import Source
from apps.conversations.models import Conversation
from apps.conversations.records import MessageDraft
from apps.extraction.services.request import extraction_request
from apps.memory.models import MemNode, MemRevision, MemSource, NodeType, Operation
from apps.memory.records.search import SearchQuery
from apps.memory.selectors.search.find import find
from apps.memory.selectors.search.query_vectors import with_vector
from apps.memory.services.tree.undo.change_undo import change_undo
from apps.turns.services.imports.batches import ImportRequest, conversation_import
from studies.engine.update_histories import History
from studies.retrieval_harness import run_due_jobs
from studies.workspaces import member

_BEGIN = datetime(2026, 1, 5, 9, tzinfo=UTC)
_BETWEEN = timedelta(days=20)
_PACK_TOKENS = 4_000


@dataclass(frozen=True, slots=True)
class HistoryResult:
    """What became of one history; `periods` counts the reads of the past, of which `right` gave the value of then."""

    history: History
    is_stale: bool
    others: int
    superseded_others: int
    periods: int
    right: int
    is_restored: bool


def read_histories(histories: Sequence[History]) -> Iterator[HistoryResult]:
    """Let each person tell their history, one import after the other, and ask about it."""
    place = Workspace.objects.create(name="Updates")
    actors = [member(place, f"person{number}") for number in range(len(histories))]
    imports = [_imports(history) for history in histories]
    for stage in range(max(map(len, imports))):
        for actor, parts in zip(actors, imports, strict=True):
            if stage < len(parts):
                _tell(actor, f"{actor.user_id}-{stage}", parts[stage])
        run_due_jobs()
    for actor, history in zip(actors, histories, strict=True):
        yield _result(actor, history)


def _imports(history: History) -> list[list[str]]:
    """The statements in order, as lines of one conversation or of one for each."""
    words = [[history.statements[0], *history.others], *([one] for one in history.statements[1:])]
    parts = [[_line(text, place) for text in texts] for place, texts in enumerate(words)]
    return [[line for part in parts for line in part]] if history.in_one_conversation else parts


def _tell(actor: Actor, name: str, lines: Sequence[str]) -> None:
    """Import a conversation, and request memories from it."""
    request = ImportRequest(Source(name))
    conversation_import(actor, file=BytesIO("\n".join(lines).encode()), request=request, on_progress=lambda _: None)
    with workspace(actor.workspace_id):
        conversation_id = Conversation.objects.filter(owner_id=actor.user_id).latest("created_at").id
        extraction_request(actor, conversation_id=conversation_id, policy=policy_for_workspace())


def _line(text: str, place: int) -> str:
    return json.dumps({"role": "user", "content": text, "created_at": (_BEGIN + place * _BETWEEN).isoformat()})


def _result(actor: Actor, history: History) -> HistoryResult:
    right = [_right_as_of(actor, history, place) for place in range(len(history.values))]
    is_stale = _is_stale(actor, history)
    with workspace(actor.workspace_id):
        others = [row for text in history.others for row in _stating(actor, text)]
        return HistoryResult(
            history=history,
            is_stale=is_stale,
            others=len(others),
            superseded_others=sum(row.superseded_by_id is not None for row in others),
            periods=len(right),
            right=sum(right),
            is_restored=_is_restored(actor, history),
        )


def _stating(actor: Actor, text: str) -> list[MemNode]:
    """The memories made from a message with this text."""
    named = MemSource.objects.filter(kind="message", node__owner_id=actor.user_id, node__node_type=NodeType.LEAF)
    return [one.node for one in named.select_related("node") if one.node.l2_content.rstrip(".") in text]


def _is_stale(actor: Actor, history: History) -> bool:
    """Whether the pack of a new conversation gives an old value as a memory, without what replaced it."""
    with workspace(actor.workspace_id):
        conversation = Conversation.objects.create(owner_id=actor.user_id)
    asked = history.question
    embedded = query_embed(actor, conversation.id, MessageDraft("user", asked))
    with workspace(actor.workspace_id):
        pack = context_preview(actor, conversation.id, asked, _PACK_TOKENS, embedded_query=embedded)[0].pack
    current = history.values[-1]
    return any(
        _gives(one.text, history.values[:-1]) and current not in one.text and not one.correction
        for one in pack.retrieved
    )


def _right_as_of(actor: Actor, history: History, place: int) -> bool:
    """Whether a search as of that time gives the value of then, and no other as one that held."""
    moment = _BEGIN + place * _BETWEEN + _BETWEEN / 2
    query = with_vector(actor, SearchQuery(history.question, as_of=moment))
    with workspace(actor.workspace_id):
        hits = find(actor, query).hits
    told = [hit.abstract for hit in hits]
    later = history.values[place + 1 :]
    earlier = history.values[:place]
    is_found = any(history.values[place] in text for text in told)
    is_other = any(_gives(text, (*earlier, *later)) and history.values[place] not in text for text in told)
    return is_found and not is_other


def _is_restored(actor: Actor, history: History) -> bool:
    """Whether one undo of the last update brings back the value before it."""
    last = MemRevision.objects.filter(node__owner_id=actor.user_id, operation=Operation.SUPERSEDE, number=1)
    revision = last.order_by("created_at", "id").last()
    if revision is None:
        return False
    change_undo(actor, node_id=revision.node_id, change_id=revision.change)
    leaves = MemNode.objects.filter(owner_id=actor.user_id, node_type=NodeType.LEAF, arrival="accepted")
    current = list(leaves.filter(valid_to=None, archived_at=None).values_list("l2_content", flat=True))
    before, undone = history.values[-2:]
    is_back = any(before in text for text in current)
    return is_back and not any(undone in text and before not in text for text in current)


def _gives(text: str, values: Sequence[str]) -> bool:
    return any(value in text for value in values)
