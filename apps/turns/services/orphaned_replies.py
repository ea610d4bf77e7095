"""Orphaned replies, whose writer died: store the text written so far, and release the turn."""

from __future__ import annotations

from uuid import UUID

from apps.accounts.selectors import policy_for_workspace
from apps.common.tenancy import workspace
from apps.conversations.models import Conversation
from apps.conversations.selectors.access import conversation_lock
from apps.conversations.services.events import turn_announce_end
from apps.conversations.services.replies import reply_abandoned, turn_runs
from apps.jobs.services import Lease, RescheduleJob
from apps.turns.services.follow_up import jobs_schedule_if_due

_LOOK_AGAIN_S = 5


def turn_watch(lease: Lease) -> None:
    """End the conversation's reply if it is orphaned; reschedule while it is being written."""
    with workspace(lease.workspace_id):
        conversation = conversation_lock(UUID(lease.key))
        if turn_runs(conversation):
            raise RescheduleJob(_LOOK_AGAIN_S)
        turn_release(conversation)


def turn_release(conversation: Conversation) -> None:
    """End an orphaned reply, if there is one. The caller must have locked the conversation's row."""
    reply_id = conversation.turn_reply
    if reply_id is None or turn_runs(conversation):
        return
    policy = policy_for_workspace()
    written = reply_abandoned(conversation=conversation, reply_id=reply_id, policy=policy)
    jobs_schedule_if_due(conversation=conversation, policy=policy)
    turn_announce_end(written)
