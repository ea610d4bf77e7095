"""Summary by the engine, with the reader's judgments of what people say."""

from __future__ import annotations

from collections.abc import Sequence

import structlog

from apps.engine.messages.message import Message
from apps.engine.policy import Level, Policy
from apps.engine.summary.by_reader.judge import Judge
from apps.engine.summary.by_reader.sentence_reads import sentence_reads, sentences_to_read
from apps.engine.summary.extractive import summarize
from apps.engine.summary.rolling_summary import RollingSummary
from apps.llm.errors import ModelError
from apps.llm.reading.installed import ended_chances, read_messages

_MOST_SENTENCES = 1_000
"""What is read in one run, in about ten seconds; the engine judges what is beyond it by its words."""
_log = structlog.get_logger("continuity.compaction")


def summarize_with_reader(
    current: RollingSummary, messages: Sequence[Message], level: Level, policy: Policy
) -> RollingSummary:
    """Summarize without a model; by the words alone if the reader cannot be loaded."""
    asked = sentences_to_read(current, messages)[:_MOST_SENTENCES]
    try:
        reads = sentence_reads(asked, read_messages(asked))
        return summarize(current, messages, level, policy, Judge(reads, ended_chances))
    except ModelError as error:
        _log.warning("compaction.no_reader", detail=error.detail)
        return summarize(current, messages, level, policy)
