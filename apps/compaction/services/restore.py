"""Restoring versions of the rolling summary in an imported conversation, with the messages that they cover."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from apps.compaction.models import CompactionRun, ConversationContext, RunState, SummaryVersion, VersionCause
from apps.compaction.services.events import summary_announce
from apps.compaction.services.versions import NewVersion, context_lock, context_refresh, covered_through, version_store
from apps.conversations.models import Conversation, Message
from apps.conversations.services.conversations import counters_refresh
from apps.conversations.services.messages import messages_restore
from apps.engine.summary.carry_over import RemovedLine
from apps.engine.summary.rolling_summary import RollingSummary

_RUNS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class RestoredVersion:
    """A version as it was elsewhere; `covers` are the first and last indexes of its runs of messages."""

    summary: RollingSummary
    cause: VersionCause
    covers: Sequence[tuple[int, int]]
    removed: tuple[RemovedLine, ...]
    undone: bool
    created_at: datetime


def summary_restore(conversation: Conversation, restored: RestoredVersion) -> SummaryVersion:
    """Store the next version and mark what it covers, in one transaction. The caller has locked the conversation.

    A compaction that ran here since the messages were imported is undone: the restored version replaces it.
    """
    context = context_lock(conversation)
    _undo_runs(conversation)
    new = NewVersion(restored.summary, restored.cause, _covers_through(conversation, restored), restored.removed)
    row = version_store(context, new)
    row.created_at, row.undone = restored.created_at, restored.undone
    row.save(update_fields=["created_at", "undone"])
    _mark(conversation, restored, row.version)
    counters_refresh(conversation)
    _count(context, restored)
    context_refresh(context, conversation)
    summary_announce(conversation_id=conversation.id)
    return row


def _undo_runs(conversation: Conversation) -> None:
    runs = CompactionRun.objects.filter(conversation=conversation, state=RunState.SUCCEEDED, version__isnull=False)
    for version in [version for version in runs.values_list("version", flat=True) if version]:
        messages_restore(conversation=conversation, version=version)
        SummaryVersion.objects.filter(conversation=conversation, version=version).update(undone=True)
    runs.update(state=RunState.UNDONE)


def _covers_through(conversation: Conversation, restored: RestoredVersion) -> int | None:
    before = covered_through(conversation.id)
    last = [last for _, last in restored.covers]
    return max([*last, *(() if before is None else (before,))], default=None)


def _mark(conversation: Conversation, restored: RestoredVersion, version: int) -> None:
    if not restored.covers or restored.undone:
        return
    live = Message.objects.filter(conversation=conversation, compacted_in__isnull=True)
    runs = joined_runs(restored.covers)
    for start in range(0, len(runs), _RUNS_AT_ONCE):
        some = runs[start : start + _RUNS_AT_ONCE]
        covered = Q(*(Q(index__range=run) for run in some), _connector=Q.OR)
        live.filter(covered).update(compacted_in=version)


def joined_runs(runs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The same indexes in as few runs as possible.

    >>> joined_runs([(4, 5), (0, 1), (2, 2), (5, 7)])
    [(0, 2), (4, 7)]
    """
    joined: list[tuple[int, int]] = []
    for first, last in sorted(runs):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(joined[-1][1], last))
        else:
            joined.append((first, last))
    return joined


def _count(context: ConversationContext, restored: RestoredVersion) -> None:
    if restored.cause == VersionCause.COMPACTION and not restored.undone:
        context.last_compaction_at = restored.created_at
        context.compaction_count += 1
        context.save(update_fields=["last_compaction_at", "compaction_count"])
