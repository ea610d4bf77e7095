"""The end of a turn: store the reply and its usage, and request the jobs that are due."""

from __future__ import annotations

from dataclasses import replace

from apps.context.services.pack_accesses import record_memory_accesses
from apps.conversations.models import MessageStatus
from apps.conversations.services.events import turn_announce_end
from apps.conversations.services.replies import Ending, TurnLost, reply_close, reply_ending
from apps.llm.services.calibration import calibration_learn
from apps.llm.services.usage_ledger import usage_record
from apps.turns.records import Turn
from apps.turns.services.follow_up import jobs_schedule_if_due


def turn_end(turn: Turn, *, text: str, ending: Ending, reasoning: str = "") -> Ending:
    """Store the reply and its usage, request a compaction if due, and calibrate the token estimator. In a unit of work.

    Returns the stored ending, which differs from `ending` if the turn's lease was lost in the meantime.
    """
    try:
        written = reply_close(turn.lease, text=text, ending=ending, policy=turn.policy, reasoning=reasoning)
    except TurnLost:
        return _ended_before(turn, ending)
    jobs_schedule_if_due(conversation=written.conversation, policy=turn.policy)
    turn_announce_end(written)
    turn_account(turn)
    if ending.status is not MessageStatus.FAILED:
        record_memory_accesses(turn.pack)
    calibration_learn(pack=turn.pack, reports=turn.chosen.reports, policy=turn.policy)
    return ending


def turn_account(turn: Turn) -> None:
    """Store the usage of the turn's calls, which is charged even if the reply failed. Inside a unit of work."""
    lease = turn.lease
    usage_record(reports=turn.chosen.reports, conversation_id=lease.conversation_id, message_id=lease.reply_id)


def _ended_before(turn: Turn, ending: Ending) -> Ending:
    """Return the ending stored earlier: by an attempt whose commit was not confirmed, or by the orphan job."""
    stored = reply_ending(turn.lease)
    if stored == ending:
        return stored
    turn_account(turn)
    return replace(stored, error_code="turn_lost")
