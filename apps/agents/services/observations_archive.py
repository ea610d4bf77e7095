"""The archive of a session's observations in its owner's tree: `mem://sessions/<id>/observations`.

It is compiled again when the session pauses, ends, or loses a message. It holds what tools returned, so its trust is
low: no pack shows it.
"""

from __future__ import annotations

from uuid import UUID

from apps.accounts.selectors import policy_for_workspace
from apps.agents.selectors.observations import observations_compiled
from apps.agents.selectors.sessions import session_of_conversation
from apps.common.tenancy import workspace
from apps.compaction.selectors.session_archives import (
    OBSERVATIONS,
    archive_address,
    archive_is_allowed,
    archive_parts,
    archive_trust,
)
from apps.conversations.models import Conversation
from apps.conversations.selectors.access import conversation_lock
from apps.engine.extraction.sessions.observations import Seen, observations_overview
from apps.engine.extraction.titles import public_title
from apps.engine.memory.trust import Source
from apps.jobs.services import Lease, lease_fence
from apps.memory.models import Operation, SourceKind
from apps.memory.records.tree import SourceRecord
from apps.memory.services.derived_leaves import DerivedLeaf, derived_leaf_delete, derived_leaf_write, is_final
from apps.memory.services.tree.change_sets import Cause

MADE_BY = "agent-observations-1"
_MOST_SOURCES = 100
_REASON = "The session went on."


def observations_archive_run(lease: Lease) -> None:
    """Compile the archive of the session whose conversation the job's key names."""
    with workspace(lease.workspace_id):
        session = session_of_conversation(UUID(lease.key))
        if session is None:
            return
        conversation = conversation_lock(session.conversation_id)
        lease_fence(lease)
        observations_archive_write(conversation, observations_compiled(session))


def observations_archive_write(conversation: Conversation, observations: list[Seen]) -> None:
    """Write the archive, or delete it if nothing is left; none is made where no memories are.

    One that a person wrote or archived stays as it is. The caller has locked the conversation.
    """
    address = archive_address(conversation.id, OBSERVATIONS)
    row = archive_parts(conversation).filter(uri=address.text).first()
    if not archive_is_allowed(conversation, policy_for_workspace()) or (row is not None and is_final(row)):
        return
    text = observations_overview(public_title(conversation.title), observations)
    if not text:
        derived_leaf_delete(conversation.owner_id, address)
        return
    ids = dict.fromkeys(one.message_id for one in observations if one.message_id)
    sources = [SourceRecord(SourceKind.MESSAGE.value, one) for one in list(ids)[-_MOST_SOURCES:]]
    leaf = DerivedLeaf(
        address=address,
        content=text,
        sources=sources or [SourceRecord(SourceKind.PERSON.value, str(conversation.owner_id))],
        occurred_at=conversation.active_at,
        trust=archive_trust(conversation, Source.TOOL),
    )
    derived_leaf_write(conversation.owner_id, leaf, Cause(Operation.EDIT, None, _REASON, MADE_BY))
