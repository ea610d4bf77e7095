"""The archive of a conversation in its owner's tree: `mem://sessions/<id>/summary`, compiled again when it changes.

A conversation that is temporary or makes no memories gets none. One that had an archive when memories were switched off
keeps it; it only loses words of messages that are excluded or deleted later. Searches do not find it, because they find
the messages themselves. It contains what assistants wrote, so its trust is low: no pack shows it, and the context for a
new session quotes it as data.
"""

from __future__ import annotations

from uuid import UUID

from apps.accounts.selectors import policy_for_workspace
from apps.common.tenancy import workspace
from apps.compaction.selectors.session_archives import (
    OBSERVATIONS,
    SUMMARY,
    archive_address,
    archive_is_allowed,
    archive_rows,
    archive_trust,
)
from apps.compaction.selectors.session_material import session_material
from apps.conversations.models import Conversation
from apps.conversations.selectors.access import conversation_lock
from apps.engine.extraction.sessions.overview import SessionOverview
from apps.engine.memory.trust import Source
from apps.jobs.services import Lease, RescheduleJob, lease_fence
from apps.memory.models import Operation, SourceKind
from apps.memory.records.tree import SourceRecord
from apps.memory.services.derived_leaves import (
    DerivedLeaf,
    derived_leaf_delete,
    derived_leaf_write,
    is_final,
)
from apps.memory.services.tree.change_sets import Cause

MADE_BY = "session-archive-1"
_AGAIN_S = 2
_MOST_SOURCES = 100
_REASON = "The conversation went on."


def session_archive_run(lease: Lease) -> None:
    """Write the archive of the conversation that the job's key names, or try again if it goes on at that moment."""
    conversation_id = UUID(lease.key)
    with workspace(lease.workspace_id):
        policy = policy_for_workspace()
        material = session_material(conversation_id, policy)
    if material is None:
        return
    overview = material.overview(policy)
    with workspace(lease.workspace_id):
        conversation = conversation_lock(conversation_id)
        lease_fence(lease)
        if conversation.state_version != material.state_version:
            raise RescheduleJob(_AGAIN_S)
        session_archive_refresh(conversation, overview)


def session_archive_refresh(conversation: Conversation, overview: SessionOverview) -> None:
    """Store the overview, unless it is stored already or a person wrote another one; an empty one deletes it.

    While no memories are made, no new archive is. The caller has locked the conversation.
    """
    row = archive_rows(conversation).first()
    if not archive_is_allowed(conversation, policy_for_workspace()) or (row is not None and is_final(row)):
        return
    if not overview.text:
        derived_leaf_delete(conversation.owner_id, archive_address(conversation.id))
        return
    sources = [SourceRecord(SourceKind.MESSAGE.value, one) for one in overview.message_ids[-_MOST_SOURCES:]]
    leaf = DerivedLeaf(
        address=archive_address(conversation.id),
        content=overview.text,
        sources=sources or [SourceRecord(SourceKind.PERSON.value, str(conversation.owner_id))],
        occurred_at=conversation.active_at,
        trust=archive_trust(conversation, Source.ASSISTANT),
    )
    operation = Operation.EDIT if row else Operation.CREATE
    derived_leaf_write(conversation.owner_id, leaf, Cause(operation, None, _REASON, MADE_BY))


def session_archive_delete(conversation: Conversation) -> None:
    """Delete the archive with its history, which holds words of the conversation."""
    for name in (SUMMARY, OBSERVATIONS):
        derived_leaf_delete(conversation.owner_id, archive_address(conversation.id, name))
