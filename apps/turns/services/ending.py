"""The end of a turn: the reply as it is, what the call took, and what is due now."""

from __future__ import annotations

from collections.abc import Sequence

from apps.compaction.services.scheduling import compaction_want
from apps.conversations.services.announcing import turn_announce_end
from apps.conversations.services.replies import Ending, reply_close
from apps.llm.providers.metered import CallReport
from apps.llm.services import usage_record
from apps.turns.services.beginning import Turn


def turn_end(turn: Turn, *, text: str, ending: Ending, reports: Sequence[CallReport]) -> None:
    """Store the reply and the ledger, and ask for a compaction where one is due. Inside a unit."""
    conversation = reply_close(turn.hold, text=text, ending=ending, policy=turn.policy)
    usage_record(reports=reports, conversation_id=conversation.id)
    compaction_want(conversation=conversation, policy=turn.policy)
    turn_announce_end(conversation_id=conversation.id, reply_id=turn.hold.reply_id)
