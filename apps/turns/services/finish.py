"""The end of a turn: the reply as it is, what the call took, and what is due now."""

from __future__ import annotations

from dataclasses import replace

from apps.compaction.services.scheduling import compaction_schedule_if_due
from apps.context.services.pack_accesses import record_memory_accesses
from apps.conversations.models import MessageStatus
from apps.conversations.services.events import turn_announce_end
from apps.conversations.services.replies import Ending, TurnLost, reply_close, reply_ending
from apps.llm.services.calibration import calibration_learn
from apps.llm.services.usage_ledger import usage_record
from apps.memory.services.index.passages import messages_index_schedule
from apps.turns.records import Turn


def turn_end(turn: Turn, *, text: str, ending: Ending) -> Ending:
    """Store the reply and the ledger, ask for a compaction where one is due, learn how the provider counts. In a unit.

    How the reply ends: otherwise than told where the turn was taken from its owner meanwhile.
    """
    try:
        written = reply_close(turn.lease, text=text, ending=ending, policy=turn.policy)
    except TurnLost:
        return _ended_before(turn, ending)
    compaction_schedule_if_due(conversation=written.conversation, policy=turn.policy)
    messages_index_schedule(written.conversation)
    turn_announce_end(written)
    turn_account(turn)
    if ending.status is not MessageStatus.FAILED:
        record_memory_accesses(turn.pack)
    calibration_learn(pack=turn.pack, reports=turn.chosen.reports, policy=turn.policy)
    return ending


def turn_account(turn: Turn) -> None:
    """Store what the turn's calls took, which was paid for whatever became of the reply. Inside a unit."""
    lease = turn.lease
    usage_record(reports=turn.chosen.reports, conversation_id=lease.conversation_id, message_id=lease.reply_id)


def _ended_before(turn: Turn, ending: Ending) -> Ending:
    """Either an earlier try was stored, only its answer did not reach us; or somebody thought the owner dead."""
    stored = reply_ending(turn.lease)
    if stored == ending:
        return stored
    turn_account(turn)
    return replace(stored, error_code="turn_lost")
