"""Memories of a batch: what is known already decides what each of them becomes, as with every extracted memory."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from apps.accounts.selectors import policy_for_workspace
from apps.agents.models import AgentSession
from apps.engine.memory.trust import Mode, Source, arrives, trust_of
from apps.memory.records.tree import SourceRecord
from apps.memory.services.bulk.learn import LearnedResult, memories_learn
from apps.memory.services.bulk.learned_draft import LearnedDraft
from apps.memory.services.tree.node_drafts import NodeDraft, Origin
from apps.transfer.formats.clean_text import PRIVATE
from apps.transfer.formats.items import MemoryItem
from apps.transfer.formats.mapping import memory_item_address
from apps.transfer.models import ImportStatus
from apps.transfer.services.imports.batch import Batch, NewMemory
from apps.transfer.services.imports.outcomes import CONFIRMED, NotImported, Outcome
from apps.transfer.services.imports.sessions import message_before

MADE_BY = "import"
REASON = "Imported from {source}"
STATES: Mapping[str, ImportStatus] = MappingProxyType(
    {
        "known": ImportStatus.EXISTING,
        "accepted": ImportStatus.EXISTING,
        "deleted": ImportStatus.SKIPPED,
        "refused": ImportStatus.REFUSED,
        "updated": ImportStatus.CREATED,
        "unchanged": ImportStatus.EXISTING,
    }
)
"""Of results that are not simply created."""
_REASONS: Mapping[str, str] = MappingProxyType(
    {"accepted": CONFIRMED, "known": "known_memory", "deleted": "deleted_memory", "refused": "address_taken"}
)


def store_of(batch: Batch) -> Source:
    """Whose memories a batch has: only a person can say that they are their own."""
    return Source.OWN_STORE if batch.confirmed else Source.OTHER_STORE


def memory_store(batch: Batch, outcome: Outcome, item: MemoryItem) -> None:
    if item.content in ("", PRIVATE):
        raise NotImported(ImportStatus.SKIPPED, "private")
    tags = tuple(dict.fromkeys(tag for tag in item.tags if tag))
    sources = (*_sources(batch, outcome, item), batch.own_source)
    address = memory_item_address(item)
    batch.memories.append(NewMemory(outcome, address, item.content, item.at, tags, sources, decides=True))


def _sources(batch: Batch, outcome: Outcome, item: MemoryItem) -> tuple[SourceRecord, ...]:
    """The last message that its session had when it was written, if the session is known."""
    if not item.session_id:
        return ()
    rows = AgentSession.objects.filter(user_id=batch.actor.user_id, client_session_id=item.session_id)
    if (session := rows.first()) is None:
        return ()
    outcome.session_id, outcome.conversation_id = session.id, session.conversation_id
    return message_before(session, item.at) if item.at else ()


def memories_write(batch: Batch) -> None:
    """Learn the memories of all items."""
    reason = REASON.format(source=batch.source.value)
    results = memories_learn(batch.actor, drafts=_drafts(batch), reason=reason)
    for memory, result in zip(batch.memories, results, strict=True):
        _note(memory, result)


def _drafts(batch: Batch) -> list[LearnedDraft]:
    mode = Mode(policy_for_workspace().memory_mode)
    store = store_of(batch)
    origin = Origin(trust_of(store), arrives(store, mode), by_model=False)
    return [_draft(memory, origin, confirms=batch.confirmed) for memory in batch.memories]


def _draft(memory: NewMemory, origin: Origin, *, confirms: bool) -> LearnedDraft:
    draft = NodeDraft(
        address=memory.address,
        content=memory.content,
        tags=memory.tags,
        occurred_at=memory.at,
        valid_from=memory.at,
        sources=memory.sources,
        numbered=True,
    )
    is_undated = memory.at is None
    return LearnedDraft(
        draft, origin, made_by=MADE_BY, quote=memory.content, is_undated=is_undated, confirms_import=confirms
    )


def _note(memory: NewMemory, result: LearnedResult) -> None:
    outcome = memory.outcome
    outcome.node_id = result.node_id
    # What is outdated and waits would be of no use, so it is not stored.
    state = "known" if result.state == "outdated" and result.node_id is None else result.state
    status = STATES.get(state)
    if memory.decides and status is not None:
        outcome.end(status, _REASONS[state])
    elif status is not None:
        outcome.reason = _REASONS[state]
    elif memory.decides and outcome.earlier is not None:
        outcome.end(ImportStatus.EXISTING, "updated")
