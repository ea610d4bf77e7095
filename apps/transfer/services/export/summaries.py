"""Versions of the rolling summary in an export, each with the messages that it covers and the run that stored it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.compaction.models import CompactionRun, RunState, SummaryVersion
from apps.conversations.models import Conversation, Message
from apps.engine.summary.carry_over import removed_from_json, removed_to_json
from apps.engine.summary.rolling_summary import summary_from_json, summary_to_json, with_sources
from apps.transfer.services.export.names import conversation_name, message_name, name_of
from apps.transfer.services.export.pages import Line, date, without_empty


def summary_lines(actor: Actor, row: Conversation) -> Iterator[Line]:
    """Every version, the oldest first: a version is what a model was paid for, and what an undo returns to."""
    after = 0
    while True:
        with workspace(actor.workspace_id):
            versions = SummaryVersion.objects.filter(conversation=row, version__gt=after).order_by("version")
            version = versions.first()
            line = _line(row, version) if version else None
        if version is None or line is None:
            return
        yield line
        after = version.version


def _line(row: Conversation, version: SummaryVersion) -> Line:
    summary, removed = summary_from_json(version.rolling_summary), removed_from_json(version.removed)
    sources = {source for _, entry in summary.entries() for source in entry.sources}
    names = _names(row.id, sources.union(*(one.by for one in removed)))
    renamed = [replace(one, by=tuple(names[by] for by in one.by if by in names)) for one in removed]
    return {
        "key": f"summary_version:{version.id}",
        "kind": "summary_version",
        "conversation": conversation_name(row),
        "version": version.version,
        "cause": version.cause,
        "summary": summary_to_json(with_sources(summary, names)),
        "removed": removed_to_json(renamed),
        "covers": _covered(version),
        "undone": version.undone,
        "created_at": date(version.created_at),
    } | _run(version)


def _run(version: SummaryVersion) -> Line:
    """The compaction that stored the version, without what it cost here; nothing if something else did."""
    runs = CompactionRun.objects.filter(conversation_id=version.conversation_id, version=version.version)
    run = runs.filter(state__in=(RunState.SUCCEEDED, RunState.UNDONE)).first()
    if run is None:
        return {}
    fields = {
        "base": run.base_version,
        "trigger": run.trigger,
        "level": run.level,
        "count": run.compacted_count,
        "tokens_before": run.tokens_before,
        "tokens_after": run.tokens_after,
        "preservation_ratio": run.preservation_ratio,
        "model": run.model,
        "created_at": date(run.created_at),
        "started_at": date(run.started_at),
        "finished_at": date(run.finished_at),
    }
    return {"run": fields | _places(run)}


def _places(run: CompactionRun) -> Line:
    """The newest message when the run began, and the span that it compacted, without deleted messages."""
    rows = Message.objects.filter(conversation_id=run.conversation_id).exclude(content="", parts=[])
    before, after = rows.order_by("-index"), rows.order_by("index")
    at, first, last = run.at_index, run.compacted_from, run.compacted_through
    places = {
        "at": None if at is None else before.filter(index__lte=at).first(),
        "first": None if first is None else after.filter(index__gte=first).first(),
        "last": None if last is None else before.filter(index__lte=last).first(),
    }
    return without_empty({name: message_name(row) for name, row in places.items()})


def _names(conversation_id: UUID, ids: Collection[str]) -> dict[str, str]:
    rows = Message.objects.filter(conversation_id=conversation_id, pk__in=ids)
    return {str(pk): name_of(external_id, pk) for pk, external_id in rows.values_list("pk", "external_id")}


def _covered(version: SummaryVersion) -> list[list[str]]:
    """The first and the last of each run of messages that the version covers."""
    rows = Message.objects.filter(conversation_id=version.conversation_id, compacted_in=version.version)
    rows = rows.exclude(content="", parts=[]).order_by("index")
    runs: list[list[str]] = []
    last = -2
    for index, external_id, pk in rows.values_list("index", "external_id", "pk").iterator():
        name = name_of(external_id, pk)
        if index == last + 1:
            runs[-1][1] = name
        else:
            runs.append([name, name])
        last = index
    return runs
