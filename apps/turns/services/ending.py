"""The end of a turn: the reply as it is, what the call took, and what is due now."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from apps.accounts.selectors import policy_for_workspace
from apps.common.tenancy import workspace
from apps.compaction.services.scheduling import compaction_want
from apps.conversations.models import Conversation
from apps.conversations.selectors.access import conversation_lock
from apps.conversations.services.announcing import turn_announce_end
from apps.conversations.services.replies import Ending, reply_abandoned, reply_close, turn_runs
from apps.jobs.services import Later, Lease
from apps.llm.providers.metered import CallReport
from apps.llm.services import usage_record
from apps.turns.services.beginning import Turn

_LOOK_AGAIN_S = 5


def turn_end(turn: Turn, *, text: str, ending: Ending, reports: Sequence[CallReport]) -> None:
    """Store the reply and the ledger, and ask for a compaction where one is due. Inside a unit."""
    conversation_id = turn.hold.conversation_id
    reply_close(turn.hold, text=text, ending=ending, policy=turn.policy)
    usage_record(reports=reports, conversation_id=conversation_id)
    compaction_want(conversation_id=conversation_id, policy=turn.policy)
    turn_announce_end(conversation_id=conversation_id, reply_id=turn.hold.reply_id)


def turn_watch(lease: Lease) -> None:
    """Give back a turn whose owner has died, and keep what it had written."""
    conversation_id = UUID(lease.key)
    with workspace(lease.workspace_id):
        conversation = conversation_lock(conversation_id)
        if turn_runs(conversation):
            raise Later(_LOOK_AGAIN_S)
        _give_back(lease.workspace_id, conversation)


def _give_back(workspace_id: UUID, conversation: Conversation) -> None:
    reply_id, policy = conversation.turn_reply, policy_for_workspace()
    if reply_id is not None and reply_abandoned(conversation=conversation, policy=policy):
        compaction_want(conversation_id=conversation.id, policy=policy)
        turn_announce_end(conversation_id=conversation.id, reply_id=reply_id)
