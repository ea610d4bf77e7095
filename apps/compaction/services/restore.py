"""Restoring versions of the rolling summary in an imported conversation, with the messages that they cover.

A version that a compaction stored brings its run back, so that it can be undone here too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from django.db.models import Q

from apps.accounts.selectors import policy_for_workspace
from apps.compaction.models import CompactionRun, ConversationContext, RunState, SummaryVersion, VersionCause
from apps.compaction.records import RunFigures
from apps.compaction.services.events import compaction_announce
from apps.compaction.services.undo import summary_return, versions_since, versions_undo
from apps.compaction.services.versions import (
    NewVersion,
    context_lock,
    context_refresh,
    context_rest,
    covered_through,
    version_store,
)
from apps.conversations.models import Conversation, Message
from apps.conversations.services.conversations import counters_refresh
from apps.engine.summary.carry_over import RemovedLine
from apps.engine.summary.corrections import with_corrections
from apps.engine.summary.rolling_summary import RollingSummary, summary_from_json
from apps.events.types import ContextCompacted

_RUNS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class RestoredRun:
    """The compaction that stored a version elsewhere, with indexes of this conversation.

    `base` is the number that the summary before it had there, 0 for none.
    """

    base: int
    figures: RunFigures
    at_index: int | None
    compacted_from: int | None
    compacted_through: int | None


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
    summary = _with_own_corrections(conversation, context, restored.summary)
    new = NewVersion(summary, restored.cause, _covers_through(conversation, restored), restored.removed)
    row = version_store(context, new)
    row.created_at, row.undone, row.exported_as = restored.created_at, restored.undone, restored.number
    row.save(update_fields=["created_at", "undone", "exported_as"])
    _mark(conversation, restored, row.version)
    counters_refresh(conversation)
    _follow(context, conversation, restored)
    is_complete = restored.run is None or _run_store(row, restored.run)
    context_refresh(context, conversation)
    compaction_announce(ContextCompacted, conversation_id=conversation.id)
    return is_complete


def summary_undo_follow(conversation: Conversation, number: int) -> bool:
    """Undo a restored version that was undone where it came from; return whether it was in effect here.

    The summary before it holds again, until a version of the file follows. The caller has locked the conversation.
    """
    rows = SummaryVersion.objects.filter(conversation=conversation, exported_as=number, undone=False)
    first = rows.order_by("version").values_list("version", flat=True).first()
    if first is None:
        return False
    context, base = context_lock(conversation), first - 1
    versions_undo(conversation, context, versions_since(conversation.id, base))
    summary_return(conversation, context, base, policy_for_workspace())
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


def _with_own_corrections(
    conversation: Conversation, context: ConversationContext, restored: RollingSummary
) -> RollingSummary:
    """The restored summary; what a person corrected here since the last restored version stays corrected."""
    versions = SummaryVersion.objects.filter(conversation=conversation)
    last = versions.filter(exported_as__isnull=False).order_by("-version").values_list("version", flat=True).first()
    own = versions.filter(exported_as__isnull=True, cause=VersionCause.CORRECTION, version__gt=last or 0)
    if not own.exists():
        return restored
    return with_corrections(restored, summary_from_json(context.rolling_summary), policy_for_workspace())


def _run_store(version: SummaryVersion, run: RestoredRun) -> bool:
    base = _base(version, run.base)
    if base is None:
        return False
    row = CompactionRun.objects.create(
        conversation_id=version.conversation_id,
        state=RunState.UNDONE if version.undone else RunState.SUCCEEDED,
        base_version=base,
        version=version.version,
        at_index=run.at_index,
        compacted_from=run.compacted_from,
        compacted_through=run.compacted_through,
        **asdict(run.figures),
    )
    # Creating it has set another one.
    CompactionRun.objects.filter(pk=row.pk).update(created_at=run.figures.created_at)
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


def _follow(context: ConversationContext, conversation: Conversation, restored: RestoredVersion) -> None:
    """Count a compaction, which ends a pause; pause automatic compaction after an undo."""
    if restored.cause == VersionCause.UNDO:
        context_rest(context, conversation, policy_for_workspace())
    elif restored.cause == VersionCause.COMPACTION and not restored.undone:
        context.last_compaction_at, context.paused_below = restored.created_at, None
        context.compaction_count += 1
        context.save(update_fields=["last_compaction_at", "paused_below", "compaction_count"])
