"""Carrying out due jobs by the functions that worker and dispatcher call, without their processes."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.compaction.models import CompactionRun, ConversationContext, SummaryVersion
from apps.compaction.records import RunRecord
from apps.compaction.services.request import compaction_request
from apps.conversations.models import Conversation, Message
from apps.engine.policy import Level, Policy
from apps.engine.summary.rolling_summary import summary_from_json
from apps.jobs.services import claim_due, run_job


def work_off() -> int:
    """Run what is due until nothing is; how many jobs ran."""
    count = 0
    while claims := claim_due(10):
        for claim in claims:
            run_job(claim.job_id, claim.token)
            count += 1
        assert count < 100, "jobs that never end"
    return count


def at_once(settings: Settings) -> Policy:
    """A policy without the debounce, in force until the test ends."""
    policy = replace(settings.CONTINUITY_POLICY, compaction_debounce_s=0)
    settings.CONTINUITY_POLICY = policy
    return policy


def compact(actor: Actor, talk: UUID, level: Level = Level.LIGHT) -> RunRecord:
    """Request a compaction and carry it out."""
    with workspace(actor.workspace_id):
        run = compaction_request(actor, conversation_id=talk, level=level, policy=Policy())
    work_off()
    return run


def runs_of(actor: Actor, talk: UUID) -> list[CompactionRun]:
    with workspace(actor.workspace_id):
        return list(CompactionRun.objects.filter(conversation_id=talk).order_by("id"))


def context_of(actor: Actor, talk: UUID) -> ConversationContext:
    with workspace(actor.workspace_id):
        return ConversationContext.objects.get(conversation_id=talk)


def check_invariants(actor: Actor, talk: UUID) -> None:
    """Every message is live, left out, or covered by exactly one stored version; counters and sources are true."""
    with workspace(actor.workspace_id):
        row = Conversation.objects.get(pk=talk)
        messages = list(Message.objects.filter(conversation_id=talk).order_by("index"))
        versions = set(SummaryVersion.objects.filter(conversation_id=talk).values_list("version", flat=True))
        context = ConversationContext.objects.filter(conversation_id=talk).first()
        folded_by_runs = sum(
            CompactionRun.objects.filter(conversation_id=talk, state="succeeded").values_list(
                "compacted_count", flat=True
            )
        )
    folded = [message for message in messages if message.compacted_in is not None]
    live = [message for message in messages if message.compacted_in is None and not message.excluded]
    assert [message.index for message in messages] == list(range(row.message_count))
    assert {message.compacted_in for message in folded} <= versions
    assert len(folded) <= folded_by_runs or row.copied_from_id
    assert (row.live_count, row.live_tokens) == (len(live), sum(message.live_cost for message in live))
    if context is not None:
        known = {str(message.id) for message in messages}
        summary = summary_from_json(context.rolling_summary)
        assert all(entry.sources or entry.corrected for _, entry in summary.entries())
        assert all(set(entry.sources) <= known for _, entry in summary.entries())
        assert versions == set(range(1, context.version + 1))
