"""The sample's summary in two versions, written by hand: the second one replaces a decision of the first."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

from apps.compaction.models import Trigger
from apps.compaction.selectors.contexts import context_state
from apps.compaction.services.prepared import PreparedSummary, prepared_summary_store
from apps.conversations.selectors.access import conversation_lock
from apps.engine.summary.carry_over import Notes, RemovalReason, removed_line
from apps.engine.summary.rolling_summary import RollingSummary, summary_from_json

AUTHOR = "written for this sample"
_FILE = Path(__file__).resolve().parents[2] / "demo" / "booking_service_summaries.json"


def summaries_fill(conversation_id: UUID, message_ids: Sequence[UUID]) -> None:
    """Store the versions, unless the conversation has a summary already. `message_ids` are all, in order."""
    conversation = conversation_lock(conversation_id)
    if context_state(conversation_id).version:
        return
    for prepared in _prepared(json.loads(_FILE.read_text(encoding="utf-8")), [str(one) for one in message_ids]):
        prepared_summary_store(conversation, prepared)


def _prepared(versions: Sequence[dict[str, Any]], ids: Sequence[str]) -> Iterator[PreparedSummary]:
    """Messages are numbered from 1 in the file."""
    before = RollingSummary()
    for version in versions:
        summary = summary_from_json(_with_ids(version["summary"], ids))
        lines = set(summary.entries())
        removed = tuple(
            removed_line(field, entry, RemovalReason.SUPERSEDED, (ids[version["superseded_by"] - 1],))
            for field, entry in before.entries()
            if (field, entry) not in lines
        )
        yield PreparedSummary(Notes(summary, removed), version["through"] - 1, Trigger(version["trigger"]), AUTHOR)
        before = summary


def _with_ids(summary: dict[str, Any], ids: Sequence[str]) -> dict[str, Any]:
    """Replace the numbers of messages by their ids."""
    for lines in summary.values():
        for line in lines.values() if isinstance(lines, dict) else lines:
            line["sources"] = [ids[number - 1] for number in line["sources"]]
    return summary
