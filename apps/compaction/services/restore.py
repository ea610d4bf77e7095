"""Restoring versions of the rolling summary in an imported conversation, with the messages that they cover.

A version that a compaction stored brings its run back, so that it can be undone here too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from apps.compaction.models import CompactionRun, ConversationContext, RunState, SummaryVersion, VersionCause
from apps.compaction.services.events import compaction_announce
from apps.compaction.services.undo import versions_undo
from apps.compaction.services.versions import NewVersion, context_lock, context_refresh, covered_through, version_store
from apps.conversations.models import Conversation, Message
from apps.conversations.services.conversations import counters_refresh
from apps.engine.summary.carry_over import RemovedLine
from apps.engine.summary.rolling_summary import RollingSummary
from apps.events.types import CompactionUndone, ContextCompacted

_RUNS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class RestoredRun:
    """The compaction that stored a version elsewhere, with indexes of this conversation, and without what it cost.

    `base` is the number that the summary before it had there, 0 for none.
    """

    base: int
    trigger: str
    level: str
    at_index: int | None
    compacted_from: int | None
    compacted_through: int | None
    compacted_count: int
    tokens_before: int
    tokens_after: int
    preservation_ratio: float
    model: str
    created_at: datetime
    started_at: datetime
    finished_at: datetime


@dataclass(frozen=True, slots=True)
class RestoredVersion:
    """A version as it was elsewhere; `covers` are the first and last indexes of its runs of messages.

    `number` is the one that it had there, if the file says so.
    """

    summary: RollingSummary
    cause: VersionCause
    covers: Sequence[tuple[int, int]]
    removed: tuple[RemovedLine, ...]
    undone: bool
    created_at: datetime
    number: int | None = None
    run: RestoredRun | None = None


def summary_restore(conversation: Conversation, restored: RestoredVersion) -> bool:
    """Store the next version and mark what it covers, in one transaction. The caller has locked the conversation.

    A compaction that ran here since the messages were imported is undone: the restored version replaces it. Return
    False if the run cannot be restored, because the version to which its undo would return is not here.
    """
    context = context_lock(conversation)
    _undo_replaced(conversation, context, restored.number)
    new = NewVersion(restored.summary, restored.cause, _covers_through(conversation, restored), restored.removed)
    row = version_store(context, new)
    row.created_at, row.undone, row.exported_as = restored.created_at, restored.undone, restored.number
    row.save(update_fields=["created_at", "undone", "exported_as"])
    _mark(conversation, restored, row.version)
    counters_refresh(conversation)
    _count(context, restored)
    is_complete = restored.run is None or _run_store(row, restored.run)
    context_refresh(context, conversation)
    compaction_announce(ContextCompacted, conversation_id=conversation.id)
    return is_complete


def summary_undo_follow(conversation: Conversation, number: int) -> bool:
    """Undo a restored version that was undone where it came from; return whether it was in effect here.

    The caller has locked the conversation, and restores the version with the summary that followed.
    """
    rows = SummaryVersion.objects.filter(conversation=conversation, exported_as=number, undone=False)
    versions = list(rows.values_list("version", flat=True))
    if not versions:
        return False
    context = context_lock(conversation)
    versions_undo(conversation, context, versions)
    context_refresh(context, conversation)
    compaction_announce(CompactionUndone, conversation_id=conversation.id)
    return True


def _undo_replaced(conversation: Conversation, context: ConversationContext, number: int | None) -> None:
    """Undo what the version with this number replaces: compactions that ran here, and restored later versions.

    There are later ones if another file has the same conversation too; its versions cover messages that the summaries
    of this one do not.
    """
    versions = SummaryVersion.objects.filter(conversation=conversation, undone=False)
    restored = versions.filter(exported_as__isnull=False)
    runs = CompactionRun.objects.filter(conversation=conversation, state=RunState.SUCCEEDED, version__isnull=False)
    own = runs.exclude(version__in=restored.values("version")).values_list("version", flat=True)
    later = restored.filter(exported_as__gte=number).values_list("version", flat=True) if number else ()
    versions_undo(conversation, context, [version for version in {*own, *later} if version])


def _run_store(version: SummaryVersion, run: RestoredRun) -> bool:
    base = _base(version, run.base)
    if base is None:
        return False
    row = CompactionRun.objects.create(
        conversation_id=version.conversation_id,
        trigger=run.trigger,
        level=run.level,
        state=RunState.UNDONE if version.undone else RunState.SUCCEEDED,
        base_version=base,
        version=version.version,
        at_index=run.at_index,
        compacted_from=run.compacted_from,
        compacted_through=run.compacted_through,
        compacted_count=run.compacted_count,
        tokens_before=run.tokens_before,
        tokens_after=run.tokens_after,
        preservation_ratio=run.preservation_ratio,
        model=run.model,
        started_at=run.started_at,
        finished_at=run.finished_at,
    )
    CompactionRun.objects.filter(pk=row.pk).update(created_at=run.created_at)
    return True


def _base(version: SummaryVersion, exported_as: int) -> int | None:
    """The version here to which an undo returns; None if it was not restored."""
    if exported_as == 0:
        return 0
    earlier = SummaryVersion.objects.filter(conversation_id=version.conversation_id, version__lt=version.version)
    return earlier.filter(exported_as=exported_as).order_by("-version").values_list("version", flat=True).first()


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
