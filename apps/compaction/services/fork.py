"""Context of a fork, as of the message where it begins."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import Q

from apps.compaction.models import SummaryVersion, VersionCause
from apps.compaction.selectors.contexts import excluded_among
from apps.compaction.services.versions import NewVersion, context_lock, context_refresh, version_store
from apps.conversations.models import Conversation, Message
from apps.conversations.services.conversations import counters_refresh
from apps.engine.summary.rolling_summary import (
    RollingSummary,
    summary_from_json,
    with_sources,
    without_sources,
)


def context_fork(*, source: Conversation, copy: Conversation, ids: Mapping[str, str]) -> None:
    """Give `copy` the newest summary that covers nothing behind the fork; `ids` leads from originals to copies."""
    if copy.copied_through is None:
        return
    covers = Q(covers_through__lte=copy.copied_through) | Q(covers_through=None)
    versions = SummaryVersion.objects.filter(covers, conversation_id=source.id, undone=False)
    version = versions.order_by("-version").first()
    if version is None:
        return
    summary = _renamed(summary_from_json(version.rolling_summary), ids)
    summary = without_sources(summary, excluded_among(copy.id, summary))
    context = context_lock(copy)
    stored = version_store(context, NewVersion(summary, VersionCause.FORK, version.covers_through))
    folded = Message.objects.filter(conversation_id=source.id, compacted_in__lte=version.version, excluded=False)
    originals = folded.values_list("id", flat=True)
    Message.objects.filter(conversation_id=copy.id, copied_from__in=originals).update(compacted_in=stored.version)
    counters_refresh(copy)
    context_refresh(context, copy)


def _renamed(summary: RollingSummary, ids: Mapping[str, str]) -> RollingSummary:
    """Lines with the copies' ids; what only messages behind the fork support stays behind."""
    behind = frozenset(source for _, entry in summary.entries() for source in entry.sources if source not in ids)
    return with_sources(without_sources(summary, behind), ids)
