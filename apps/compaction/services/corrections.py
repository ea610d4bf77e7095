"""Correcting the summary by hand. What a person wrote is a version like every other, and no later one overwrites it."""

from __future__ import annotations

from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.errors import Conflict, ContinuityError, Unprocessable
from apps.common.versions import require_version
from apps.compaction.models import ConversationContext, SummaryVersion, VersionCause
from apps.compaction.records import SummaryRecord, summary_record
from apps.compaction.selectors.contexts import excluded_among, lines_dropped, summary_at
from apps.compaction.services.events import summary_announce
from apps.compaction.services.versions import (
    NewVersion,
    context_lock,
    context_refresh,
    covered_through,
    version_store,
)
from apps.conversations.models import Conversation
from apps.conversations.selectors.access import conversation_lock_for_write
from apps.engine.policy import Policy
from apps.engine.summary.corrections import Correction, CorrectionRefused, corrected
from apps.engine.summary.rolling_summary import RollingSummary, summary_from_json, without_sources


def summary_correct(
    actor: Actor, *, conversation_id: UUID, correction: Correction, version: int | None, policy: Policy
) -> SummaryRecord:
    """Write, add or take out a line of the given version; raises `Stale` when there is a newer one."""
    conversation, context = _held(actor, conversation_id, version)
    limit = policy.field_limit(correction.field)
    try:
        summary = corrected(summary_from_json(context.rolling_summary), correction, limit)
    except CorrectionRefused as refusal:
        raise _refusal(refusal.code, correction.field, limit) from refusal
    return _stored(context, conversation, summary, VersionCause.CORRECTION)


def summary_correction_undo(actor: Actor, *, conversation_id: UUID, version: int | None) -> SummaryRecord:
    """The summary as it was before the correction that the given version is, if it is the newest still."""
    conversation, context = _held(actor, conversation_id, version)
    newest = SummaryVersion.objects.filter(conversation_id=conversation_id, version=context.version).first()
    if newest is None or newest.cause != VersionCause.CORRECTION:
        raise Conflict("A correction can only be undone while it is the newest change.", code="not_a_correction")
    summary = summary_at(conversation_id, context.version - 1)
    summary = without_sources(summary, excluded_among(conversation_id, summary))
    return _stored(context, conversation, summary, VersionCause.UNDO)


def _held(actor: Actor, conversation_id: UUID, version: int | None) -> tuple[Conversation, ConversationContext]:
    conversation = conversation_lock_for_write(actor, conversation_id)
    context = context_lock(conversation)
    require_version(version, context.version, of="The summary")
    return conversation, context


def _stored(
    context: ConversationContext, conversation: Conversation, summary: RollingSummary, cause: VersionCause
) -> SummaryRecord:
    row = version_store(context, NewVersion(summary, cause, covered_through(conversation.id)))
    context_refresh(context, conversation)
    summary_announce(conversation_id=conversation.id)
    return summary_record(row, lines_dropped(conversation.id, row.version))


def _refusal(code: str, field: str, limit: int) -> ContinuityError:
    if code == "no_such_line":
        detail = "The section has no line at this place."
        return Unprocessable(
            detail, code=code, extra={"errors": [{"pointer": "/place", "code": code, "detail": detail}]}
        )
    if code == "field_full":
        detail = f"The section can have at most {limit} lines. Remove one first."
        return Conflict(detail, code=code, extra={"field": field, "limit": limit})
    return Conflict("The section already has this line.", code=code)
