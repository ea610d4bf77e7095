"""Versions of the rolling summary in our own export."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Any

from apps.compaction.models import VersionCause
from apps.compaction.records import LEVELS, TRIGGERS
from apps.compaction.services.restore import RestoredRun, RestoredVersion, summary_restore, summary_undo_follow
from apps.conversations.field_checks import BadMessage
from apps.conversations.models import Conversation
from apps.conversations.selectors.access import conversation_lock
from apps.engine.summary.carry_over import RemovedLine, removed_from_json
from apps.engine.summary.rolling_summary import RollingSummary, summary_from_json, with_sources
from apps.transfer.formats.own_items import SummaryVersionItem, one_of
from apps.transfer.formats.own_runs import CompactionItem
from apps.transfer.models import ImportStatus
from apps.transfer.records import ItemProblem
from apps.transfer.services.imports.batch import Batch
from apps.transfer.services.imports.outcomes import Outcome
from apps.transfer.services.imports.restore.conversations import MessagePlace, messages_named, own_conversation_of

_FLAGS = frozenset({"corrected", "reported"})


def summary_version_store(batch: Batch, outcome: Outcome, item: SummaryVersionItem) -> None:
    """Store the version with the messages that it covers, in the conversation that an import created.

    One that was imported before is not stored again; it only follows if it was undone since.
    """
    conversation = conversation_lock(own_conversation_of(batch, outcome, item.conversation).id)
    if outcome.earlier is not None:
        is_followed = item.undone and item.number is not None and summary_undo_follow(conversation, item.number)
        outcome.end(ImportStatus.EXISTING, "updated" if is_followed else "known_version")
    elif not summary_restore(conversation, _restored(conversation, item)):
        detail = f"Version {item.number} cannot be undone here, because the one before it was not imported."
        outcome.note([ItemProblem(0, "unknown_base", detail)])


def _restored(conversation: Conversation, item: SummaryVersionItem) -> RestoredVersion:
    summary, removed = _read(item)
    places = messages_named(conversation, _named(item, summary, removed))
    ids = {name: str(row.id) for name, row in places.items()}
    return RestoredVersion(
        summary=with_sources(summary, ids),
        cause=VersionCause(one_of(item.cause, tuple(VersionCause.values))),
        covers=[(places[one].index, places[last].index) for one, last in item.covers if {one, last} <= ids.keys()],
        removed=tuple(replace(one, by=tuple(_known(one.by, ids))) for one in removed),
        undone=item.undone,
        created_at=item.created_at,
        number=item.number,
        run=_run(item.run, places) if item.run else None,
    )


def _named(item: SummaryVersionItem, summary: RollingSummary, removed: Iterable[RemovedLine]) -> set[str]:
    """The names of all messages that the version refers to."""
    named = {source for _, entry in summary.entries() for source in entry.sources}
    named |= {name for pair in item.covers for name in pair} | {name for one in removed for name in one.by}
    return named | ({item.run.at, item.run.first, item.run.last} if item.run else set())


def _run(item: CompactionItem, places: Mapping[str, MessagePlace]) -> RestoredRun:
    at, first, last = (
        place.index if (place := places.get(name)) else None for name in (item.at, item.first, item.last)
    )
    one_of(item.figures.trigger, TRIGGERS)
    one_of(item.figures.level, LEVELS)
    return RestoredRun(item.base, item.figures, at, first, last)


def _read(item: SummaryVersionItem) -> tuple[RollingSummary, tuple[RemovedLine, ...]]:
    try:
        summary, removed = summary_from_json(dict(item.summary)), removed_from_json(item.removed)
        if all(isinstance(one, str) for one in _texts(summary, removed)):
            return summary, removed
    except (LookupError, TypeError, ValueError, AttributeError):
        pass
    raise BadMessage("bad_summary", "it is no rolling summary")


def _texts(summary: RollingSummary, removed: Iterable[RemovedLine]) -> Iterator[Any]:
    """All values that must be texts."""
    yield from summary.dismissed
    for _, entry in summary.entries():
        values = {one.name: getattr(entry, one.name) for one in fields(entry) if one.name not in _FLAGS}
        yield from values.pop("sources")
        yield from values.values()
    for one in removed:
        yield from (one.field, one.text, one.key, *one.by)


def _known(names: Iterable[str], ids: dict[str, str]) -> Iterable[str]:
    return (ids[name] for name in names if name in ids)
