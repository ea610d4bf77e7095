"""Versions of the rolling summary in our own export."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from apps.compaction.models import VersionCause
from apps.compaction.services.restore import RestoredVersion, summary_restore
from apps.conversations.imports.field_checks import BadMessage
from apps.conversations.selectors.access import conversation_lock
from apps.engine.summary.carry_over import RemovedLine, removed_from_json
from apps.engine.summary.rolling_summary import RollingSummary, summary_from_json, with_sources
from apps.hooks.imports.own_items import SummaryVersionItem, one_of
from apps.hooks.services.imports.batch import Batch
from apps.hooks.services.imports.outcomes import Outcome
from apps.hooks.services.imports.own.conversations import messages_named, own_conversation_of


def summary_version_store(batch: Batch, outcome: Outcome, item: SummaryVersionItem) -> None:
    """Store the version with the messages that it covers, in the conversation that an import created."""
    conversation = conversation_lock(own_conversation_of(batch, outcome, item.conversation).id)
    summary, removed = _read(item)
    named = {source for _, entry in summary.entries() for source in entry.sources}
    named |= {name for pair in item.covers for name in pair} | {name for one in removed for name in one.by}
    messages = messages_named(conversation, named)
    ids = {name: str(row.id) for name, row in messages.items()}
    pairs = [
        (messages[first].index, messages[last].index) for first, last in item.covers if {first, last} <= ids.keys()
    ]
    restored = RestoredVersion(
        summary=with_sources(summary, ids),
        cause=VersionCause(one_of(item.cause, tuple(VersionCause.values))),
        covers=pairs,
        removed=tuple(replace(one, by=tuple(_known(one.by, ids))) for one in removed),
        undone=item.undone,
        created_at=item.created_at,
    )
    summary_restore(conversation, restored)


def _read(item: SummaryVersionItem) -> tuple[RollingSummary, tuple[RemovedLine, ...]]:
    try:
        return summary_from_json(dict(item.summary)), removed_from_json(item.removed)
    except (LookupError, TypeError, ValueError, AttributeError):
        raise BadMessage("bad_summary", "it is no rolling summary") from None


def _known(names: Iterable[str], ids: dict[str, str]) -> Iterable[str]:
    return (ids[name] for name in names if name in ids)
