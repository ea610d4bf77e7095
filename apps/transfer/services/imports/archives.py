"""Archives of imported sessions, `mem://sessions/<id>/summary`, from the summaries that another memory tool made."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from uuid import UUID

from apps.accounts.selectors import policy_for_workspace
from apps.agents.models import AgentSession, Observation, ObservationKind
from apps.compaction.selectors.session_archives import archive_address, archive_is_allowed, archive_rows
from apps.conversations.models import Conversation
from apps.engine.memory.trust import Source, lowest, trust_of
from apps.memory.models import Operation, SourceKind
from apps.memory.records.tree import SourceRecord
from apps.memory.services.derived_leaves import DerivedLeaf, derived_leaf_write, written_by_person
from apps.memory.services.tree.change_sets import Cause
from apps.transfer.formats.mapping import summary_text
from apps.transfer.services.imports.batch import Batch, NewSummary
from apps.transfer.services.imports.memories import store_of

_MOST_SUMMARIES = 100
_LONGEST = 100_000
_REASON = "Imported from {source}"


def archives_write(batch: Batch) -> None:
    """Compile the archives of the sessions that got summaries. The caller has locked the tree."""
    by_session: dict[UUID, list[NewSummary]] = defaultdict(list)
    for new in batch.summaries:
        by_session[new.session.id].append(new)
    for summaries in by_session.values():
        _write(batch, summaries[0].session, summaries)
        row = archive_rows(summaries[0].session.conversation).first()
        for new in summaries:
            new.outcome.node_id, new.outcome.address = (row.id, row.uri) if row else (None, "")


def _write(batch: Batch, session: AgentSession, new: Sequence[NewSummary]) -> None:
    """Write it unless a person did: an import counts as the person's, so that no program compiles it again."""
    conversation = session.conversation
    rows = _summaries(session)
    before = _compiled(row for row in rows if row.id not in {one.observation.id for one in new})
    if not archive_is_allowed(conversation, policy_for_workspace()) or _is_edited(conversation, before):
        return
    sources = [SourceRecord(SourceKind.HOOK.value, str(row.id)) for row in rows]
    leaf = DerivedLeaf(
        address=archive_address(conversation.id),
        content=_compiled(rows),
        sources=[*sources, batch.own_source],
        occurred_at=session.last_event_at,
        trust=lowest([trust_of(Source.ASSISTANT), trust_of(store_of(batch))]),
    )
    reason = _REASON.format(source=batch.source.value)
    derived_leaf_write(conversation.owner_id, leaf, Cause(Operation.IMPORT, batch.actor.user_id, reason))


def _summaries(session: AgentSession) -> list[Observation]:
    rows = Observation.objects.filter(session=session, kind=ObservationKind.SUMMARY)
    return list(rows.order_by("-occurred_at", "-id")[:_MOST_SUMMARIES])[::-1]


def _compiled(rows: Iterable[Observation]) -> str:
    return "\n\n".join(summary_text(row.details.get("texts", {})) for row in rows)[-_LONGEST:]


def _is_edited(conversation: Conversation, before: str) -> bool:
    row = archive_rows(conversation).first()
    return row is not None and row.l2_content not in ("", before) and written_by_person(row)
