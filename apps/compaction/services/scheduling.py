"""Scheduling of compactions: automatic ones that are due, and requested ones."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.utils import timezone

from apps.common.models import columns_of
from apps.common.reads import fetch_model
from apps.common.tenancy import current_workspace_id
from apps.compaction.models import CompactionRun, RunState, Trigger
from apps.compaction.selectors.compaction_window import newest_window
from apps.compaction.selectors.contexts import paused_below
from apps.compaction.services.archive.scheduling import session_archive_schedule
from apps.compaction.services.segments import segments_schedule_if_due
from apps.conversations.models import Conversation
from apps.engine.compaction.plan import is_due, rests
from apps.engine.policy import Policy
from apps.extraction.services.scheduling import extraction_schedule_if_due
from apps.jobs.services import Priority, job_request

KIND = "compaction"
_WAITING = f"""
SELECT {columns_of(CompactionRun, "run")} FROM compaction_compactionrun AS run
WHERE workspace_id = %(workspace)s AND conversation_id = %(conversation)s
    AND trigger = '{Trigger.MANUAL.value}' AND state = '{RunState.QUEUED.value}'
ORDER BY id LIMIT 1
"""  # noqa: S608  # the inserted text is the names of columns and two constants


def compaction_schedule_if_due(*, conversation: Conversation, policy: Policy, at_once: bool = False) -> bool:
    """Schedule an automatic compaction if one is due; called whenever a message is stored.

    So are the closing of segments and the archive. `at_once` omits the debounce: for what one run left to the next.
    """
    segments_schedule_if_due(conversation=conversation, policy=policy)
    session_archive_schedule(conversation, policy)
    requested = requested_run(conversation.id) is not None
    if not (requested or is_wanted(conversation, policy)):
        return False
    # Messages are read before a summary replaces them, while all that was said around them is in the window.
    extraction_schedule_if_due(conversation=conversation, policy=policy, at_once=True)
    now = timezone.now()
    debounce = 0 if requested or at_once else policy.compaction_debounce_s
    job_request(
        workspace_id=current_workspace_id(),
        kind=KIND,
        key=str(conversation.id),
        due_at=now + timedelta(seconds=debounce),
        deadline_at=now + timedelta(seconds=policy.compaction_max_wait_s),
        priority=Priority.PERSON if requested else Priority.AFTER_TURN,
    )
    return True


def is_wanted(conversation: Conversation, policy: Policy) -> bool:
    """Whether it is due by the policy and not paused by an undo. Below the first threshold no message is read."""
    if conversation.live_tokens < policy.light_compaction_threshold:
        return False
    if not is_due(newest_window(conversation, policy), policy):
        return False
    return not rests(conversation.live_tokens, paused_below(conversation.id))


def requested_run(conversation_id: UUID) -> CompactionRun | None:
    return fetch_model(CompactionRun, _WAITING, conversation=conversation_id)
